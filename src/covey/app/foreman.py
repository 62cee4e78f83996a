"""The foreman: gives jobs to the worker one by one, and gets a new worker if one dies."""

from __future__ import annotations

import contextlib
import multiprocessing
import threading
import time
from collections.abc import Callable
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess

from covey.app.failing import CRASHED
from covey.app.jobs import CANCELLED, DONE, FAILED, Job, Jobs
from covey.app.worker import Cancel, Failed, Finished, Moved, Order, Stopped, run_worker

PATIENCE = 2.0  # seconds between asking the worker to stop and ending it
GLANCE = 0.1
# Never fork: the server has threads, and a forked worker would have the server's sockets.
SPAWN = multiprocessing.get_context("spawn")


class Foreman:
    """A thread that takes jobs from the queue, and a worker process that does them.

    Parameters
    ----------
    jobs : Jobs
    keep : callable
        Called with a job and its result before the job is marked as done.
    tools : str, optional
        A module that workers load before there is any work.
    """

    def __init__(
        self, jobs: Jobs, keep: Callable[[Job, object], None], tools: str | None = None
    ) -> None:
        self._jobs = jobs
        self._keep = keep
        self._tools = tools
        self._worker: SpawnProcess | None = None
        self._pipe: Connection | None = None
        self._stopping = False
        self._thread = threading.Thread(target=self._work, name="foreman", daemon=True)

    def start(self) -> None:
        """Get a worker, who is then ready when the first job comes, and wait for jobs."""
        self._hire()
        self._thread.start()

    def stop(self) -> None:
        """End the worker, whatever it is doing."""
        self._stopping = True
        self._jobs.close()
        if self._thread.is_alive():
            self._thread.join(timeout=5)
        self._dismiss()

    @property
    def worker_pid(self) -> int | None:
        return None if self._worker is None else self._worker.pid

    def _work(self) -> None:
        while (job := self._jobs.next()) is not None:
            self._give(job)

    def _give(self, job: Job) -> None:
        """Let the worker do a job; whatever happens, it is over afterwards."""
        try:
            if self._worker is None or not self._worker.is_alive():
                self._dismiss()
                self._hire()
            assert self._pipe is not None
            self._pipe.send(Order(job.number, job.work))
            self._follow(job, self._pipe)
        except Exception:  # the pipe broke, or no process could be made: the thread must go on
            self._lost(job)

    def _follow(self, job: Job, pipe: Connection) -> None:
        assert self._worker is not None
        deadline = None
        while not job.is_over:
            if job.wants_cancel and deadline is None:
                pipe.send(Cancel(job.number))
                deadline = time.monotonic() + PATIENCE
            if self._stopping or (deadline is not None and time.monotonic() > deadline):
                self._dismiss()
                self._drop(job)
                if not self._stopping:
                    self._hire()
                return
            wait([pipe, self._worker.sentinel], GLANCE)
            if pipe.poll():
                self._hear(job, pipe.recv())
            elif not self._worker.is_alive():
                raise EOFError

    def _hear(self, job: Job, report: object) -> None:
        if isinstance(report, Moved):
            job.move(*report)
        elif isinstance(report, Finished) and job.wants_cancel:
            self._drop(job)  # the wish came when the last of it was being done
        elif isinstance(report, Finished):
            self._keep(job, report.result)
            job.end(DONE, result=report.result)
        elif isinstance(report, Failed):
            job.end(FAILED, report.message)
        elif isinstance(report, Stopped):
            self._drop(job)

    def _lost(self, job: Job) -> None:
        """The worker died: by a crash, by the system for want of memory, or by somebody."""
        self._dismiss()
        if job.wants_cancel:
            self._drop(job)
        else:
            _clear_away(job)
            job.end(FAILED, CRASHED)
        with contextlib.suppress(OSError):  # the next job will try again
            self._hire()

    def _drop(self, job: Job) -> None:
        _clear_away(job)
        job.end(CANCELLED, "Cancelled.")

    def _hire(self) -> None:
        here, there = SPAWN.Pipe()
        self._worker = SPAWN.Process(target=run_worker, args=(there, self._tools), daemon=True)
        self._worker.start()
        there.close()  # so that the end of the worker is the end of the pipe
        self._pipe = here

    def _dismiss(self) -> None:
        if self._worker is not None:
            self._worker.kill()
            self._worker.join()
            self._worker = None
        if self._pipe is not None:
            self._pipe.close()
            self._pipe = None


def _clear_away(job: Job) -> None:
    """Remove what work has left that nobody will see the end of."""
    clear_away = getattr(job.work, "clear_away", None)
    if clear_away is not None:
        clear_away()
