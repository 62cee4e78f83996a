"""Roles: every column has one, and what is left out is said."""

from __future__ import annotations

import pytest

from covey.errors import InvalidParameter, SchemaError
from covey.tables.roles import assign_roles

COLUMNS = ["name", "age", "income", "illness", "region", "weight", "year"]


def test_every_column_named_nowhere_is_a_quasi_identifier():
    roles = assign_roles(COLUMNS, identifiers=["name"], strata=["region"], weight="weight")
    assert roles.quasi_identifiers == ("age", "income", "illness", "year")
    assert roles.dropped == {"name": "identifier"}


def test_with_quasi_identifiers_named_the_rest_is_dropped_and_said():
    roles = assign_roles(COLUMNS, identifiers=["name"], quasi_identifiers=["income", "age"])
    assert roles.quasi_identifiers == ("age", "income"), "in the order of the table"
    assert roles.dropped == {
        "name": "identifier",
        "illness": "not named",
        "region": "not named",
        "weight": "not named",
        "year": "not named",
    }


def test_each_column_says_its_role_in_one_word():
    roles = assign_roles(
        COLUMNS,
        identifiers=["name"],
        quasi_identifiers=["age"],
        confidential=["illness"],
        strata=["region"],
        weight="weight",
        keep=["year"],
    )
    assert {name: roles.of(name) for name in COLUMNS} == {
        "name": "identifier",
        "age": "quasi-identifier",
        "income": "not named",
        "illness": "confidential",
        "region": "stratum",
        "weight": "weight",
        "year": "kept",
    }


def test_a_weight_named_in_keep_is_released_as_it_is():
    roles = assign_roles(COLUMNS, weight="weight", keep=["weight", "year"])
    assert roles.kept_weights == ("weight",)
    assert roles.keep == ("year",)
    assert "weight" not in roles.quasi_identifiers


def test_a_weight_alone_is_not_kept():
    assert assign_roles(COLUMNS, weight="weight").kept_weights == ()


@pytest.mark.parametrize(
    "wrong",
    [
        {"identifiers": 5},
        {"identifiers": [5]},
        {"identifiers": None},
        {"identifiers": {"name"}},
        {"strata": ["region", "region"]},
        {"confidential": [None]},
        {"quasi_identifiers": []},
        {"weight": ["weight", "weight"]},
        {"weight": ["weight", 5]},
        {"weight": 5},
    ],
)
def test_requests_that_could_be_misread(wrong):
    with pytest.raises(InvalidParameter):
        assign_roles(COLUMNS, **wrong)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"identifiers": ["nmae"]}, "Did you mean 'name'"),
        ({"weight": "wieght"}, "Did you mean 'weight'"),
        ({"identifiers": ["age"], "keep": ["age"]}, "'age': identifier or kept, not both"),
        ({"strata": ["weight"], "weight": "weight"}, "'weight': stratum or weight, not both"),
        ({"quasi_identifiers": ["age"], "confidential": ["age"]}, "not both"),
        ({"identifiers": COLUMNS}, "No column is left"),
    ],
)
def test_columns_that_are_not_there_or_have_two_roles(wrong, words):
    with pytest.raises(SchemaError, match=words):
        assign_roles(COLUMNS, **wrong)
