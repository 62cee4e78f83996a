"""The history: every step that was made, to go back to and on from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from covey.app.pages.parts import Part, box, button, inline, words

if TYPE_CHECKING:
    from covey.app.pages.frame import Frame
    from covey.app.steps import Step


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
    with Part("ol"):
        for step in reversed(frame.workshop.history.steps):
            with Part("li"):
                _step(frame, step, step.number in leading)


def _step(frame: Frame, step: Step, leads_here: bool) -> None:
    """A step; those that do not lead to where one is now are set back."""
    here = step.number == frame.workshop.history.position
    look = "past" if leads_here else "past aside"
    with Part("button", look, type="button", id=f"past-{step.number}") as made:
        made.assign(aria_current="step" if here else None)
        inline(str(step.number), "place")
        with inline(""):
            inline(step.name)
            if step.base is not None and step.base != step.number - 1:
                inline(f"from step {step.base}", "from")
    made.hear("click", lambda _: frame.go_to(step.number))
