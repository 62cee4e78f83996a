"""The release is marked among the alternatives of the report, not the winner of the search."""

from __future__ import annotations

from dataclasses import replace

import pytest

import covey
from covey.datasets import make_survey
from covey.release import Comparison
from covey.release.describing import internal_content
from covey.release.describing.alternatives import released_among


@pytest.fixture(scope="module")
def table():
    return make_survey(200, 3).select(["age", "hours", "gross_income"])


@pytest.fixture(scope="module")
def search(table, tmp_path_factory):
    """As a file, which is what `covey report` is given."""
    path = tmp_path_factory.mktemp("search") / "tune.json"
    found = covey.tune(table, 60, k=[5, 7, 9], techniques=["mdav", "iamat"], driving=(2,))
    path.write_text(found.search.to_json())
    return Comparison.read(path)


def alternatives(release, search):
    return internal_content(release, search)["alternatives"]


def marked(shown):
    return [(one["technique"], one["k"]) for one in shown["candidates"] if one["chosen"]]


def test_the_winner_is_marked_if_it_was_released(table, search):
    best = search.chosen
    release = covey.protect(table, best.k, best.technique, parameters=best.parameters)
    shown = alternatives(release, search)
    assert marked(shown) == [(release.technique.__class__.__name__ + (
        "" if best.driving is None else " (tree)"), best.k)]  # fmt: skip
    assert shown["note"] == ""


def test_another_of_the_candidates(table):
    """k=5 was in the summary and k=7 was marked in the table."""
    search = covey.compare(table, k=[5, 7], techniques=["mdav"])
    for k in (5, 7):
        shown = alternatives(covey.protect(table, k, "mdav"), search)
        assert marked(shown) == [("MDAV", k)]


def test_defaults_that_are_given_are_the_same_parameters(table):
    search = covey.compare(table, k=[5], techniques=["mdav"])
    given = {"standardize": "zscore", "seeds": "center"}
    shown = alternatives(covey.protect(table, 5, "mdav", parameters=given), search)
    assert marked(shown) == [("MDAV", 5)]


@pytest.mark.parametrize(
    "asked",
    [
        {"k": 6, "technique": "mdav"},
        {"k": 5, "technique": "vmdav"},
        {"k": 5, "technique": "mdav", "parameters": {"standardize": "range"}},
        {"k": 5, "technique": "mdav", "parameters": {"variables": ["age"]}},
        {"k": 5, "technique": "mdav", "importance": {"age": 3.0}},
        {"k": 5, "technique": "mdav", "quasi_identifiers": ["age", "hours"]},
    ],
    ids=str,
)
def test_a_release_that_was_not_tried(table, asked, tmp_path):
    search = covey.compare(table, k=[5, 7], techniques=["mdav"])
    release = covey.protect(table, **asked)
    shown = alternatives(release, search)
    assert marked(shown) == []
    assert shown["note"].startswith("The release is not among these alternatives")
    release.report(tmp_path / "internal.html", alternatives=search)
    page = (tmp_path / "internal.html").read_text()
    assert shown["note"] in page
    assert "the ring marks the one released" not in page
    assert ">released</td>" not in page


def test_a_risk_that_was_not_measured(table):
    search = covey.tune(table, 100, k=[3, 9], techniques=["mdav"], driving=()).search
    shown = alternatives(covey.protect(table, 9, "mdav"), search)
    assert marked(shown) == []
    assert shown["note"].startswith("The release is mdav k=9. It was tried")


def test_files_of_another_version(table):
    """A technique or a parameter that is not there any more is no match, and no error."""
    search = covey.compare(table, k=[5], techniques=["mdav"])
    old = [c._replace(parameters={"gone": 1}) for c in search.candidates]
    release = covey.protect(table, 5, "mdav")
    assert released_among(release, replace(search, candidates=tuple(old))) is None
