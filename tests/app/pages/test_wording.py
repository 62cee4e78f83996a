"""What the pages promise, and of whom: as much as holds, and no more."""

from __future__ import annotations

import warnings
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

pytest.importorskip("nicegui", reason="NO NICEGUI, the pages are not read: pip install it")

from covey.app.choices import Choices
from covey.app.jobs import Jobs
from covey.app.pages.comparing import not_tried
from covey.app.pages.failing import still_open
from covey.app.pages.group_size import meaning, small_strata, strata_in_words
from covey.app.pages.jobs_panel import FIRST_RUN, how_far
from covey.app.pages.looking import outside, strata_changed
from covey.app.pages.roles_table import what_is_wrong
from covey.app.pages.wording import cannot_be_used, cards, holds_jointly
from covey.app.results import SeenColumn
from covey.errors import DisclosureWarning
from covey.tables.guess_words import Note, Reason
from covey.techniques import get


def chosen(columns: int = 3, **changes: Any) -> Choices:
    names = [f"x{number}" for number in range(columns)]
    return Choices(
        roles=dict.fromkeys(names, "quasi-identifier"),
        detected=dict.fromkeys(names, "number"),
        **changes,
    )


def seen(name: str, kind: str, **values: Any) -> SeenColumn:
    empty = {"sketch": None, "levels": (), "smallest": None, "distinct": 2}
    return SeenColumn(
        name, kind, 0, role="", reason=Reason.NAME, note=Note(), treatment="", **(empty | values)
    )


@pytest.mark.parametrize(
    ("columns", "technique", "parameters", "joint"),
    [
        (3, "auto", {}, True),
        (3, "mdav", {}, True),
        (3, "individualranking", {}, False),
        (1, "individualranking", {}, True),
        (3, "projected", {}, True),
        (3, "projected", {"block_size": 2}, False),
        (3, "projected", {"block_size": 3}, True),
    ],
)
def test_k_is_promised_for_the_whole_record_only_where_it_holds(
    columns, technique, parameters, joint
):
    choices = chosen(columns, technique=technique, parameters=parameters)
    assert holds_jointly(choices) is joint
    assert ("does not hold for the whole record" in meaning(3, 100, joint)) is not joint


def test_the_technique_agrees():
    """What the page says beforehand is what the technique says afterwards."""
    data = np.random.default_rng(1).random((30, 3))
    for technique, parameters in (
        ("individualranking", {}),
        ("projected", {"block_size": 2}),
        ("projected", {"block_size": 3}),
        ("mdav", {}),
    ):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DisclosureWarning)
            fitted = get(technique)(k=3, **parameters).fit(data)
        said = holds_jointly(chosen(3, technique=technique, parameters=parameters))
        assert said is (fitted.guarantee_ == "joint"), technique


def test_a_technique_of_one_column():
    card = cards()["optimalunivariate"]
    assert cannot_be_used(card, chosen(1)) == ""
    assert "one quasi-identifier; there are 3" in cannot_be_used(card, chosen(3))
    assert not any(
        cannot_be_used(cards()[name], chosen(3)) for name in cards() if name != card.name
    )


def test_what_becomes_of_small_strata():
    sketch = {"edges": None, "levels": ["North", "South"], "counts": [60, 5]}
    region = seen("region", "nominal", sketch=sketch, smallest=5)
    opened: Any = SimpleNamespace(columns=(region,))
    assert small_strata(opened, ("region",), 5) == []
    small = small_strata(opened, ("region",), 6)
    assert small == [("South", 5)]
    assert small_strata(opened, ("region", "sex"), 6) is None
    assert "k holds within each" in strata_in_words("region", "merge", 5, [])
    merged = strata_in_words("region", "merge", 6, small)
    assert "(South: 5) will be put together" in merged
    assert "k holds within each" not in merged
    assert "left out" in strata_in_words("region", "suppress", 6, None)


def test_changed_strata_are_listed():
    changes = [
        {"stratum": "strata of fewer than 6 records", "records": 1, "change": "suppressed"},
    ]
    run: Any = SimpleNamespace(content={"method": {"strata_changes": changes}})
    assert strata_changed(run) == ["1 record (strata of fewer than 6 records): suppressed."]


def test_sizes_that_could_not_be_tried():
    assert not_tried((3, 5), {3, 5}, 0, 400) == []
    assert "only 400 records" in not_tried((3, 500), {3}, 1, 400)[0]
    assert "k = 40 could not be tried: a stratum" in not_tried((3, 40), {3}, 1, 400)[0]
    assert "1 release could not" in not_tried((3, 5), {3, 5}, 1, 400)[0]


def test_one_is_one():
    assert outside(1).startswith("1 record far away from the others is")
    assert outside(2).startswith("2 records far away from the others are")


def test_text_as_numbers_is_marked():
    choices = chosen(1, kinds={"x0": "number"})
    assert "not numeric" in what_is_wrong(seen("x0", "nominal"), choices)
    assert what_is_wrong(seen("x0", "integer"), choices) == ""
    assert what_is_wrong(seen("x0", "nominal"), chosen(1)) == ""


def test_what_is_still_open():
    workshop: Any = SimpleNamespace(state=SimpleNamespace(opened=None))
    assert still_open(workshop) == []
    workshop.state.opened = SimpleNamespace(name="survey.csv")
    assert still_open(workshop) == ["survey.csv is still open."]


def test_the_first_run_takes_longer():
    jobs = Jobs()
    nothing: Any = None
    first, second = (jobs.submit("protect", "Protect", 0, nothing) for _ in range(2))
    for job in (first, second):
        job.start()
        job.move("grouping", 0, 10)
        assert job.started is not None
        job.started -= 10
    assert FIRST_RUN in how_far(first)
    first.move("grouping", 5, 10)
    assert FIRST_RUN not in how_far(first)
    assert FIRST_RUN in how_far(second)
    first.end("done")
    assert FIRST_RUN not in how_far(second)
