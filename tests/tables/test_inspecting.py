"""The first guess at roles, and what is pointed out."""

from __future__ import annotations

import datetime as dt

import numpy as np
import pyarrow as pa
import pytest

import covey
from covey.tables.inspecting import inspect_table


def inspected(column, name="x"):
    return inspect_table(pa.table({name: column}))[0]


PLAIN = [1.5, 2.5, 1.5, 2.5]


class TestRoles:
    @pytest.mark.parametrize(
        "name", ["person_id", "ID", "personId", "e-mail", "SSN", "phone", "uuid", "passport.no"]
    )
    def test_names_of_identifiers(self, name):
        assert inspected(PLAIN, name).role == "identifier"

    @pytest.mark.parametrize("name", ["idea", "paid", "width", "hotel", "grid"])
    def test_names_that_only_contain_one(self, name):
        assert inspected(PLAIN, name).role == "quasi-identifier"

    def test_text_or_whole_numbers_that_all_differ(self):
        assert inspected(["a", "b", "c"]).reason == "no two values are equal"
        assert inspected(list(range(60))).role == "identifier"

    def test_measurements_may_all_differ(self):
        assert inspected([1.5, 2.5, 3.5]).role == "quasi-identifier"

    def test_names_of_persons(self):
        assert inspected(["a", "a", "b"], "surname").role == "identifier"

    @pytest.mark.parametrize("name", ["weight", "wgt1", "survey_weight"])
    def test_weights(self, name):
        assert inspected(PLAIN, name).role == "weight"

    def test_text_is_no_weight(self):
        assert inspected(["a", "a", "b", "b"], "weight").role != "weight"

    def test_strata(self):
        assert inspected(["n", "s"] * 4, "region").role == "stratum"

    def test_a_region_with_many_values_is_no_stratum(self):
        assert inspected([float(v % 60) for v in range(120)], "region").role != "stratum"

    def test_confidential(self):
        assert inspected(["a", "b"] * 4, "diagnosis").role == "confidential"

    def test_an_empty_column(self):
        found = inspected(pa.nulls(4))
        assert (found.role, found.reason, found.missing) == ("not named", "no values", 4)

    def test_a_column_of_nan_is_empty_too(self):
        found = inspected(pa.array([np.nan] * 4, from_pandas=False))
        assert (found.role, found.reason, found.missing) == ("not named", "no values", 4)

    def test_text_with_many_values(self):
        words = [f"w{v}" for v in range(5)] + ["w0"]
        assert inspected(words).reason == "text with too many different values"

    @pytest.mark.parametrize(
        "column",
        [
            pa.array([np.inf, 1.0, 1.0]),
            pa.array([1, 1, 2], pa.duration("s")),
            pa.array([b"a", b"a", b"b"]),
            pa.array([[1], [1], [2]]),
            pa.array([{"a": 1}, {"a": 1}, None]),
        ],
        ids=lambda column: str(column.type)[:8],
    )
    def test_kinds_that_cannot_be_grouped(self, column):
        found = inspected(column)
        assert found.kind == "cannot be grouped"
        assert found.role != "quasi-identifier"


class TestFacts:
    def test_missing_and_distinct(self):
        found = inspected(pa.array([1.5, None, 1.5, 2.5]))
        assert (found.kind, found.missing, found.distinct) == ("number", 1, 2)

    def test_nan_is_missing_and_no_value(self):
        found = inspected(pa.array([1.5, np.nan, 1.5, 2.5], from_pandas=False))
        assert (found.missing, found.distinct) == (1, 2)

    def test_kinds(self):
        table = pa.table(
            {
                "a": [1, 1],
                "b": [1.5, 1.5],
                "c": ["u", "u"],
                "d": [dt.date(2020, 1, 1)] * 2,
                "e": [True, True],
            }
        )
        kinds = [column.kind for column in inspect_table(table)]
        assert kinds == ["integer", "number", "nominal", "date", "nominal"]


class TestNotes:
    def test_a_code_for_missing(self):
        assert "looks like a code" in inspected([-999.0, -999.0, 1.5, 2.5]).note

    @pytest.mark.parametrize("values", [[-999.0, 1.5], [-3.0, -3.0, 1.5], [-9.0, -9.0, -2.5, 1.0]])
    def test_numbers_that_are_none(self, values):
        assert "code" not in inspected(values).note

    def test_few_whole_numbers_may_be_codes(self):
        note = inspected([1, 2, 3, 1, 2, 3]).note
        assert "name it as nominal" in note
        assert "list them from low to high as ordinal" in note

    def test_codes_with_an_order_are_to_be_listed(self):
        found = inspected([0, 100, 200, 344, 500] * 20, "pe041")
        assert found.treatment == "nominal"
        assert "list them from low to high as ordinal" in found.note
        assert "--ordinal 'NAME=low<…<high'" in found.note

    def test_few_words_may_have_an_order(self):
        assert "ordinal" in inspected(["a", "b", "c"] * 3).note


class TestWholeFiles:
    def test_the_survey(self):
        found = covey.inspect(covey.datasets.make_survey(400))
        roles = {column.name: column.role for column in found.columns}
        assert roles["person_id"] == "identifier"
        assert roles["region"] == "stratum"
        assert roles["weight"] == "weight"
        assert roles["age"] == roles["sex"] == roles["gross_income"] == "quasi-identifier"

    def test_guesses_as_settings_make_a_release(self):
        survey = covey.datasets.make_survey(400)
        release = covey.protect(survey, settings=covey.inspect(survey).settings(k=5))
        assert release.achieved_k >= 5
        assert "person_id" not in release.table.column_names

    def test_nothing_is_applied(self):
        survey = covey.datasets.make_survey(400).select(["age", "weight"])
        covey.inspect(survey)
        assert covey.protect(survey, 3).roles.quasi_identifiers == ("age", "weight")


def test_protect_warns_of_ids_stored_as_floats_as_statistics_packages_do():
    table = pa.table({"x": np.arange(100.0), "y": np.arange(100.0) ** 2})
    with pytest.warns(covey.errors.DisclosureWarning, match="'x' looks like an identifier"):
        covey.protect(table, 3, "mdav")
    named = pa.table({"db030": np.repeat(np.arange(50.0), 2), "y": np.arange(100.0) ** 2})
    with pytest.warns(covey.errors.DisclosureWarning, match="'db030' looks like an identifier"):
        covey.protect(named, 3, "mdav")
