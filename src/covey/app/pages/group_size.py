"""k: a slider, and what a group size means for the file that is open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nicegui import events

from covey.app.pages.elements import Part, box, inline, words
from covey.app.pages.failing import has_failed
from covey.app.pages.parts import note, section
from covey.app.pages.wording import count_of
from covey.reports.formatting import percent

if TYPE_CHECKING:
    from covey.app.choices import Choices
    from covey.app.pages.frame import Frame
    from covey.app.results import Opened

SMALLEST, ON_THE_SLIDER = 2, 30


def group_size(frame: Frame, opened: Opened) -> None:
    choices = frame.workshop.state.choices
    with section("Group size k", "How many records share their values, at least.", id="k"):
        with box("panel about-k"):
            with box("slider"):
                slider = _input(frame, choices.k, "range")
                number = _input(frame, choices.k, "number")
                with box("ticks", aria_hidden="true"):
                    for end in ("2: less loss", f"{ON_THE_SLIDER}: less risk"):
                        inline(end)
            says = words(meaning(choices.k, opened.n_records), "says-k", id="k-means")
            says.assign(aria_live="polite")
        _strata(frame, opened, choices)

    def show(event: events.GenericEventArguments) -> None:
        k = _read(str(event.args))
        if k is not None:
            says.set_text(meaning(k, opened.n_records))

    for part in (slider, number):
        part.on("input", show, js_handler="(e) => emit(e.target.value)", throttle=0.1)


def _input(frame: Frame, k: int, kind: str) -> Part:
    most = ON_THE_SLIDER if kind == "range" else None
    made = Part("input", id=f"k-{kind}", type=kind, min=SMALLEST, max=most, step=1, value=k)
    made.assign(aria_label="Group size k", aria_describedby="k-means")

    def take(text: str) -> None:
        chosen = _read(text)
        if chosen is None:
            frame.say("k must be a whole number of at least 2.")
        else:
            frame.choose(f"k = {chosen}", k=chosen)

    return made.hear("change", lambda value: take(str(value)))


def _read(text: str) -> int | None:
    return int(text) if text.isdecimal() and int(text) >= SMALLEST else None


def meaning(k: int, n_records: int) -> str:
    """What k does for a file of so many records.

    >>> meaning(4, 100)[:60]
    'Every released record will be equal to at least 3 others. So'
    """
    if k > n_records:
        return f"The file has only {count_of(n_records, 'record')}: too few for one group of {k}."
    return (
        f"Every released record will be equal to at least {count_of(k - 1, 'other')}. Somebody who "
        f"finds the right group has a chance of 1 in {k}, {percent(100 / k, 0)}, to pick the right "
        f"record in it. This file can have {count_of(n_records // k, 'group')} at most."
    )


def _strata(frame: Frame, opened: Opened, choices: Choices) -> None:
    strata = choices.with_role("stratum")
    if not strata:
        return
    names = " and ".join(strata)
    smallest = smallest_stratum(opened, strata)
    fits = smallest is None or choices.k <= smallest[1] or choices.small_strata != "error"
    if smallest is None or fits or has_failed(frame, "protect"):
        words(f"Groups never cross {names}: k holds within each of its values.", "muted small")
        return
    name, records = smallest
    with note("A stratum is smaller than k", "care"):
        words(
            f"{name} of {names} has only {count_of(records, 'record')}. Choose a smaller k, or say "
            "below what shall be done with strata that are too small."
        )


def smallest_stratum(opened: Opened, strata: tuple[str, ...]) -> tuple[str, int] | None:
    """The rarest value of a single stratum and its records, where all values are known."""
    column = next((column for column in opened.columns if column.name in strata), None)
    if len(strata) != 1 or column is None or column.sketch is None:
        return None
    levels = column.sketch["levels"]
    if column.smallest is None or levels is None or len(levels) != column.distinct:
        return None
    records, name = min(zip(column.sketch["counts"], levels, strict=True))
    return name, records
