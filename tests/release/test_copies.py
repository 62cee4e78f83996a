"""Columns released as they are that undo k: copies of quasi-identifiers, values of one unit."""

from __future__ import annotations

import time
import warnings

import numpy as np
import pyarrow as pa
import pytest
from scipy.stats import rankdata

from covey import compare, protect
from covey.errors import DisclosureWarning
from covey.release import copies, numbers_in_text

N = 300


@pytest.fixture(scope="module")
def people():
    rng = np.random.default_rng(4)
    income = np.round(rng.lognormal(9, 1, N), 2)
    region = rng.choice(["north", "south", "east"], N)
    return {
        "age": rng.integers(18, 90, N).astype(float),
        "income": income,
        "region": region,
        "income_with_gaps": np.where(rng.random(N) < 0.2, np.nan, income),
        "noise": rng.normal(size=N),
        "illness": rng.choice(["flu", "cold", "none"], N),
    }


KEYS = ["age", "income", "region"]


def told(table, k=3, **asked):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", DisclosureWarning)
        release = protect(table, k, "mdav", **asked)
    texts = [str(warning.message) for warning in caught]
    assert set(texts) == set(release.provenance.warnings)
    return texts


def copies_of(people, values, role="keep", **asked):
    """Names of the quasi-identifiers that a column is said to be a copy of."""
    columns = {name: people[name] for name in KEYS}
    texts = told(pa.table({**columns, "other": values}), **{role: ["other"]}, **asked)
    found = [text for text in texts if "nearly a copy" in text]
    assert len(found) <= 1
    return [name for name in KEYS if found and f"copy of {name!r}" in found[0]]


class TestCopies:
    @pytest.mark.parametrize("role", ["keep", "confidential"])
    def test_an_unchanged_one(self, people, role):
        assert copies_of(people, people["income"], role) == ["income"]

    def test_another_unit_and_sign(self, people):
        assert copies_of(people, 7.5 - people["income"] / 1000) == ["income"]

    def test_a_little_noise(self, people):
        noise = np.random.default_rng(1).normal(size=N)
        assert copies_of(people, people["age"] + noise) == ["age"]

    def test_the_same_order(self, people):
        assert copies_of(people, np.log(people["income"])) == ["income"]
        assert copies_of(people, np.argsort(np.argsort(people["income"]))) == ["income"]

    def test_with_gaps(self, people):
        assert copies_of(people, people["income_with_gaps"]) == ["income"]

    def test_other_labels(self, people):
        codes = {"north": 3, "south": 1, "east": 2}
        assert copies_of(people, [codes[name] for name in people["region"]]) == ["region"]
        assert copies_of(people, [f"code {codes[name]}" for name in people["region"]]) == ["region"]

    def test_a_finer_category_tells_the_coarser_one(self, people):
        towns = [f"{name} {i % 4}" for i, name in enumerate(people["region"])]
        assert copies_of(people, towns) == ["region"]

    def test_text_of_numbers(self, people):
        assert copies_of(people, [f"{age:.0f} years" for age in people["age"]]) == ["age"]

    def test_kept_weights(self, people):
        columns = {name: people[name] for name in KEYS}
        table = pa.table({**columns, "w": people["income"] / 10})
        assert any("copy of 'income'" in text for text in told(table, weight="w", keep=["w"]))
        assert not any("copy of" in text for text in told(table, weight="w"))

    def test_it_says_what_to_do(self, people):
        table = pa.table({**{name: people[name] for name in KEYS}, "other": people["income"]})
        advice = "Name 'other' as a quasi-identifier too, so that it is averaged, or drop it."
        assert any(text.endswith(advice) for text in told(table, keep=["other"]))

    @pytest.mark.parametrize("name", ["noise", "illness"])
    def test_others_are_none(self, people, name):
        assert copies_of(people, people[name]) == []

    def test_strongly_related_is_no_copy(self, people):
        noise = np.random.default_rng(2).normal(size=N)
        related = people["age"] + 0.3 * people["age"].std() * noise
        assert copies_of(people, related) == []

    def test_nearly_constant_columns(self, people):
        """Whatever stands beside a column that is nearly always the same tells it nearly always."""
        rare = np.where(np.arange(N) < 3, "yes", "no")
        table = pa.table({"x": people["age"], "rare": rare, "illness": people["illness"]})
        assert not any("copy" in text for text in told(table, keep=["illness"]))

    def test_few_records_agree_by_chance(self):
        table = pa.table({"x": [1.0, 2.0, 3.0, 4.0], "y": [10.0, 19.0, 31.0, 42.0]})
        assert not any("copy" in text for text in told(table, 2, confidential=["y"]))

    def test_columns_of_any_type(self, people):
        lists = pa.array([[1, 2]] * N)
        assert copies_of(people, lists) == []


class TestCodesAndOutliers:
    """Codes and far values that two columns share make no copy; those of one hide none."""

    def test_one_shared_outlier(self, people):
        income, other = people["income"].copy(), people["noise"] + 10
        income[0], other[0] = 1e9, 1e6
        assert copies_of({**people, "income": income}, other) == []

    @pytest.mark.parametrize("share", [0.2, 0.6])
    @pytest.mark.parametrize("code", [9_999_999.0, -9_999_999.0])
    def test_shared_codes(self, people, share, code):
        outside = np.arange(N) < share * N
        income = np.where(outside, code, people["income"])
        other = np.where(outside, code, people["noise"])
        assert copies_of({**people, "income": income}, other) == []

    @pytest.mark.parametrize("code", [9_999_999.0, -9.0])
    def test_a_copy_with_codes(self, people, code):
        other = np.where(np.arange(N) % 33 == 0, code, people["income"])
        assert copies_of(people, other) == ["income"]

    @pytest.mark.parametrize(
        "written",
        ["{:.2f}", "{:,.2f}", "EUR {:.0f}", "{:.1f} euros"],
    )
    def test_numbers_as_text(self, people, written):
        assert copies_of(people, [written.format(v) for v in people["income"]]) == ["income"]

    def test_thousands_as_text(self, people):
        other = [f"{v / 1000:.0f} thousand" for v in people["income"]]
        assert copies_of(people, other) == ["income"]

    def test_text_with_few_numbers_is_no_number(self, people):
        other = [f"{v:.0f}" if i % 5 else "none" for i, v in enumerate(people["noise"])]
        assert copies_of(people, other) == []

    @pytest.mark.parametrize(
        ("text", "number"),
        [
            *[("1234.56", 1234.56), ("1,234.56", 1234.56), ("1.234,56", 1234.56)],
            *[("12 345", 12345), ("1,234", 1234), ("0,5", 0.5), ("−3 or 4", -3), ("1.2.3", 123)],
        ],
    )
    def test_the_first_number(self, text, number):
        assert numbers_in_text._first_number(text) == number


class TestTies:
    @pytest.fixture
    def households(self):
        rng = np.random.default_rng(6)
        number = np.sort(rng.integers(0, 120, N))
        return pa.table(
            {
                "household": [f"H{i}" for i in number],
                "age": rng.integers(0, 90, N).astype(float),
                "hours": rng.normal(size=N),
                "household_income": np.round(rng.lognormal(9, 1, 120), 2)[number],
                "rooms": rng.integers(1, 5, 120)[number],
                "wage": np.round(rng.lognormal(9, 1, N)),
            }
        )

    ASKED = {"identifiers": ["household"], "quasi_identifiers": ["age", "hours"]}  # noqa: RUF012

    @pytest.mark.parametrize("role", ["keep", "confidential"])
    def test_a_value_for_each_unit(self, households, role):
        texts = told(households, **self.ASKED, **{role: ["household_income"]})
        assert any("all records of one 'household'" in text and "coarser" in text for text in texts)

    @pytest.mark.parametrize("name", ["rooms", "wage"])
    def test_one_that_many_units_share_or_that_differs_inside(self, households, name):
        texts = told(households, **self.ASKED, confidential=[name])
        assert not any("all records of one" in text for text in texts)

    def test_a_column_that_nobody_named_may_name_units(self, households):
        asked = {"quasi_identifiers": ["age", "hours"], "keep": ["household_income"]}
        assert any("of one 'household'" in text for text in told(households, **asked))

    @pytest.mark.parametrize(
        "arrow_type", [pa.float64(), pa.float32(), pa.decimal128(9, 2)], ids=str
    )
    def test_whole_numbers_with_gaps_may_name_units(self, households, arrow_type):
        number = [int(name.as_py()[1:]) for name in households["household"]]
        number = [None if i % 12 == 0 else one for i, one in enumerate(number)]
        column = pa.array(number, pa.float64()).cast(arrow_type)
        table = households.set_column(0, "household", column)
        texts = told(table, **self.ASKED, keep=["household_income"])
        assert any("of one 'household'" in text for text in texts)

    def test_amounts_name_no_units(self, households):
        half = pa.array([int(name.as_py()[1:]) + 0.5 for name in households["household"]])
        texts = told(households.set_column(0, "household", half), **self.ASKED, keep=["wage"])
        assert not any("of one 'household'" in text for text in texts)

    def test_identifiers_of_single_records_have_no_units(self, people):
        table = pa.table({"id": np.arange(N), "age": people["age"], "income": people["income"]})
        texts = told(table, identifiers=["id"], confidential=["income"])
        assert not any("all records of one" in text for text in texts)


class TestStreamed:
    def test_the_same_warnings(self, people, tmp_path):
        number = np.arange(N) // 3
        table = pa.table(
            {
                **{name: people[name] for name in KEYS},
                "household": number,
                "other": people["income"],
                "tied": np.round(np.random.default_rng(1).lognormal(9, 1, N))[number],
            }
        )
        asked = {"identifiers": ["household"], "keep": ["other"], "confidential": ["tied"]}
        assert len(told(table, **asked)) >= 2
        with pytest.warns(DisclosureWarning) as caught:
            streamed = protect(table, 3, "mdav", out=tmp_path / "out.parquet", **asked)
        assert {str(warning.message) for warning in caught} == set(told(table, **asked))
        assert set(streamed.provenance.warnings) == set(told(table, **asked))

    def test_a_sample_is_said(self, people, tmp_path, monkeypatch):
        monkeypatch.setattr("covey.pipeline.survey.LEAST_SAMPLE", 100)
        table = pa.table({**{name: people[name] for name in KEYS}, "other": people["income"]})
        with pytest.warns(DisclosureWarning, match=r"seen in a sample of \d+ records"):
            protect(table, 3, "mdav", keep=["other"], out=tmp_path / "out.parquet")

    def test_names_in_a_sample(self, people, tmp_path, monkeypatch):
        monkeypatch.setattr("covey.pipeline.survey.LEAST_SAMPLE", 100)
        names = [f"name {chr(97 + i % 26)}{chr(97 + i // 26)}" for i in range(N)]
        table = pa.table({**{name: people[name] for name in KEYS}, "name": names})
        said = r"'name' is released as it is and has \d+ different values in a sample of"
        with pytest.warns(DisclosureWarning, match=said):
            protect(table, 3, "mdav", keep=["name"], out=tmp_path / "out.parquet")

    @pytest.mark.parametrize("other", ["illness", "noise"])
    def test_no_names_in_a_sample(self, people, other, tmp_path, monkeypatch):
        monkeypatch.setattr("covey.pipeline.survey.LEAST_SAMPLE", 100)
        table = pa.table({name: people[name] for name in (*KEYS, other)})
        assert protect(table, 3, "mdav", keep=[other], out=tmp_path / "out.parquet").n_records == N


def test_large_tables_are_looked_at_in_part(people, monkeypatch):
    monkeypatch.setattr(copies, "MOST_RECORDS", 100)
    table = pa.table({**{name: people[name] for name in KEYS}, "other": people["income"]})
    assert any("in a sample of 100 records" in text for text in told(table, keep=["other"]))


def test_looked_for_once_in_a_comparison(people, monkeypatch):
    calls = []
    real = copies._copies
    monkeypatch.setattr(copies, "_copies", lambda prepared: calls.append(1) or real(prepared))
    table = pa.table({**{name: people[name] for name in KEYS}, "other": people["noise"]})
    compare(table, [3, 4, 5], ["mdav"], keep=["other"])
    assert len(calls) == 1


def test_quick_on_wide_tables():
    rng = np.random.default_rng(1)
    columns = {f"c{j}": rng.lognormal(size=100_000) for j in range(20)}
    prepared = _prepared(pa.table(columns), keep=[f"c{j}" for j in range(10)])
    started = time.process_time()
    assert copies._copies(prepared).found == []
    assert time.process_time() - started < 5


def _prepared(table, **asked):
    from covey.release.prepared import open_original, prepare
    from covey.release.settings import Settings

    return prepare(open_original(table), Settings.from_dict({"k": 3, **asked}))


def test_ranks_are_those_of_scipy():
    numbers = np.random.default_rng(0).integers(12, size=50) / 4
    assert np.array_equal(copies._average_ranks(numbers), rankdata(numbers))
