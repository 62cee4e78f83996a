"""protect: roles, the check of the release itself, writing."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest

import covey
from covey.errors import (
    DisclosureWarning,
    GuaranteeViolated,
    InvalidParameter,
    SchemaError,
)
from covey.release import protect
from covey.sources.files import FileProblem, read_table
from covey.techniques import MDAV, Technique

AMOUNTS = ["age", "hours", "gross_income", "net_income"]


@pytest.fixture(scope="module")
def survey():
    return covey.datasets.make_survey(300, 2).to_pandas()


def smallest_class(frame: pd.DataFrame) -> int:
    """An independent look at the release: plain pandas, no Covey code."""
    return int(frame.groupby(list(frame.columns)).size().min())


@pytest.mark.parametrize("technique", ["mdav", "vmdav", "iamat", "rgmat", "egmmat", "projected"])
@pytest.mark.parametrize("k", [2, 5])
def test_release_is_k_anonymous(survey, technique, k):
    release = protect(survey, k, technique, quasi_identifiers=AMOUNTS)
    assert list(release.data.columns) == AMOUNTS
    assert len(release.data) == len(survey)
    assert smallest_class(release.data) == release.achieved_k >= k


def test_means_are_kept(survey):
    release = covey.protect(survey, 4, quasi_identifiers=AMOUNTS)
    np.testing.assert_allclose(release.data.mean(), survey[AMOUNTS].mean())


def test_identifiers_are_dropped_and_said(survey):
    numbers = survey[["person_id", *AMOUNTS]]
    release = protect(numbers, identifiers=["person_id"])
    assert list(release.data.columns) == AMOUNTS
    assert release.dropped == {"person_id": "identifier"}


def test_unnamed_columns_are_dropped_and_said(survey):
    release = protect(survey, identifiers=["person_id"], quasi_identifiers=["age", "hours"])
    assert list(release.data.columns) == ["age", "hours"]
    assert release.dropped["person_id"] == "identifier"
    assert release.dropped["region"] == "not named"


def test_text_is_never_dropped_silently(survey):
    with pytest.raises(SchemaError, match=r"Not numeric: 'person_id', 'region'"):
        protect(survey)


def test_typo(survey):
    with pytest.raises(SchemaError, match="Did you mean 'person_id'"):
        protect(survey, identifiers=["person_di"])


def test_one_column_two_roles(survey):
    with pytest.raises(SchemaError, match="not both"):
        protect(survey, identifiers=["age"], quasi_identifiers=["age", "hours"])


def test_nothing_left():
    with pytest.raises(SchemaError, match="No column is left"):
        protect(pd.DataFrame({"id": [1, 2, 3]}), identifiers=["id"])


def test_unknown_technique(survey):
    with pytest.raises(InvalidParameter, match="Did you mean 'mdav'"):
        protect(survey, technique="mdva", quasi_identifiers=AMOUNTS)


def test_an_instance_keeps_its_parameters(survey):
    release = protect(pl.from_pandas(survey), technique=MDAV(k=7), quasi_identifiers=AMOUNTS)
    assert release.technique.k == 7
    assert isinstance(release.data, pl.DataFrame)


def test_the_release_itself_is_checked(survey, monkeypatch):
    """Even if aggregation went wrong after a good grouping."""

    def leaky(self, table):
        values = table.values.copy()
        return table.rebuild(values)

    monkeypatch.setattr(Technique, "_release", leaky)
    with pytest.raises(GuaranteeViolated, match="shared by 1 where k=3"):
        protect(survey, quasi_identifiers=AMOUNTS)


class TestWrite:
    @pytest.fixture
    def release(self, survey):
        return protect(survey, 5, quasi_identifiers=AMOUNTS)

    def test_rows_are_ordered_by_released_values(self, release, tmp_path):
        release.write(tmp_path / "out.csv")
        written = pd.read_csv(tmp_path / "out.csv")
        assert smallest_class(written) >= 5
        ordered = release.data.sort_values(AMOUNTS).reset_index(drop=True)
        pd.testing.assert_frame_equal(written, ordered, check_dtype=False)

    def test_original_order_warns(self, release, tmp_path):
        with pytest.warns(DisclosureWarning, match="order of the rows"):
            release.write(tmp_path / "out.csv", order="original")
        written = pd.read_csv(tmp_path / "out.csv")
        pd.testing.assert_frame_equal(written, release.data, check_dtype=False)

    def test_unknown_order(self, release, tmp_path):
        with pytest.raises(InvalidParameter, match="order must be"):
            release.write(tmp_path / "out.csv", order="random")

    def test_no_overwriting_unasked(self, release, tmp_path):
        path = tmp_path / "out.csv"
        path.write_text("precious")
        with pytest.raises(InvalidParameter, match="exists already"):
            release.write(path)
        assert path.read_text() == "precious"
        release.write(path, force=True)
        assert len(read_table(path)) == 300

    def test_a_full_disk_leaves_nothing(self, release, tmp_path, monkeypatch):
        def full(table, path):
            with open(path, "w") as handle:
                handle.write("half a fi")
            raise OSError(28, "No space left on device")

        monkeypatch.setattr("pyarrow.csv.write_csv", full)
        with pytest.raises(FileProblem, match="No space left on device"):
            release.write(tmp_path / "out.csv")
        assert list(tmp_path.iterdir()) == []

    def test_ctrl_c_leaves_the_old_file(self, release, tmp_path, monkeypatch):
        def interrupted(table, path):
            raise KeyboardInterrupt

        path = tmp_path / "out.csv"
        path.write_text("old")
        monkeypatch.setattr("pyarrow.csv.write_csv", interrupted)
        with pytest.raises(KeyboardInterrupt):
            release.write(path, force=True)
        assert path.read_text() == "old"
        assert [p.name for p in tmp_path.iterdir()] == ["out.csv"]


class TestNothingElseLeaks:
    def test_the_index_is_dropped(self, survey):
        indexed = survey.set_index("person_id")[AMOUNTS]
        release = protect(indexed, 4)
        assert list(release.data.index) == list(range(300))
        assert "P0" not in release.data.to_csv()

    def test_arrow_metadata_is_dropped(self):
        table = covey.datasets.make_survey(30).select(AMOUNTS)
        marked = table.replace_schema_metadata({"owner": "Anne"})
        assert protect(marked).data.schema.metadata is None

    def test_the_callers_technique_stays_as_it_is(self, survey):
        technique = MDAV(k=5)
        first = protect(survey, technique=technique, quasi_identifiers=AMOUNTS)
        protect(survey[:50], technique=technique, quasi_identifiers=AMOUNTS)
        assert not hasattr(technique, "blocks_")
        assert first.technique.partition_.n_records == 300

    def test_a_release_changed_afterwards_is_not_written(self, survey, tmp_path):
        release = protect(survey, 5, quasi_identifiers=AMOUNTS)
        release.data.loc[0, "age"] = 1.5
        with pytest.raises(GuaranteeViolated):
            release.write(tmp_path / "out.csv")
        assert list(tmp_path.iterdir()) == []

    def test_every_block_is_checked(self, survey, monkeypatch):
        """A leak in the last block only."""

        def leaky(self, table):
            values = np.column_stack(
                [b.partition.aggregate(table.values[:, list(b.variables)]) for b in self.blocks_]
            )
            values[0, -1] += 0.5
            return table.rebuild(values)

        monkeypatch.setattr(Technique, "_release", leaky)
        with pytest.warns(DisclosureWarning), pytest.raises(GuaranteeViolated):
            protect(survey, 3, "individualranking", quasi_identifiers=AMOUNTS)


@pytest.mark.parametrize(
    "wrong",
    [
        {"quasi_identifiers": "age"},
        {"quasi_identifiers": []},
        {"quasi_identifiers": ["age", "age"]},
        {"identifiers": "person_id"},
        {"technique": MDAV(k=3), "k": 5},
    ],
)
def test_requests_that_could_be_misread(survey, wrong):
    with pytest.raises(InvalidParameter):
        protect(survey, **{"quasi_identifiers": AMOUNTS} | wrong)


def test_arrays_have_no_named_columns():
    with pytest.raises(SchemaError, match="Expected a data frame"):
        protect(np.ones((9, 2)))
    with pytest.raises(SchemaError, match="names that are text"):
        protect(pd.DataFrame(np.ones((9, 2))))
