"""Jobs: work that is waiting, going on or done. They are done one after the other."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field
from typing import Any, Protocol

from covey.app.phases import PHASES, Pace, place_of
from covey.progress import Stage
from covey.types import Progress

WAITING, RUNNING, DONE, CANCELLED, FAILED = "waiting", "running", "done", "cancelled", "failed"


class Work(Protocol):
    """Something that can be sent to the worker and done there."""

    def do(self, progress: Progress) -> Any: ...


@dataclass
class Job:
    """A piece of work and how far it is. Pages read it; only `cancel` is for them to call.

    `stage` is what is being done; it is the `phase`-th of `phases` parts. `share` is
    how much of this part is done (None if it cannot be told) and `left` the seconds that are left
    of it (None likewise). `step` is the step of the history it was asked for at. `message` says
    what happened when it did not end well.
    """

    number: int
    kind: str
    name: str
    step: int
    work: Work = field(repr=False)
    queue: Jobs = field(repr=False)
    state: str = WAITING
    stage: Stage | None = None
    phase: int = 0
    share: float | None = None
    left: float | None = None
    message: str = ""
    result: Any = field(default=None, repr=False)
    started: float | None = None
    ended: float | None = None
    wants_cancel: bool = False
    pace: Pace = field(default_factory=Pace, repr=False)

    @property
    def phases(self) -> int:
        return len(PHASES[self.kind])

    @property
    def is_over(self) -> bool:
        return self.state in (DONE, CANCELLED, FAILED)

    @property
    def seconds(self) -> float:
        """How long it has been running, or ran."""
        if self.started is None:
            return 0.0
        return (self.ended or time.monotonic()) - self.started

    def cancel(self) -> None:
        """Ask for its end, which takes a moment if it is running."""
        self.queue.cancel(self)

    def start(self) -> None:
        self.state, self.started = RUNNING, time.monotonic()

    def move(self, stage: str, done: int, total: int) -> None:
        """Note how far it is."""
        place = place_of(self.kind, stage, done, total)
        if place is not None:
            self.stage, self.phase = place.stage, place.number
            self.left = self.pace.left(place)
            self.share = place.share if place.share > 0 else None

    def end(self, state: str, message: str = "", result: Any = None) -> None:
        self.message, self.result, self.ended = message, result, time.monotonic()
        self.left = None
        self.state = state  # last: whoever sees it finds the rest in place


class Jobs:
    """The list of jobs and the queue of those that wait."""

    def __init__(self) -> None:
        self.all: list[Job] = []
        self._news = threading.Condition()
        self._is_open = True

    def submit(self, kind: str, name: str, step: int, work: Work) -> Job:
        """Put work at the end of the queue."""
        with self._news:
            job = Job(len(self.all) + 1, kind, name, step, work, self)
            self.all.append(job)
            self._news.notify()
        return job

    @property
    def active(self) -> list[Job]:
        """Those that are waiting or running, in their order."""
        return [job for job in self.all if not job.is_over]

    def next(self) -> Job | None:
        """Wait for the next job and start it; None when there will be none."""
        with self._news:
            while self._is_open:
                waiting = [job for job in self.all if job.state == WAITING]
                if waiting:
                    waiting[0].start()
                    return waiting[0]
                self._news.wait()
            return None

    def cancel(self, job: Job) -> None:
        """Cancel a job; one that waits is over at once."""
        with self._news:
            if job.is_over:
                return
            job.wants_cancel = True
            if job.state == WAITING:
                job.end(CANCELLED, "Cancelled before it began.")

    def close(self) -> None:
        """Let nobody wait any longer."""
        with self._news:
            self._is_open = False
            self._news.notify_all()
