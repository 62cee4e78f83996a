"""How far work is, in words and as a share, from what the work reports."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import NamedTuple

# Before so much time has passed, or so little is done, nobody can tell how long it takes.
SOONEST, LEAST_SHARE = 1.0, 0.02


class Phase(NamedTuple):
    """A part of a job, in words, and the stages that it goes through, as the work names them."""

    words: str
    stages: tuple[str, ...]


LINKAGE = ("record linkage", "distance linkage", "probabilistic linkage", "outlier linkage")
READING = Phase("Reading the file", ("reading",))
PHASES = {
    "open": (READING, Phase("Looking at the columns", ("looking",))),
    "protect": (
        READING,
        Phase("Grouping the records", ("embedding", "grouping", "aggregating", "checking")),
        Phase("Measuring loss and risk", LINKAGE),
        Phase("Measuring the risk of the original", tuple(f"original: {s}" for s in LINKAGE)),
        Phase("Writing the files", ("writing",)),
        Phase("Drawing the charts", ("drawing",)),
        Phase("Writing the reports", ("reports",)),
    ),
    "compare": (Phase("Trying one release after the other", ("comparing",)),),
    "report": (Phase("Writing the reports", ("reports",)),),
}
# Stages that take no time beside the others of their phase.
BRIEF = ("embedding", "aggregating", "checking")


class Place(NamedTuple):
    """Where a job is: the phase in words, its number from 1, and the share of it that is done."""

    words: str
    number: int
    share: float


def place_of(kind: str, stage: str, done: int, total: int) -> Place | None:
    """The phase that a stage of the work belongs to; None for one that nobody knows."""
    for number, phase in enumerate(PHASES[kind], 1):
        if stage in phase.stages:
            long = [name for name in phase.stages if name not in BRIEF]
            before = sum(name in long for name in phase.stages[: phase.stages.index(stage)])
            inside = done / total if total > 0 and stage in long else 0.0
            share = min((before + inside) / max(len(long), 1), 1.0)
            return Place(phase.words, number, share)
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
