"""What is released: weights, missing values, small strata, kinds of columns."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import covey
from covey.errors import (
    DisclosureWarning,
    Infeasible,
    SchemaError,
)
from covey.release import protect
from covey.release.describing import external_content, internal_content
from covey.release.describing.summary_lines import release_figures, release_lines
from covey.tables.categories import in_released_order
from tests.release.independent import smallest_class

AMOUNTS = ["age", "hours", "gross_income", "net_income"]


@pytest.fixture(scope="module")
def survey():
    return covey.datasets.make_survey(300, 2).to_pandas()


class TestWeights:
    PEOPLE = pa.table({"x": [1.0, 9.0, 50.0, 70.0], "w": [3.0, 1.0, 1.0, 3.0]})

    def test_each_record_is_given_the_mean_weight_of_its_group(self):
        release = protect(self.PEOPLE, 2, weight="w")
        assert release.table.to_pydict() == {"x": [3.0, 3.0, 65.0, 65.0], "w": [2.0] * 4}

    def test_original_weights_on_request_with_a_warning(self):
        with pytest.warns(DisclosureWarning, match="weights identify people"):
            release = protect(self.PEOPLE, 2, weight="w", keep=["w"])
        assert release.table["w"].to_pylist() == [3.0, 1.0, 1.0, 3.0]
        assert release.table["x"].to_pylist() == [3.0, 3.0, 65.0, 65.0]

    def test_without_joint_groups_there_is_no_mean_weight(self):
        table = self.PEOPLE.append_column("y", [[1.0, 2.0, 3.0, 4.0]])
        with pytest.warns(DisclosureWarning, match="blocks"):
            release = protect(table, 2, "individualranking", weight="w")
        assert release.table.column_names == ["x", "y"]
        assert release.dropped["w"].startswith("weight")

    @pytest.mark.parametrize("bad", [None, 0.0, -1.0, np.nan])
    def test_weights_must_be_positive(self, bad):
        table = pa.table({"x": [1.0, 2.0, 3.0], "w": [1.0, bad, 1.0]})
        with pytest.raises(SchemaError, match=r"1 value\(s\) of it are missing, zero or negative"):
            protect(table, 2, weight="w")

    def test_weights_must_be_numbers(self):
        with pytest.raises(SchemaError, match="does not hold numbers"):
            protect(pa.table({"x": [1.0, 2.0], "w": ["a", "b"]}), 2, weight="w")


class TestMissing:
    TABLE = pa.table({"x": [1.0, 2.0, None, 50.0, 51.0, 52.0]})

    def test_too_few_contributors(self):
        """One group of two known values and the missing one, one group of three."""
        release = protect(self.TABLE, 3)
        found = release.table["x"].to_pylist()
        assert found.count(51.0) + found.count(None) == 6
        assert smallest_class(release.table.to_pandas()) >= 3

    def test_fewer_contributors_on_request_with_a_warning(self):
        with pytest.warns(DisclosureWarning, match=r"only 1 member\(s\)"):
            release = protect(self.TABLE, 3, min_contributors=1)
        assert release.table["x"].null_count == 0

    @pytest.mark.parametrize("k", [2, 3])
    def test_the_default_does_not_warn(self, k):
        protect(self.TABLE, k)
        protect(self.TABLE, k, min_contributors=k)

    def test_error(self):
        with pytest.raises(SchemaError, match=r"missing values in: columns x \(1\)"):
            protect(self.TABLE, 3, missing="error")

    def test_pattern(self):
        table = pa.table({"x": [1.0, 2.0, None, None, 5.0], "y": [1.0, 2.0, 3.0, 4.0, 5.0]})
        release = protect(table, 2, missing="pattern")
        assert release.table["x"].is_null().to_pylist() == [False, False, True, True, False]

    def test_a_rare_pattern_is_a_small_stratum(self):
        with pytest.raises(Infeasible, match=r"missing: x \(1\)"):
            protect(self.TABLE, 3, missing="pattern")
        assert protect(self.TABLE, 3, missing="pattern", small_strata="suppress").suppressed == 1
        merged = protect(self.TABLE, 3, missing="pattern", small_strata="merge")
        assert merged.table.num_rows == 6


class TestSmallStrata:
    TABLE = pa.table({"x": [1.0, 2.0, 3.0, 9.0, 8.0], "s": ["a", "a", "a", "b", "c"]})

    def test_an_error_lists_them(self):
        with pytest.raises(Infeasible, match=r"s='b' \(1\); s='c' \(1\)"):
            protect(self.TABLE, 2, strata=["s"])

    def test_suppress(self):
        release = protect(self.TABLE, 3, strata=["s"], small_strata="suppress")
        assert release.suppressed == 2
        assert release.table.to_pydict() == {"x": [2.0] * 3, "s": ["a"] * 3}

    def test_merge_names_them_all(self):
        release = protect(self.TABLE, 2, strata=["s"], small_strata="merge")
        assert release.table["s"].to_pylist()[3:] == ["b or c"] * 2
        assert release.table["x"].to_pylist()[3:] == [8.5] * 2
        assert release.merged == ("s='b' (1) with s='c' (1)",)

    def test_numbers_that_were_merged_have_no_one_value(self):
        table = self.TABLE.set_column(1, "s", pa.array([1, 1, 1, 2, 3]))
        with pytest.warns(DisclosureWarning, match="'s' is left empty for 2 record"):
            release = protect(table, 2, strata=["s"], small_strata="merge")
        assert release.table["s"].to_pylist() == [1, 1, 1, None, None]

    def test_categories_that_were_merged(self):
        table = self.TABLE.set_column(1, "s", self.TABLE["s"].dictionary_encode())
        release = protect(table, 2, strata=["s"], small_strata="merge")
        assert release.table["s"].to_pylist() == ["a", "a", "a", "b or c", "b or c"]

    def test_nested_strata_are_merged_or_refused(self):
        table = self.TABLE.set_column(1, "s", pa.array([[1], [1], [1], [2], [3]]))
        try:
            release = protect(table, 2, strata=["s"], small_strata="merge")
        except SchemaError:
            return
        assert release.table["s"].null_count == 2


class TestKinds:
    def test_integers_stay_integers(self, survey):
        release = protect(survey, 3, quasi_identifiers=AMOUNTS, integers=True)
        assert all(dtype == "int64" for dtype in release.data.dtypes)
        assert smallest_class(release.data) >= 3

    def test_only_some(self, survey):
        release = protect(survey, 3, quasi_identifiers=AMOUNTS, integers=["age"])
        assert [str(dtype) for dtype in release.data.dtypes] == ["int64"] + ["float64"] * 3

    def test_importance_decides_who_is_grouped(self):
        table = pa.table({"a": [0.0, 0.0, 9.0, 9.0], "b": [0.0, 9.0, 0.0, 9.0]})
        by_a = protect(table, 2, importance={"b": 0.01}).table
        by_b = protect(table, 2, importance={"a": 0.01}).table
        assert by_a["a"].to_pylist() == [0.0, 0.0, 9.0, 9.0]
        assert by_b["b"].to_pylist() == [0.0, 9.0, 0.0, 9.0]

    @pytest.mark.parametrize("kind", ["complex", "period", "objects"])
    def test_columns_that_arrow_does_not_know_are_refused(self, kind):
        column = {
            "complex": np.arange(6) * 1j,
            "period": pd.period_range("2020", periods=6),
            "objects": [object() for _ in range(6)],
        }[kind]
        with pytest.raises(SchemaError, match="'c'"):
            protect(pd.DataFrame({"x": range(6), "c": column}), 2)


class TestOrderedAmounts:
    """Amounts declared ordinal were emptied as rare categories, and nothing said so."""

    @pytest.fixture(scope="class")
    @classmethod
    def amounts(cls):
        rng = np.random.default_rng(3)
        income = np.where(rng.random(900) < 0.3, 0.0, np.round(rng.lognormal(9, 1, 900), 2))
        income[rng.random(900) < 0.02] = np.nan
        return pa.table({"age": rng.integers(18, 90, 900), "income": income})

    def test_no_amount_is_lost_as_rare(self, amounts):
        release = protect(amounts, 5, "mdav", ordinal=["income"])
        found = release.table["income"].to_numpy()
        assert np.isnan(found).mean() < 0.05
        assert len(np.unique(found[~np.isnan(found)])) > 60

    def test_an_amount_of_one_person_is_not_released(self, amounts):
        release = protect(amounts, 5, "mdav", ordinal=["income"])
        original = amounts["income"].to_numpy()
        once = {x for x, n in zip(*np.unique(original, return_counts=True), strict=True) if n == 1}
        assert not once & set(release.table["income"].to_numpy())

    def test_what_is_emptied_is_counted(self, amounts):
        release = protect(amounts, 5, "mdav", ordinal=["income"])
        before, after = amounts["income"].to_numpy(), release.table["income"].to_numpy()
        assert release.emptied["income"] == int((~np.isnan(before) & np.isnan(after)).sum()) > 0
        assert set(release.emptied) == {"income"}
        assert release.suppressed == 0

    def test_rare_categories_and_merged_strata_are_counted_too(self):
        table = pa.table(
            {
                "x": [1.0, 2.0, 3.0, 11.0, 12.0, 13.0],
                "work": ["a", "b", "c", "d", "d", "d"],
                "region": [1, 1, 1, 1, 2, 2],
            }
        )
        with pytest.warns(DisclosureWarning, match="'region' is left empty for 6 record"):
            release = protect(
                table, 3, "mdav", strata=["region"], small_strata="merge", nominal=["work"]
            )
        gone = {name: release.table[name].null_count for name in ("work", "region")}
        assert {name: release.emptied.get(name, 0) for name in gone} == gone
        assert sum(gone.values()) > 0

    def test_nothing_emptied(self):
        assert protect(pa.table({"x": [1.0, 2.0, 3.0]}), 3).emptied == {}

    def test_it_is_said(self, amounts, tmp_path):
        release = protect(amounts, 5, "mdav", ordinal=["income"])
        count = release.emptied["income"]
        lines, figures = release_lines(release, "x"), release_figures(release, measures=False)
        assert lines["emptied"].startswith(f"{count} cells (income {count})")
        assert figures["emptied"] == {"income": count}
        inside = internal_content(release)
        assert {c["name"]: c["emptied"] for c in inside["columns"]} == {"age": 0, "income": count}
        assert {c["name"]: c["kind"] for c in inside["columns"]}["income"] == "ordered number"
        outside = external_content(release)
        assert any(f"stand behind it: {count}." in note for note in outside["notes"])
        assert {c["name"]: c["treatment"] for c in outside["columns"]}["income"] == "median"

    @pytest.mark.parametrize("weight", [None, "w"])
    def test_streamed_alike(self, amounts, weight, tmp_path):
        rng = np.random.default_rng(5)
        day = pa.array(rng.integers(0, 9000, 900), pa.int32()).cast(pa.date32())
        table = amounts.append_column("w", [rng.uniform(1, 9, 900)]).append_column("day", day)
        asked = {"ordinal": ["income", "day"], "weight": weight}
        asked["quasi_identifiers"] = ["age", "income", "day"]
        whole = protect(table, 5, "mdav", **asked)
        out = tmp_path / "released.parquet"
        streamed = protect(table, 5, "mdav", out=out, **asked)
        assert in_released_order(pq.read_table(out)).equals(in_released_order(whole.table))
        assert streamed.emptied == whole.emptied != {}
        assert streamed.emptied == whole.emptied
        assert "emptied" in release_lines(streamed, "file")
