"""The rail: six steps, where one is, and what has been settled so far."""

from __future__ import annotations

from typing import TYPE_CHECKING

from markupsafe import Markup

from covey.app.looks.icons import drawing
from covey.app.pages import places
from covey.app.pages.elements import Part, box, drawn, hear, icon, inline, words
from covey.app.pages.wording import count_of, technique_title

if TYPE_CHECKING:
    from covey.app.pages.frame import Frame
    from covey.app.workshop import Workshop

THEMES = {"system": "Like the system", "light": "Light", "dark": "Dark"}
PICTURES = {"system": "system", "light": "sun", "dark": "moon"}


_STEP = Markup(
    '<li><button class="step {look}" type="button" id="step-{place}" data-hears="click"{current}>'
    '<span class="mark">{mark}</span><span><span class="name">{name}</span>{about}</span>'
    "</button></li>"
)
_ABOUT = Markup('<span class="about">{}</span>')
_CURRENT = Markup(' aria-current="step"')
_DONE = Markup('<span class="icon" aria-hidden="true">{}</span><span class="unseen">done</span>')


def steps_rail(frame: Frame) -> None:
    _note_a_look(frame)
    with box("brand"):
        icon("covey")
        inline("Covey")
    with Part("nav", aria_label="Steps"):
        listed = [_step(frame, place, number) for number, place in enumerate(places.NAMES, 1)]
        drawn(Markup("").join(listed), "steps", "ol")
    with box("rail-foot"):
        _themes()
        words("Your files stay on this computer. Nothing is sent anywhere.")


def _step(frame: Frame, place: str, number: int) -> Markup:
    here, done = place == frame.place, place in _done(frame.workshop)
    about = _about(frame.workshop, place)
    hear("click", f"step-{place}", lambda _: frame.go(place))
    return _STEP.format(
        look=f"{'here' if here else ''} {'done' if done else ''}",
        place=place,
        current=_CURRENT if here else "",
        mark=_DONE.format(Markup(drawing("check"))) if done and not here else number,
        name=places.NAMES[place],
        about=_ABOUT.format(about) if about else "",
    )


def _done(workshop: Workshop) -> set[str]:
    opened = workshop.state.opened
    done = {"open"} if opened is not None and opened.is_ready else set()
    if workshop.run is not None:
        done |= {"roles", "protect"}
        done |= {"look"} if workshop.run.number in workshop.looked_at else set()
    return done


def _note_a_look(frame: Frame) -> None:
    run = frame.workshop.run
    if frame.place == "look" and run is not None:
        frame.workshop.looked_at.add(run.number)


def _about(workshop: Workshop, place: str) -> str:
    """What is settled at a place, in a few words."""
    state, run = workshop.state, workshop.run
    if state.opened is None or not state.opened.is_ready:
        return ""
    runs = len(workshop.runs_of_file())
    said = {
        "open": state.opened.name,
        "roles": count_of(len(state.choices.with_role("quasi-identifier")), "quasi-identifier"),
        "protect": f"k = {state.choices.k}, {technique_title(state.choices.technique)}",
        "look": "" if run is None else run.name,
        "compare": count_of(runs, "run") if runs else "",
    }
    return said.get(place, "")


def _themes() -> None:
    with box("choice", role="radiogroup", aria_label="Colours of the page"):
        for theme, name in THEMES.items():
            made = Part("button", type="button", role="radio", id=f"theme-{theme}")
            made.assign(data_theme_choice=theme, aria_label=name, data_tip=name)
            with made:
                icon(PICTURES[theme])
