"""How far work is, in phases, from what the work reports."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import NamedTuple

from covey.progress import Stage, share_of, stage_of

# Before so much time has passed, or so little is done, nobody can tell how long it takes.
SOONEST, LEAST_SHARE = 1.0, 0.02


class Phase(NamedTuple):
    """A part of a job: the stage that takes its time, and those just before and after it."""

    stage: Stage
    before: tuple[Stage, ...] = ()
    after: tuple[Stage, ...] = ()


PHASES = {
    "open": (Phase(Stage.READING), Phase(Stage.INSPECTING)),
    "protect": (
        Phase(Stage.READING),
        Phase(Stage.GROUPING, (Stage.EMBEDDING,), (Stage.AGGREGATING, Stage.CHECKING)),
        Phase(Stage.MEASURING),
        Phase(Stage.MEASURING_ORIGINAL),
        Phase(Stage.WRITING),
        Phase(Stage.DRAWING),
        Phase(Stage.REPORTING),
    ),
    "compare": (Phase(Stage.COMPARING),),
    "report": (Phase(Stage.REPORTING),),
}


class Place(NamedTuple):
    """Where a job is: the stage of its phase, its number from 1, and the share that is done."""

    stage: Stage
    number: int
    share: float


def place_of(kind: str, text: str, done: int, total: int) -> Place | None:
    """The phase that a stage of the work belongs to; None for one that nobody knows."""
    stage = stage_of(text)
    for number, phase in enumerate(PHASES[kind], 1):
        if stage is phase.stage:
            return Place(phase.stage, number, share_of(text, done, total))
        if stage in phase.before or stage in phase.after:
            return Place(phase.stage, number, float(stage in phase.after))
    return None


@dataclass
class Pace:
    """How fast a phase goes, and so how long it still takes."""

    phase: int = 0
    started: float = field(default_factory=time.monotonic)

    def left(self, place: Place) -> float | None:
        """Seconds until the phase is over; None as long as it cannot be told."""
        now = time.monotonic()
        if place.number != self.phase:
            self.phase, self.started = place.number, now
        passed = now - self.started
        if passed < SOONEST or place.share < LEAST_SHARE:
            return None
        return passed * (1.0 - place.share) / place.share
