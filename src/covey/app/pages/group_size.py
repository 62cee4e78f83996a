"""k: a slider, and what a group size means for the file that is open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nicegui import events

from covey.app.pages.elements import Part, box, inline, words
from covey.app.pages.failing import has_failed
from covey.app.pages.parts import note, section
from covey.app.pages.wording import count_of, holds_jointly
from covey.reports.formatting import percent

if TYPE_CHECKING:
    from covey.app.choices import Choices
    from covey.app.pages.frame import Frame
    from covey.app.results import Opened

SMALLEST, ON_THE_SLIDER = 2, 30
MOST_NAMED = 4


def group_size(frame: Frame, opened: Opened) -> None:
    choices = frame.workshop.state.choices
    joint = holds_jointly(choices)
    with section("Group size k", "How many records share their values, at least.", id="k"):
        with box("panel about-k"):
            with box("slider"):
                slider = _input(frame, choices.k, "range")
                number = _input(frame, choices.k, "number")
                with box("ticks", aria_hidden="true"):
                    for end in ("2: less loss", f"{ON_THE_SLIDER}: less risk"):
                        inline(end)
                _refused(frame)
            says = words(meaning(choices.k, opened.n_records, joint), "says-k", id="k-means")
            says.assign(aria_live="polite")
        if not joint:
            _per_block(choices.k)
        _strata(frame, opened, choices)

    def show(event: events.GenericEventArguments) -> None:
        k = _read(str(event.args))
        if k is not None:
            says.set_text(meaning(k, opened.n_records, joint))

    for part in (slider, number):
        part.on("input", show, js_handler="(e) => emit(e.target.value)", throttle=0.1)


def _input(frame: Frame, k: int, kind: str) -> Part:
    most = ON_THE_SLIDER if kind == "range" else None
    made = Part("input", id=f"k-{kind}", type=kind, min=SMALLEST, max=most, step=1, value=k)
    made.assign(aria_label="Group size k", aria_describedby="k-means")

    def take(text: str) -> None:
        chosen = _read(text)
        if chosen is None:
            frame.memory["refused k"] = frame.workshop.history.position, not_allowed(text, k)
            frame.show()
        else:
            frame.memory.pop("refused k", None)
            frame.choose(f"k = {chosen}", k=chosen)

    return made.hear("change", lambda value: take(str(value)))


def _read(text: str) -> int | None:
    return int(text) if text.isdecimal() and int(text) >= SMALLEST else None


def not_allowed(text: str, k: int) -> str:
    """
    >>> not_allowed("1", 3)
    'k must be a whole number of at least 2; 1 is not. It is still 3.'
    """
    given = f"; {text} is not" if text.strip() else ""
    return f"k must be a whole number of at least {SMALLEST}{given}. It is still {k}."


def _refused(frame: Frame) -> None:
    """What was typed for k and cannot be, until something is changed."""
    position, said = frame.memory.get("refused k", (None, ""))
    if position == frame.workshop.history.position:
        words(said, "wrong", id="k-wrong", role="alert")


def _per_block(k: int) -> None:
    with note("k holds for each block of columns alone", "care"):
        words(
            f"Whole released records may be unique: somebody who knows values of several blocks "
            f"can find a person among fewer than {k}. Choose a technique with “k for the whole "
            "record” if the columns could be known together.",
            id="per-block",
        )


def meaning(k: int, n_records: int, joint: bool = True) -> str:
    """What k does for a file of so many records; if not `joint`, in each block of columns.

    >>> meaning(4, 100)[:60]
    'Every released record will be equal to at least 3 others. So'
    >>> meaning(4, 100, joint=False)[:60]
    'Inside each block of columns, every released record will be '
    """
    if k > n_records:
        return f"The file has only {count_of(n_records, 'record')}: too few for one group of {k}."
    if not joint:
        return (
            "Inside each block of columns, every released record will be equal to at least "
            f"{count_of(k - 1, 'other')}. This does not hold for the whole record. Each block can "
            f"have {count_of(n_records // k, 'group')} at most."
        )
    return (
        f"Every released record will be equal to at least {count_of(k - 1, 'other')}. Somebody who "
        f"finds the right group has a chance of 1 in {k}, {percent(100 / k, 0)}, to pick the right "
        f"record in it. This file can have {count_of(n_records // k, 'group')} at most."
    )


def _strata(frame: Frame, opened: Opened, choices: Choices) -> None:
    strata = choices.with_role("stratum")
    if not strata:
        return
    names, small = " and ".join(strata), small_strata(opened, strata, choices.k)
    if not small or choices.setting("small_strata") != "error" or has_failed(frame, "protect"):
        said = strata_in_words(names, choices.setting("small_strata"), choices.k, small)
        words(said, "muted small", id="strata-words")
        return
    name, records = small[0]
    with note("A stratum is smaller than k", "care"):
        words(
            f"{name} of {names} has only {count_of(records, 'record')}. Choose a smaller k, or say "
            "below what shall be done with strata that are too small."
        )


WITH_SMALL = {
    "merge": "put together with the most similar one, so that groups may cross {names} there",
    "suppress": "left out: their records are not released",
}


def strata_in_words(names: str, way: str, k: int, small: list[tuple[str, int]] | None) -> str:
    """What becomes of strata; `small` are those of fewer than k records, None if unknown."""
    if way == "error" or small == []:
        return f"Groups never cross {names}: k holds within each of its values."
    which = f"Strata with fewer than {k} records"
    if small:
        which += f" ({', '.join(f'{name}: {records}' for name, records in small[:MOST_NAMED])}"
        which += f" and {len(small) - MOST_NAMED} more)" if len(small) > MOST_NAMED else ")"
    return f"{which} will be {WITH_SMALL[way].format(names=names)}. Other groups do not cross it."


def small_strata(opened: Opened, strata: tuple[str, ...], k: int) -> list[tuple[str, int]] | None:
    """Values of a single stratum with fewer than k records, from the rarest; None if unknown."""
    column = next((column for column in opened.columns if column.name in strata), None)
    if len(strata) != 1 or column is None or column.sketch is None:
        return None
    levels = column.sketch["levels"]
    if column.smallest is None or levels is None or len(levels) != column.distinct:
        return None
    ranked = sorted(zip(column.sketch["counts"], levels, strict=True))
    return [(name, records) for records, name in ranked if records < k]
