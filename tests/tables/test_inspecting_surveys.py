"""The guesses on tables with the names and contents of real surveys."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import covey
from covey.tables.inspecting import inspect_table

from . import real_surveys as surveys

EVERY_SURVEY = [
    pytest.param(surveys.eu_silc(), surveys.EU_SILC, id="EU-SILC"),
    pytest.param(surveys.earnings(), surveys.EARNINGS, id="earnings"),
    pytest.param(surveys.ipums(), surveys.IPUMS, id="IPUMS"),
    pytest.param(surveys.dhs(), surveys.DHS, id="DHS"),
    pytest.param(surveys.labour_force(), surveys.LABOUR_FORCE, id="labour force"),
]


def inspected(table):
    return {column.name: column for column in inspect_table(table)}


def roles(table):
    return {name: column.role for name, column in inspected(table).items()}


class TestEverySurvey:
    @pytest.mark.parametrize(("table", "expected"), EVERY_SURVEY)
    def test_roles(self, table, expected):
        others = dict.fromkeys(table.column_names, "quasi-identifier")
        assert roles(table) == {**others, **expected}

    @pytest.mark.parametrize(("table", "expected"), EVERY_SURVEY)
    def test_the_settings_run_as_they_are(self, table, expected):
        settings = covey.inspect(table).settings(k=5)
        release = covey.protect(table, settings=settings.changed(technique="mdav"))
        assert release.achieved_k >= 5
        assert set(release.dropped) == {n for n, role in expected.items() if role == "identifier"}
        assert release.averaged_codes == ()

    @pytest.mark.parametrize("names", surveys.LANGUAGES, ids=lambda names: names[0])
    def test_languages(self, names):
        expected = ("identifier", "weight", "stratum", "quasi-identifier", "quasi-identifier")
        called = ("household", "weight", "region", "sex", "income")
        table = surveys.plainly_named(dict(zip(called, names, strict=True)))
        assert tuple(roles(table).values()) == expected
        assert inspected(table)[names[3]].treatment == "nominal"


class TestUnits:
    def test_a_household_number_that_repeats(self):
        note = inspected(surveys.eu_silc())["db030"].note
        assert "it names a household of several records" in note
        assert "inside which db040, db090, hsize, hy010 and 3 more stay the same" in note
        assert (
            "k counts records: k records of a group may come from fewer than k households" in note
        )

    def test_an_employer(self):
        note = inspected(surveys.earnings())["IDunit"].note
        assert "it names a unit of several records, such as a household or an employer" in note

    def test_a_number_of_one_record_each_has_no_note(self):
        assert inspected(surveys.eu_silc())["rb030"].note == ""

    def test_a_line_number(self):
        assert "names no record alone" in inspected(surveys.ipums())["PERNUM"].note

    @pytest.mark.parametrize("as_text", [False, True])
    def test_a_unit_whose_name_says_nothing(self, as_text):
        table = surveys.eu_silc().select(["db030", "rb080", "rb090", "hsize", "hy010", "hy020"])
        if as_text:
            keys = [f"F{key}" for key in table["db030"].to_pylist()]
            table = table.set_column(0, "db030", pa.array(keys))
        found = inspected(table.rename_columns(["x", "yob", "s", "m", "y1", "y2"]))
        assert found["x"].role == "identifier"
        assert found["x"].reason == "repeats, and other columns stay the same with it"
        assert {found[name].role for name in ("yob", "s", "m", "y1", "y2")} == {"quasi-identifier"}

    def test_codes_that_are_parts_of_others_are_no_units(self):
        rng = np.random.default_rng(1)
        fine = rng.integers(100, 400, 3000)
        table = pa.table({"a": fine, "b": fine // 10, "c": fine // 100, "y": rng.gamma(2, 9, 3000)})
        assert set(roles(table).values()) == {"quasi-identifier"}


class TestOneValue:
    def test_a_stratum_that_divides_nothing_is_kept(self):
        found = inspected(surveys.eu_silc())["db020"]
        assert (found.role, found.reason) == ("kept", "the same value in all records")
        assert "Leave it out" in found.note
        settings = covey.inspect(surveys.eu_silc()).settings()
        assert settings.strata == ("db040",)
        assert settings.keep == ("db010", "db020")


def test_short_names():
    rng = np.random.default_rng(0)
    for name in ("hh", "hhnr", "hh_nr"):
        assert roles(pa.table({name: np.repeat(rng.permutation(60), 3)})) == {name: "identifier"}
    for name in ("diag", "diag_code", "DiagCode"):
        assert roles(pa.table({name: ["A10", "B20", "C30"] * 20})) == {name: "confidential"}


class TestWeights:
    def test_all_of_them_are_in_the_settings_and_the_choice_is_asked(self):
        found = covey.inspect(surveys.eu_silc())
        assert found.settings().weight == ("rb050", "db090", "pb040")
        notes = {column.note for column in found.columns if column.role == "weight"}
        assert len(notes) == 1
        assert (
            "Which weight fits your estimates? Means are weighted by the first, rb050"
            in notes.pop()
        )

    def test_one_that_can_be_used_comes_first(self):
        table = surveys.eu_silc().select(["pb040", "rb050", "rb080", "hy010"])
        assert covey.inspect(table).settings().weight == ("rb050", "pb040")

    def test_that_of_persons_where_records_are_persons(self):
        assert covey.inspect(surveys.ipums()).settings().weight[0] == "PERWT"
        households = surveys.eu_silc().drop_columns(["rb030"])
        assert covey.inspect(households).settings().weight[0] == "db090"

    def test_one_alone_needs_no_choice(self):
        found = inspected(surveys.labour_force())["COEFF"]
        assert (found.role, found.note) == ("weight", "")

    def test_one_that_cannot_be_used_is_not_lost(self):
        table = surveys.eu_silc().select(["pb040", "rb080", "hy010"])
        found = inspected(table)["pb040"]
        assert found.role == "quasi-identifier"
        assert "some values are missing or zero" in found.note
        assert (
            "pb040"
            in covey.protect(table, settings=covey.inspect(table).settings()).data.schema.names
        )

    @pytest.mark.parametrize("name", ["body_weight", "birth_weight", "Geburtsgewicht"])
    def test_what_people_weigh(self, name):
        assert roles(pa.table({name: [61.5, 70.25, 61.5, 80.0]})) == {name: "quasi-identifier"}

    def test_negative_numbers_are_no_weights(self):
        assert roles(pa.table({"weight": [-1.5, 2.5, 2.5]})) == {"weight": "quasi-identifier"}


class TestCodes:
    @pytest.mark.parametrize("name", ["rb090", "pl031"])
    def test_whole_number_floats_are_codes(self, name):
        found = inspected(surveys.eu_silc())[name]
        assert (found.kind, found.treatment) == ("integer", "nominal")
        assert "taken as codes (nominal)" in found.note

    def test_codes_come_back_as_codes(self):
        table = surveys.ipums()
        release = covey.protect(table, settings=covey.inspect(table).settings(k=5))
        assert set(release.table["SEX"].to_pylist()) == {1.0, 2.0}
        assert set(release.table["RACE"].to_pylist()) <= set(table["RACE"].to_pylist())

    def test_whole_number_floats_with_many_values_are_whole_numbers(self):
        found = inspected(surveys.ipums())["AGE"]
        assert (found.kind, found.treatment) == ("integer", "")

    @pytest.mark.parametrize("name", ["hsize", "children", "n_rooms", "FAMSIZE", "hours"])
    def test_counts_stay_numbers(self, name):
        found = inspected(pa.table({name: [1, 2, 3, 4] * 10}))[name]
        assert found.treatment == ""
        assert "if these are codes" in found.note

    def test_few_round_amounts_stay_numbers(self):
        assert inspected(pa.table({"x": [0, 100, 200, 500] * 10}))["x"].treatment == ""

    def test_many_codes_that_are_called_so(self):
        rng = np.random.default_rng(3)
        codes = pa.table({"ISCO2D": rng.integers(11, 97, 900), "x": rng.integers(11, 97, 900)})
        assert [column.treatment for column in inspect_table(codes)] == ["nominal", ""]


class TestAmounts:
    """Amounts are not identifiers for being distinct; numbers that were given to records are."""

    N = st.integers(60, 800)
    SEED = st.integers(0, 2**32 - 1)

    @given(
        N, SEED, st.sampled_from([0.5, 0.8, 1.2]), st.sampled_from([1, 10, 100]), st.floats(0, 0.5)
    )
    def test_skewed_amounts(self, n, seed, spread, unit, zeros):
        rng = np.random.default_rng(seed)
        amounts = np.round(np.exp(rng.normal(10.5, spread, n)) / unit) * unit
        amounts[rng.random(n) < zeros] = 0.0
        assert roles(pa.table({"x": amounts, "y": amounts.astype(np.int64)})) == {
            "x": "quasi-identifier", "y": "quasi-identifier",
        }  # fmt: skip

    @given(N, SEED, st.sampled_from(["gamma", "pareto", "exponential"]))
    def test_heavy_tails_without_an_equal_value(self, n, seed, kind):
        rng = np.random.default_rng(seed)
        drawn = {"gamma": rng.gamma(2.0, size=n), "pareto": rng.pareto(1.5, n) + 0.01,
                 "exponential": rng.exponential(size=n)}[kind]  # fmt: skip
        amounts = np.unique(np.round(drawn * 1e9))
        assert roles(pa.table({"x": rng.permutation(amounts)}))["x"] == "quasi-identifier"

    @given(N, SEED, st.integers(0, 10**6), st.sampled_from([1, 10]), st.floats(0.6, 1.0))
    def test_running_numbers(self, n, seed, first, step, answered):
        rng = np.random.default_rng(seed)
        numbers = first + step * np.sort(rng.choice(int(n / answered), n, replace=False))
        table = pa.table({"x": rng.permutation(numbers), "y": numbers.astype(float)})
        assert set(roles(table).values()) == {"identifier"}

    @given(N, st.integers(0, 10**6))
    def test_running_numbers_inside_regions(self, n, first):
        numbers = first + np.concatenate([np.arange(n), 10**7 + np.arange(n)])
        assert roles(pa.table({"x": numbers})) == {"x": "identifier"}

    def test_random_keys(self):
        rng = np.random.default_rng(5)
        tables = [
            pa.table({"x": rng.choice(10**9, n, replace=False)}) for n in (250, 400, 1000) * 20
        ]
        found = [roles(table)["x"] == "identifier" for table in tables]
        assert np.mean(found) > 0.9

    def test_a_name_says_more_than_even_numbers(self):
        even = np.cumsum(np.random.default_rng(6).integers(500, 1500, 300))
        assert roles(pa.table({"income": even}))["income"] == "quasi-identifier"
        assert roles(pa.table({"x": even}))["x"] == "identifier"


class TestStrata:
    def test_small_ones_are_merged_by_the_settings(self):
        table = pa.table({"region": ["a"] * 60 + ["b"] * 60 + ["c"], "x": np.arange(121.0) ** 2})
        settings = covey.inspect(table).settings(k=3)
        assert (settings.strata, settings.small_strata) == (("region",), "merge")
        assert covey.protect(table, settings=settings).merged

    def test_large_ones_are_not(self):
        table = pa.table({"region": ["a", "b"] * 60, "x": np.arange(120.0) ** 2})
        assert covey.inspect(table).settings(k=3).small_strata == "error"

    def test_too_many_when_crossed(self):
        rng = np.random.default_rng(0)
        names = ("country", "region", "district")
        table = pa.table({name: rng.integers(1, 12, 500) for name in names})
        found = inspected(table)
        expected = ["stratum", "quasi-identifier", "quasi-identifier"]
        assert [found[name].role for name in names] == expected
        assert "too few records" in found["region"].note
        assert found["region"].treatment == "nominal"


def test_a_column_that_would_be_refused_is_left_out_and_the_note_says_why():
    text = [str(value) for value in range(20, 38)] * 5 + ["refused"] * 5
    table = pa.table({"age": text, "income": np.arange(95.0) ** 2})
    found = covey.inspect(table)
    assert found.columns[0].role == "not named"
    assert "5 of 95 values are not numeric" in found.columns[0].note
    assert covey.protect(table, settings=found.settings()).table.column_names == ["income"]
