"""The releases that were tried or made, from the best score."""

from __future__ import annotations

from typing import TYPE_CHECKING

from covey.app.pages.elements import Part, box, inline
from covey.app.pages.parts import button
from covey.reports.formatting import figure

if TYPE_CHECKING:
    from covey.app.pages.frame import Frame
    from covey.app.pages.tried import Tried
    from covey.release.comparing import Comparison

HEADS = ("release", "k", "loss", "risk", "score", "", "")


def candidates_table(frame: Frame, comparison: Comparison, all_tried: list[Tried]) -> None:
    region = box("scroll", tabindex="0", role="region", aria_label="Releases that were tried")
    with region, Part("table", "figures"):
        with Part("thead"), Part("tr"):
            for at, text in enumerate(HEADS):
                Part("th", "number" if 0 < at < 5 else "", text, scope="col")
        with Part("tbody"):
            for tried in sorted(all_tried, key=_rank):
                _row(frame, comparison, tried)


def _rank(tried: Tried) -> tuple[bool, float]:
    return tried.candidate.score is None, tried.candidate.score or 0.0


def _row(frame: Frame, comparison: Comparison, tried: Tried) -> None:
    candidate = tried.candidate
    current = tried.run is not None and tried.run == frame.workshop.state.run
    with Part("tr", "chosen-row" if current else "", data_candidate=tried.number):
        with Part("th", scope="row"):
            inline(tried.title)
            inline("tried" if tried.run is None else f"run {tried.run}", "words")
        Part("td", "number", str(candidate.k))
        for value in (candidate.loss, candidate.risk, candidate.score):
            Part("td", "number", figure(value))
        with Part("td"):
            if candidate is comparison.best:
                inline("best score", "tag accent")
            elif candidate in comparison.front:
                inline("on the front", "tag")
        with Part("td", "number"):
            _action(frame, tried, current)


def _action(frame: Frame, tried: Tried, current: bool) -> None:
    candidate = tried.candidate
    if tried.run is not None:
        number = tried.run
        button(
            "Look" if current else "Open",
            lambda: _look(frame, number),
            id=f"open-{tried.number}",
            look="slim",
            says=f"Open {tried.name}",
        )
        return

    def make() -> None:
        words = f"Chosen from the comparison: {tried.name}"
        if frame.attempt(lambda: frame.workshop.make(candidate, frame.place, words)):
            frame.go("protect")

    button("Make it", make, id=f"make-{tried.number}", look="slim", says=f"Make {tried.name}")


def _look(frame: Frame, run: int) -> None:
    if frame.workshop.state.run == run or frame.attempt(lambda: frame.workshop.look_at(run)):
        frame.go("look")
