"""Measuring a release that lies in a file of its own."""

from __future__ import annotations

import pytest

import covey
from covey.errors import SchemaError
from covey.release.measured_files import measure_tables

AMOUNTS = ["age", "hours", "gross_income", "net_income"]


@pytest.fixture(scope="module")
def survey():
    return covey.datasets.make_survey(150, 4)


def test_the_same_figures_as_the_release_itself(survey):
    columns = [*AMOUNTS, "sex"]
    release = covey.protect(survey.select(columns), 3, "mdav")
    found = measure_tables(survey, release.table)
    assert found.evaluation.il.percent == pytest.approx(release.evaluation.il.percent)
    assert found.evaluation.g_dr == pytest.approx(release.evaluation.g_dr)
    assert found.evaluation.achieved_k.k == release.achieved_k
    assert set(found.left_out) == set(survey.column_names) - set(columns)


def test_a_key_that_cannot_be_one(survey):
    released = survey.drop_columns(["age"])
    with pytest.raises(SchemaError, match="'age' cannot be a key: only in the original"):
        measure_tables(survey, released, keys=["age"])


def test_confidential_columns_are_those_of_the_original(survey):
    release = covey.protect(survey.select(AMOUNTS), 3, "mdav")
    found = measure_tables(survey, release.table, confidential=["sex"])
    assert found.evaluation.l_diversity is not None
    with pytest.raises(SchemaError, match="Did you mean 'sex'"):
        measure_tables(survey, release.table, confidential=["sexx"])
