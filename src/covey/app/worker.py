"""The worker: a process of its own that does the work, so that the page stays alive.

It is started by the foreman and talks to it over a pipe: work comes in, reports go out.
"""

from __future__ import annotations

import contextlib
import gc
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import time
from importlib import import_module
from multiprocessing.connection import Connection
from pathlib import Path
from queue import SimpleQueue
from typing import Any, NamedTuple

from covey.app.failing import UNEXPECTED, in_plain_words

NICENESS = 10  # the page and whatever else the person is doing come first
REPORT_EVERY = 0.1  # seconds


class Order(NamedTuple):
    """Work to be done, by the number of its job."""

    number: int
    work: Any


class Cancel(NamedTuple):
    """Stop a job; by number, for it may be over already when the wish arrives."""

    number: int


class Moved(NamedTuple):
    """The work is so far."""

    stage: str
    done: int
    total: int


class Finished(NamedTuple):
    result: Any


class Failed(NamedTuple):
    message: str


class Stopped(NamedTuple):
    """The work was cancelled."""


class Cancelled(BaseException):
    """Raised out of the progress callback; nothing in the work may mistake it for an error."""


def run_worker(pipe: Connection, tools: str | None = None) -> None:
    """Do what comes in, one after the other, until the pipe is closed.

    `tools` is a module that is loaded while nobody waits for it.
    """
    _be_a_good_guest()
    if tools is not None:
        import_module(tools)
    orders: SimpleQueue[Order] = SimpleQueue()
    unwanted: set[int] = set()
    threading.Thread(target=_listen, args=(pipe, orders, unwanted), daemon=True).start()
    while True:
        number, work = orders.get()
        report = _packed(_done(work, Reporter(pipe, number, unwanted)))
        try:
            pipe.send_bytes(report)
        except OSError:
            return  # nobody is there any more
        del work, report
        gc.collect()


class Reporter:
    """The progress callback: tells the foreman now and then, and stops the work if he asks."""

    def __init__(self, pipe: Connection, number: int, unwanted: set[int]) -> None:
        self._pipe = pipe
        self._number = number
        self._unwanted = unwanted
        self._stage = ""
        self._told = 0.0

    def __call__(self, stage: str, done: int, total: int) -> None:
        if self._number in self._unwanted:
            raise Cancelled
        now = time.monotonic()
        if stage != self._stage or now - self._told >= REPORT_EVERY:
            self._stage, self._told = stage, now
            self._pipe.send(Moved(stage, int(done), int(total)))


def _done(work: Any, progress: Reporter) -> Finished | Failed | Stopped:
    try:
        return Finished(work.do(progress))
    except Cancelled:
        return Stopped()
    except Exception as error:
        return Failed(in_plain_words(error, work))


def _packed(report: Finished | Failed | Stopped) -> bytes:
    """A report as it travels; a result that cannot travel is a failure of ours."""
    try:
        return pickle.dumps(report)
    except Exception:
        return pickle.dumps(Failed(UNEXPECTED))


def _listen(pipe: Connection, orders: SimpleQueue[Order], unwanted: set[int]) -> None:
    """Pass on what comes in; a wish to cancel is heard while the work is going on."""
    while True:
        try:
            order = pipe.recv()
        except (OSError, EOFError):
            os._exit(0)  # the server is gone: whatever is going on is for nobody
        if isinstance(order, Cancel):
            unwanted.add(order.number)
        else:
            orders.put(order)


def _be_a_good_guest() -> None:
    """Leave signals to the server, yield to everybody, print nothing."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        with contextlib.suppress(OSError):
            os.nice(NICENESS)
    with contextlib.suppress(OSError):  # if memory runs out, this process goes and the page stays
        Path("/proc/self/oom_score_adj").write_text("500")
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
            os.dup2(nowhere, stream.fileno())


def _end_with(parent: Any) -> None:
    parent.join()
    os._exit(0)
