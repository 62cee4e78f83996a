"""Jobs: work that is waiting, going on or done."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from queue import SimpleQueue
from typing import Any, Protocol

from covey.errors import CoveyError
from covey.types import Progress

WAITING, RUNNING, DONE, CANCELLED, FAILED = "waiting", "running", "done", "cancelled", "failed"


class Work(Protocol):
    """Something that can be sent to the worker and done there."""

    def do(self, progress: Progress) -> Any: ...


@dataclass
class Job:
    """A piece of work and how far it is. Pages read it; only `cancel` is for them to call.

    `stage` says in words what is being done, `share` how much of this stage is done (None if it
    cannot be told), `left` the seconds that are left of it (None likewise).
    """

    number: int
    kind: str
    name: str
    work: Work = field(repr=False)
    state: str = WAITING
    stage: str = ""
    share: float | None = None
    left: float | None = None
    message: str = ""
    result: Any = field(default=None, repr=False)
    started: float | None = None
    ended: float | None = None
    wants_cancel: bool = False

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
        """Ask for its end; it takes a moment."""
        if not self.is_over:
            self.wants_cancel = True


class Jobs:
    """A queue of jobs, done one after the other."""

    def __init__(self, changed: Callable[[], None], done: Callable[[Job], None]) -> None:
        self.all: list[Job] = []
        self._changed = changed
        self._done = done
        self._queue: SimpleQueue[Job] = SimpleQueue()
        threading.Thread(target=self._run, daemon=True).start()

    def submit(self, kind: str, name: str, work: Work) -> Job:
        job = Job(len(self.all) + 1, kind, name, work)
        self.all.append(job)
        self._queue.put(job)
        self._changed()
        return job

    @property
    def active(self) -> list[Job]:
        """Those that are waiting or running, in their order."""
        return [job for job in self.all if not job.is_over]

    def _run(self) -> None:  # in this process, until there is a worker
        while True:
            job = self._queue.get()
            job.state, job.started = RUNNING, time.monotonic()

            def progress(stage: str, done: int, total: int, job: Job = job) -> None:
                if job.wants_cancel:
                    raise KeyboardInterrupt
                job.stage, job.share = stage, done / max(total, 1)
                self._changed()

            try:
                job.result = job.work.do(progress)
                job.state = DONE
                self._done(job)
            except CoveyError as error:
                job.state, job.message = FAILED, str(error)
            except KeyboardInterrupt:
                job.state = CANCELLED
            job.ended = time.monotonic()
            self._changed()
