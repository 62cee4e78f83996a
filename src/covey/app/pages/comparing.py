"""Compare: several releases on the risk–utility map, and why one is better than another."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING

from nicegui import ui

from covey.app.pages.candidates_table import candidates_table
from covey.app.pages.elements import Part, box, inline, words
from covey.app.pages.failing import show_failure
from covey.app.pages.fields import choice, entry, field, tick
from covey.app.pages.parts import button, head, section
from covey.app.pages.risk_map import risk_map
from covey.app.pages.tried import Tried, tried_of
from covey.app.pages.wording import cannot_be_used, cards, count_of
from covey.app.working import Compare
from covey.release.candidates import label_of

if TYPE_CHECKING:
    from covey.app.pages.frame import Frame
    from covey.release.comparing import Comparison

TOO_SMALL = "a stratum, or a set of records with the same gaps, is too small for it"
FIRST_SIZES = "3, 5, 10"


def page(frame: Frame) -> None:
    opened = frame.workshop.state.opened
    assert opened is not None
    lead = (
        "A release should lose little and risk little. Further left loses less, further down is "
        "safer; what lies on the dashed line is beaten by no other in both."
    )
    head("Compare releases", lead)
    show_failure(frame, "compare", "The comparison could not be made")
    comparison = frame.workshop.runs_compared()
    if comparison is not None:
        all_tried = tried_of(frame.workshop, comparison)
        frame.hears = {"spot": lambda at, _: _open(frame, all_tried[at])}
        _map(comparison, all_tried)
        _left_out(frame)
        _not_tried(frame)
        _why(frame, comparison, all_tried)
        with section("All of them", "From the best score; the score weighs loss and risk alike."):
            candidates_table(frame, comparison, all_tried)
    _try_more(frame, comparison is None)


def _open(frame: Frame, tried: Tried) -> None:
    """Look at a run; what was only tried is held against the best."""
    if tried.run is not None:
        number = tried.run
        if frame.attempt(lambda: frame.workshop.look_at(number)):
            frame.go("look")
    else:
        frame.memory["first"] = tried.number
        frame.show()


# -- the map -----------------------------------------------------------------------------


def _map(comparison: Comparison, all_tried: list[Tried]) -> None:
    names = label_of(comparison.loss), label_of(comparison.risk)
    with section("The risk–utility map"), Part("figure"):
        ui.html(risk_map(all_tried, comparison, *names)).classes("chart map")
        with Part("figcaption"):
            inline(
                "Figures beside the points are k; the ring is the best score. Click a point to "
                "open it; faint ones were tried and not made.",
                "about",
            )


def _left_out(frame: Frame) -> None:
    """What was made of the columns otherwise cannot be held against these."""
    others = sum(frame.workshop.left_out)
    if others:
        are = "is" if others == 1 else "are"
        words(
            f"{count_of(others, 'release')} with other roles or treatment of the columns {are} "
            "left out: loss and risk of these cannot be compared. Find them in the history.",
            "muted small",
        )


def _not_tried(frame: Frame) -> None:
    """What was asked for and could not be made."""
    compared, opened = frame.workshop.comparison, frame.workshop.state.opened
    asked = [job.work for job in frame.workshop.jobs.all if isinstance(job.work, Compare)]
    for work in asked:
        if compared is not None and opened is not None and work.number == compared.number:
            found = {candidate.k for candidate in compared.comparison.candidates}
            lacking = compared.comparison.n_infeasible
            for sentence in not_tried(work.sizes, found, lacking, opened.n_records):
                words(sentence, "muted small not-tried")


def not_tried(
    sizes: Sequence[int], found: Collection[int], lacking: int, n_records: int
) -> list[str]:
    """Which group sizes could not be tried, and why.

    >>> not_tried((3, 500), {3}, 2, 400)
    ['k = 500 could not be tried: the file has only 400 records.']
    """
    large = [f"k = {k}" for k in sizes if k > n_records]
    others = [f"k = {k}" for k in sizes if k <= n_records and k not in found]
    said = []
    if large:
        has = f"the file has only {count_of(n_records, 'record')}"
        said.append(f"{' and '.join(large)} could not be tried: {has}.")
    if others:
        said.append(f"{' and '.join(others)} could not be tried: {TOO_SMALL}.")
    if lacking and not said:
        said.append(f"{count_of(lacking, 'release')} could not be made: too few records for k.")
    return said


# -- why -----------------------------------------------------------------------------------


def _why(frame: Frame, comparison: Comparison, all_tried: list[Tried]) -> None:
    """Two candidates held against each other, in words."""
    if len(all_tried) < 2:
        words("There is only one release yet. Try others below, or protect again.", "muted")
        return
    first, second = _pair(frame, comparison, all_tried)
    names = {str(tried.number): tried.name for tried in all_tried}
    with section("Why is this one better?"), box("panel stack"):
        with box("fields"):
            for key, label, value in (
                ("first", "This one", first),
                ("second", "against", second),
            ):
                with field(label, f"why-{key}"):
                    choice(f"why-{key}", str(value), names, _remember(frame, key))
        pair = all_tried[first].candidate, all_tried[second].candidate
        said = comparison.which_is_better(*pair) if first != second else "Choose two that differ."
        words(said, "says-k", id="why", aria_live="polite")


def _pair(frame: Frame, comparison: Comparison, all_tried: list[Tried]) -> tuple[int, int]:
    """What was asked for, or else the best and the next."""
    ranked = sorted(all_tried, key=lambda tried: tried.candidate.score or 0.0)
    first = frame.memory.get("first", ranked[0].number)
    first = first if first < len(all_tried) else ranked[0].number
    other = next(tried.number for tried in ranked if tried.number != first)
    second = frame.memory.get("second", other)
    return first, second if second < len(all_tried) and second != first else other


def _remember(frame: Frame, key: str) -> Callable[[str], None]:
    def take(number: str) -> None:
        frame.memory[key] = int(number)
        frame.show()

    return take


# -- trying more ---------------------------------------------------------------------------


def _try_more(frame: Frame, is_first: bool) -> None:
    wanted: set[str] = frame.memory.setdefault("techniques", _quick_ones())
    about = "Every technique with every group size is tried with the roles that are settled."
    with section("Try several" if is_first else "Try more", about), box("panel stack"):
        with Part("fieldset", "field plain-set"):
            Part("legend", "legend", "Techniques")
            with box("ticks-list"):
                for card in cards().values():
                    if card.is_joint:
                        reason = cannot_be_used(card, frame.workshop.state.choices)
                        tick(
                            f"try-{card.name}",
                            card.title,
                            card.name in wanted and not reason,
                            _toggle(wanted, card.name),
                            cannot=reason,
                        )
        with box("fields"), field("Group sizes", "try-sizes", "Whole numbers, with commas."):
            entry(
                "try-sizes",
                frame.memory.setdefault("sizes", FIRST_SIZES),
                lambda text: frame.memory.update(sizes=text),
            )
        with box("row"):
            button(
                "Compare",
                lambda: _compare(frame, wanted),
                id="compare",
                look="main-action",
                picture="points",
                enabled=not any(job.kind == "compare" for job in frame.workshop.jobs.active),
            )
            words("Each takes about as long as protecting. You can go on meanwhile.", "muted small")


def _quick_ones() -> set[str]:
    """The techniques that are ticked at first."""
    return {card.name for card in cards().values() if card.is_quick}


def _toggle(wanted: set[str], name: str) -> Callable[[bool], None]:
    return lambda chosen: wanted.add(name) if chosen else wanted.discard(name)


def _compare(frame: Frame, techniques: set[str]) -> None:
    sizes = [part.strip() for part in str(frame.memory["sizes"]).replace(";", ",").split(",")]
    numbers = [int(part) for part in sizes if part.isdecimal()]
    choices = frame.workshop.state.choices
    usable = [
        name
        for name, card in cards().items()
        if name in techniques and not cannot_be_used(card, choices)
    ]
    if len(numbers) != len(sizes) or min(numbers, default=0) < 2:
        frame.say("The group sizes must be whole numbers of at least 2, such as 3, 5, 10.")
    elif not usable:
        frame.say("Choose at least one technique to try.")
    else:
        frame.attempt(lambda: frame.workshop.compare(usable, sorted(set(numbers))))
