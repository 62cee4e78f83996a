"""The history: every step that was made, to go back to and on from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from markupsafe import Markup

from covey.app.pages.elements import Part, box, drawn, hear, words
from covey.app.pages.parts import button

if TYPE_CHECKING:
    from covey.app.pages.frame import Frame
    from covey.app.steps import Step

_STEP = Markup(
    '<li><button class="past {look}" type="button" id="past-{number}" data-hears="click"{current}>'
    '<span class="place">{number}</span><span>{name}{base}</span></button></li>'
)
_BASE = Markup('<span class="from">from step {}</span>')
_CURRENT = Markup(' aria-current="step"')


def history_panel(frame: Frame) -> None:
    with box("head"):
        with box():
            Part("h2", text="History")
            words("Every step is kept. Click one to go back to it.", "muted small")
        button(
            "",
            lambda: frame.toggle_history(False),
            id="history-close",
            look="round",
            picture="close",
            says="Close the history",
        )
    leading = {step.number for step in frame.workshop.history.path()}
    listed = [
        _step(frame, step, step.number in leading)
        for step in reversed(frame.workshop.history.steps)
    ]
    drawn(Markup("").join(listed), "steps-made", "ol")


def _step(frame: Frame, step: Step, leads_here: bool) -> Markup:
    """A step; those that do not lead to where one is now are set back."""
    hear("click", f"past-{step.number}", lambda _: frame.go_to(step.number))
    elsewhere = step.base is not None and step.base != step.number - 1
    return _STEP.format(
        look="" if leads_here else "aside",
        number=step.number,
        current=_CURRENT if step.number == frame.workshop.history.position else "",
        name=step.name,
        base=_BASE.format(step.base) if elsewhere else "",
    )
