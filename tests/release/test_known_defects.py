"""Defects that other tools have. Each is a test here."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import covey
from covey.errors import DisclosureWarning, Infeasible, SchemaError
from tests.release.independent import read_back, smallest_class

AMOUNTS = ["age", "hours", "gross_income", "net_income"]


@pytest.fixture(scope="module")
def with_gaps():
    """300 records, 5 % of the values missing."""
    return covey.datasets.make_survey(300, 3, missing=0.05).to_pandas()[AMOUNTS]


class TestWrongMeanInTheLastGroup:
    def test_by_hand(self):
        """The last group holds 30, 31, 35 and a gap: its mean is 32, for all four."""
        table = pa.table(
            {
                "near": [0.0, 0.1, 0.2, 9.0, 9.1, 9.2, 9.3],
                "x": [1.0, 2.0, 6.0, 30.0, 31.0, 35.0, None],
            }
        )
        release = covey.protect(table, 3, "mdav", parameters={"variables": ["near"]})
        assert release.table["x"].to_pylist() == [3.0] * 3 + [32.0] * 4

    @pytest.mark.parametrize("technique", ["mdav", "iamat", "rgmat", "projected"])
    def test_every_group_on_its_own(self, with_gaps, technique):
        release = covey.protect(with_gaps, 4, technique)
        groups = with_gaps.groupby(release.partition.labels)
        expected = groups.transform("mean").where(groups.transform("count") >= 3)
        pd.testing.assert_frame_equal(release.data, expected, check_dtype=False)


@pytest.mark.parametrize("technique", ["mdav", "vmdav", "iamat", "rgmat", "egmmat", "projected"])
@pytest.mark.parametrize("k", [3, 5])
def test_missing_values_leave_no_record_below_k(with_gaps, technique, k, tmp_path):
    assert with_gaps.isna().to_numpy().mean() == pytest.approx(0.05, abs=0.01)
    covey.protect(with_gaps, k, technique).write(tmp_path / "out.csv")
    written = read_back(tmp_path / "out.csv")
    sizes = written.groupby(AMOUNTS, dropna=False)["age"].transform("size")
    assert int((sizes < k).sum()) == 0
    assert len(written) == 300


def test_strata_below_k_are_refused_and_listed():
    table = pa.table({"x": range(8), "region": ["North"] * 6 + ["South"] * 2})
    with pytest.raises(Infeasible, match=r"1 of 2 strata.*k=3.*region='South' \(2\)"):
        covey.protect(table, 3, strata=["region"])


class TestMinus999IsANumber:
    def test_by_hand(self):
        release = covey.protect(pa.table({"x": [-999, 0, 3]}), 3)
        assert release.table["x"].to_pylist() == [-332.0] * 3
        assert release.table["x"].null_count == 0

    @pytest.mark.parametrize("ending", [".csv", ".parquet", ".dta"])
    def test_in_a_file(self, tmp_path, ending):
        path = tmp_path / f"in{ending}"
        frame = pd.DataFrame({"x": [-999.0, 0.0, 3.0, 500.0, 500.0, 500.0]})
        write = {".csv": frame.to_csv, ".parquet": frame.to_parquet}
        if ending == ".dta":
            frame.to_stata(path, write_index=False)
        else:
            write[ending](path, index=False)
        covey.protect(path, 3).write(tmp_path / f"out{ending}")
        assert sorted(read_back(tmp_path / f"out{ending}")["x"]) == [-332.0] * 3 + [500.0] * 3


class TestWeightsCount:
    def test_by_hand(self):
        table = pa.table({"x": [1.0, 9.0], "w": [3.0, 1.0]})
        assert covey.protect(table, 2, weight="w").table["x"].to_pylist() == [3.0, 3.0]

    def test_weighted_totals_are_kept(self):
        survey = covey.datasets.make_survey(500, 4).to_pandas()
        release = covey.protect(survey, 5, quasi_identifiers=AMOUNTS, weight="weight")
        np.testing.assert_allclose(
            (release.data[AMOUNTS].mul(release.data["weight"], axis=0)).sum(),
            (survey[AMOUNTS].mul(survey["weight"], axis=0)).sum(),
        )

    def test_they_count_for_modes_and_medians(self):
        columns = {"c": ["a"] * 3 + ["b"] * 4, "o": [1] * 3 + [2] * 4, "w": [5.0] * 3 + [1.0] * 4}
        release = covey.protect(pa.table(columns), 7, weight="w", ordinal=["o"], nominal=["c"])
        assert release.table["c"].to_pylist() == ["a"] * 7
        assert release.table["o"].to_pylist() == [1] * 7

    def test_one_who_has_nearly_all_the_weight_is_said(self):
        table = pa.table({"x": [12345, 13000, 14000], "w": [5000, 1, 1]})
        with pytest.warns(DisclosureWarning, match="one record has more than 85 % of the weight"):
            covey.protect(table, 3, weight="w")


class TestTextIsNeverDroppedSilently:
    def test_it_is_released(self):
        table = pa.table({"x": range(8), "sex": ["f", "m"] * 4})
        release = covey.protect(table, 4)
        assert release.table.column_names == ["x", "sex"]
        assert smallest_class(release.table.to_pandas()) >= 4

    def test_or_refused_by_name(self):
        table = pa.table({"x": range(30), "name": [f"person {i}" for i in range(30)]})
        with pytest.raises(SchemaError, match="'name'"):
            covey.protect(table, 4)

    def test_or_dropped_and_said(self):
        table = pa.table({"x": range(8), "name": list("abcdefgh")})
        release = covey.protect(table, 4, quasi_identifiers=["x"])
        assert release.dropped == {"name": "not named"}


class TestOneVariableWithGaps:
    """A coordinate that tells where a value is missing must not take the place of the value."""

    @pytest.mark.parametrize("technique", ["individualranking", "optimalunivariate"])
    @pytest.mark.parametrize("gaps", [1, 2, 6, 12])
    def test_is_sorted_by_its_values(self, rng, technique, gaps):
        values = rng.lognormal(8, 0.6, 388)
        complete = covey.protect(pa.table({"x": values}), 3, technique=technique)
        values[:gaps] = np.nan
        release = covey.protect(pa.table({"x": values}), 3, technique=technique)
        assert release.evaluation.il.percent < 1.1 * complete.evaluation.il.percent


class TestNumbersOfPersons:
    """Numbers that name a record are not averaged without a word."""

    @pytest.mark.parametrize("name", ["person_id", "number"])
    def test_are_warned_of(self, rng, name):
        table = pa.table({name: range(100), "x": rng.normal(size=100)})
        with pytest.warns(DisclosureWarning, match=f"'{name}' looks like an identifier"):
            covey.protect(table, 3)

    def test_unless_they_were_named(self, rng):
        table = pa.table({"number": range(100), "x": rng.normal(size=100)})
        covey.protect(table, 3, quasi_identifiers=["number", "x"])
        covey.protect(table, 3, identifiers=["number"])
