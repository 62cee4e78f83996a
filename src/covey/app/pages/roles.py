"""Roles: what each column is, who could know it, and how it is treated."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from nicegui import ui

from covey.app.pages.elements import Part, box, inline, words
from covey.app.pages.ordering import orders
from covey.app.pages.parts import button, folded, head, note
from covey.app.pages.roles_table import ROLE_NAMES, roles_table, treatments_of
from covey.app.pages.wording import count_of

if TYPE_CHECKING:
    from covey.app.pages.frame import Frame
    from covey.app.results import Opened

MEANINGS = {
    "quasi-identifier": (
        "Somebody could know it about a person from elsewhere. Released as the value of the group: "
        "this is what is protected."
    ),
    "confidential": "What an intruder wants to learn and cannot know before. Released as it is.",
    "identifier": "Names a person or firm by itself. Left out.",
    "stratum": (
        "Groups never cross it: the number of records in each stratum stays exact, and means in it "
        "stay close. Released as it is."
    ),
    "weight": (
        "The survey weight: means are weighted by it. Released as the mean of the group. If there "
        "are several, you choose on the next page which is used."
    ),
    "kept": "Released as it is. Are you sure that nobody can know it?",
    "not named": "Not released.",
}


def page(frame: Frame) -> None:
    opened = frame.workshop.state.opened
    assert opened is not None
    lead = (
        "Every column gets one role. The roles here are guesses: you know your data. When in "
        "doubt, choose quasi-identifier, for then a column is protected."
    )
    head("Settle the roles", lead)
    frame.hears = {
        "role": lambda at, role: _give_role(frame, opened, at, role),
        "treatment": lambda at, kind: _treat(frame, opened, at, kind),
    }
    with Part("section", "section", aria_label="Columns"):
        _tallies(frame)
        with box("scroll", tabindex="0", role="region", aria_label="Columns and their roles"):
            ui.html(str(roles_table(opened, frame.workshop.state.choices)))
    orders(frame, opened)
    with folded("What the roles mean", id="fold-roles", is_open=True):
        _meanings()
    _onward(frame)


def _tallies(frame: Frame) -> None:
    found = Counter(frame.workshop.state.choices.roles.values())
    with Part("ul", "tallies", aria_label="How many columns have which role"):
        for role, name in ROLE_NAMES.items():
            if found[role]:
                with Part("li"):
                    inline("", f"role-dot {role.replace(' ', '-')}", aria_hidden="true")
                    inline(_tally(role, name, found[role]))


def _tally(role: str, name: str, number: int) -> str:
    if role == "kept":
        return f"{number} kept as {'it is' if number == 1 else 'they are'}"
    if role == "not named":
        return f"{number} left out"
    if role == "stratum":
        return f"{number} {'stratum' if number == 1 else 'strata'}"
    return f"{number} confidential" if role == "confidential" else count_of(number, name.lower())


def _meanings() -> None:
    with Part("dl", "meanings"):
        for role, name in ROLE_NAMES.items():
            with box():
                with Part("dt"):
                    inline("", f"role-dot {role.replace(' ', '-')}", aria_hidden="true")
                    inline(name)
                Part("dd", text=MEANINGS[role])


def _onward(frame: Frame) -> None:
    problem = frame.workshop.problem()
    if problem is not None:
        with note("Before you go on", "care"):
            words(problem, id="roles-problem")
    with box("onward"):
        button(
            "Choose how to protect",
            lambda: frame.go("protect"),
            id="onward",
            look="main-action",
            picture="arrow",
        )


def _give_role(frame: Frame, opened: Opened, at: int, role: str) -> None:
    column = opened.columns[at].name
    frame.choose(f"{column}: {ROLE_NAMES[role].lower()}", roles={column: role})


def _treat(frame: Frame, opened: Opened, at: int, kind: str) -> None:
    """Another kind; categories get an order to start from."""
    column = opened.columns[at]
    order = column.levels if kind == "ordinal" and column.levels else None
    as_what = treatments_of(column)[kind].lower()
    frame.choose(
        f"{column.name}: {as_what}", kinds={column.name: kind or None}, orders={column.name: order}
    )
