"""Protect: the group size, the technique, and what is done with gaps and small strata."""

from __future__ import annotations

from typing import TYPE_CHECKING

from covey.app.pages.declared_fields import declared_fields
from covey.app.pages.elements import box, words
from covey.app.pages.failing import show_failure
from covey.app.pages.fields import choice, field, tick
from covey.app.pages.group_size import group_size
from covey.app.pages.limits import limits
from covey.app.pages.parts import button, head, note, section
from covey.app.pages.technique_choice import technique_choice
from covey.app.pages.wording import cannot_be_used, card_of, technique_title
from covey.settings.groups import GAPS_AND_STRATA

if TYPE_CHECKING:
    from covey.app.choices import Choices
    from covey.app.jobs import Job
    from covey.app.pages.frame import Frame


def page(frame: Frame) -> None:
    opened = frame.workshop.state.opened
    assert opened is not None
    lead = (
        "Similar records are put into groups of at least k, and every record of a group is given "
        "the values of the group. The larger the groups, the safer, and the more is lost."
    )
    head("Choose how to protect", lead)
    show_failure(frame, "protect", "The file could not be protected")
    group_size(frame, opened)
    technique_choice(frame)
    _gaps_and_strata(frame)
    limits(frame)
    _start(frame)


def _gaps_and_strata(frame: Frame) -> None:
    with section(GAPS_AND_STRATA), box("fields"):
        declared_fields(frame, GAPS_AND_STRATA)
        _weights(frame)


def _weights(frame: Frame) -> None:
    """Which of several weights is used, and whether the original ones are released."""
    choices = frame.workshop.state.choices
    weights = choices.weights()
    if len(weights) > 1:
        with field(
            "Weight for the means",
            "weighted-by",
            "Means are weighted by this one. All weights are released as means of the group.",
        ):
            choice(
                "weighted-by",
                weights[0],
                {name: name for name in choices.with_role("weight")},
                lambda name: frame.choose(f"Means weighted by {name}", weighted_by=name),
            )
    if weights:
        with box("field"):
            tick(
                "keeps-weight",
                "Also release the original weights",
                choices.keeps_weight,
                lambda keeps: frame.choose(
                    f"Original weights: {'released' if keeps else 'not released'}",
                    keeps_weight=keeps,
                ),
            )
            words("Weights can identify people. There will be a warning.", "hint")


def _unusable(choices: Choices) -> str | None:
    """Why the technique cannot group the columns, unless one of them drives it."""
    if len(choices.parameters.get("variables") or ()) == 1:
        return None
    card = card_of(choices.technique)
    reason = cannot_be_used(card, choices)
    return f"{card.title}: {reason} Choose another technique." if reason else None


def _protect(frame: Frame) -> None:
    """Start it; who pressed Enter can stop it with the same key."""
    started: list[Job] = []
    if frame.attempt(lambda: started.append(frame.workshop.protect())):
        frame.focus(f"cancel-{started[0].number}")


def _start(frame: Frame) -> None:
    workshop = frame.workshop
    problem = workshop.problem() or _unusable(workshop.state.choices)
    if problem is not None:
        with note("It cannot be protected like this yet", "care"):
            words(problem, id="problem")
            with box("row"):
                button("Go to Roles", lambda: frame.go("roles"), id="to-roles", look="slim")
    position = workshop.history.position
    started = any(job.kind == "protect" and job.step == position for job in workshop.jobs.active)
    with box("onward"):
        button(
            "Protecting …" if started else "Protect",
            lambda: _protect(frame),
            id="protect",
            look="main-action",
            picture="shield",
            enabled=problem is None and not started,
        )
        choices = workshop.state.choices
        words(
            f"{technique_title(choices.technique)} with k = {choices.k}. Nothing is overwritten: "
            "every run is kept.",
            "words",
        )
