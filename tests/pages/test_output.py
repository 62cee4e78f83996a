"""Pages are held to what is printed, and no further than they say."""

from __future__ import annotations

import pytest

from . import commands, statements
from .output import is_shown, refreshed

PRINTED = ["loss   15.07", "risk   36.60", "k      5", "done in 3 s"]


@pytest.mark.parametrize(
    "shown",
    [
        PRINTED,
        ["...", "k      5", "…"],
        ["loss   15.07", "...", "done in … s"],
        ["…"],
    ],
)
def test_is_shown(shown):
    assert is_shown(shown, PRINTED)


@pytest.mark.parametrize(
    "shown",
    [
        [],
        PRINTED[:-1],
        PRINTED[1:],
        ["loss   15.08", "..."],
        ["...", "k      5", "loss   15.07", "..."],
        ["loss   15.07", "k      5", "..."],
        ["...", *PRINTED, "another"],
    ],
)
def test_is_not_shown(shown):
    assert not is_shown(shown, PRINTED)


def test_words_without_figures():
    assert is_shown(["loss 9.1", "..."], PRINTED, figures=False)
    assert not is_shown(["gain 15.07", "..."], PRINTED, figures=False)


@pytest.mark.parametrize(
    ("shown", "new"),
    [
        (["loss   1.00", "..."], [PRINTED[0], "..."]),
        (["...", "k      4", "..."], ["...", PRINTED[2], "..."]),
        (["loss   15.07", "k      5", "done in … s"], [*PRINTED[:3], "done in … s"]),
        (["something else"], PRINTED),
        (["...", "risk   1", "k      1", "..."], ["...", *PRINTED[1:3], "..."]),
    ],
)
def test_refreshed(shown, new):
    assert refreshed(shown, PRINTED) == new
    assert is_shown(new, PRINTED)


def test_values_of_statements():
    lines = ["x = 2", "print(x + 1)  # → 3; three", "x  # → 2", "print(x)"]
    found = list(statements.run(lines, {}))
    assert [o.value for o in found] == ["", "3", "2", "2"]
    assert [statements.shown_value(line) for line in lines] == [None, "3", "2", None]
    assert statements.with_value(lines[1], "4") == "print(x + 1)  # → 4; three"


@pytest.mark.parametrize(
    "words",
    [
        "covey protect a.csv --out b.csv --nonsense",
        "covey protekt a.csv",
        "covey tune a.csv",
        "pip install '.[nonsense]'",
        "pip install numpy",
        "python -m benchmarks.nonsense",
        "script/nonsense",
        "script/bench --nonsense",
        "rm file",
    ],
)
def test_what_is_not_there_is_found(words):
    with pytest.raises(AssertionError):
        commands.check(words)


def test_what_is_there_passes():
    commands.check("python -m venv venv && . venv/bin/activate && pip install '.[report,excel]'")
    commands.check("COVEY_DATA=data python -m benchmarks.papers")
    commands.check("covey protect a.csv --k 5 --out b.csv --scheduler tcp://x:1")
    commands.check("script/bench --checks")


def test_invented_options_in_running_text():
    assert commands.invented_options("`covey tune FILE --max-risk 3 --nonsense`") == [
        "covey tune --nonsense"
    ]
    assert commands.invented_options("`covey protect FILE --out FILE -q`, --other") == []
