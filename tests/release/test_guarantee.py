"""The guarantee is checked on the released columns themselves, whatever went wrong before."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import covey
from covey.errors import (
    GuaranteeViolated,
)
from covey.release import protect
from covey.techniques import MDAV
from tests.release.independent import smallest_class

AMOUNTS = ["age", "hours", "gross_income", "net_income"]


@pytest.fixture(scope="module")
def survey():
    return covey.datasets.make_survey(300, 2).to_pandas()


def leaky(variable, groups, min_contributors, overall=None):
    """As if every record were a group of its own."""
    return variable.values.copy()


class TestTheReleaseItselfIsChecked:
    def test_values_that_went_wrong_after_a_good_grouping(self, survey, monkeypatch):
        monkeypatch.setattr("covey.pipeline.part.aggregate", leaky)
        with pytest.raises(GuaranteeViolated, match="shared by 1 where k=3"):
            protect(survey, quasi_identifiers=AMOUNTS)

    def test_one_record_alone(self, survey, monkeypatch):
        from covey.tables.aggregating import aggregate

        def nearly(variable, groups, min_contributors, overall=None):
            values = aggregate(variable, groups, min_contributors, overall)
            values[17] += 0.5
            return values

        monkeypatch.setattr("covey.pipeline.part.aggregate", nearly)
        with pytest.raises(GuaranteeViolated, match="shared by 1"):
            protect(survey, 3, quasi_identifiers=AMOUNTS)

    def test_a_technique_that_breaks_its_promise(self, survey, monkeypatch):
        monkeypatch.setattr(MDAV, "_partition", lambda self, X, k: np.arange(len(X)) // (k - 1))
        with pytest.raises(GuaranteeViolated, match="group of 2"):
            protect(survey, 3, "mdav", quasi_identifiers=AMOUNTS)

    def test_a_technique_that_loses_a_record(self, survey, monkeypatch):
        def forgetful(self, coordinates, k):
            labels = np.arange(len(coordinates)) // k
            labels[-1] = -1
            return labels

        monkeypatch.setattr(MDAV, "_partition", forgetful)
        with pytest.raises(GuaranteeViolated, match="without a group"):
            protect(survey, 3, "mdav", quasi_identifiers=AMOUNTS)

    def test_every_block_is_checked(self, survey, monkeypatch):
        """A leak in the last block only."""
        from covey.tables.aggregating import aggregate

        def last_leaks(variable, groups, min_contributors, overall=None):
            values = aggregate(variable, groups, min_contributors, overall)
            values[0] += 0.5 * (variable.name == AMOUNTS[-1])
            return values

        monkeypatch.setattr("covey.pipeline.part.aggregate", last_leaks)
        with pytest.raises(GuaranteeViolated, match="shared by"):
            protect(survey, 3, "individualranking", quasi_identifiers=AMOUNTS)

    def test_a_stratum_that_was_changed(self, survey, monkeypatch):
        def torn(column):
            return pa.array([f"s{i}" for i in range(len(column))])

        monkeypatch.setattr("covey.pipeline.part.with_one_zero", torn)
        with pytest.raises(GuaranteeViolated):
            protect(survey, 3, quasi_identifiers=AMOUNTS, strata=["region"])

    def test_a_changed_table_is_not_written(self, survey, tmp_path):
        release = protect(survey, 5, quasi_identifiers=AMOUNTS)
        ages = release.table["age"].to_pylist()
        changed = release.table.set_column(0, "age", pa.array([1.5, *ages[1:]]))
        tampered = replace(release, masked=replace(release.masked, table=changed))
        with pytest.raises(GuaranteeViolated):
            tampered.write(tmp_path / "out.csv")
        assert list(tmp_path.iterdir()) == []

    def test_changes_to_data_do_not_reach_the_file(self, survey, tmp_path):
        release = protect(survey, 5, quasi_identifiers=AMOUNTS)
        release.data.loc[0, "age"] = 1.5
        release.write(tmp_path / "out.csv")
        written = pd.read_csv(tmp_path / "out.csv")
        assert smallest_class(written) >= 5
        assert 1.5 not in set(written["age"])
