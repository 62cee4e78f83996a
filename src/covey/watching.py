"""Watching long work from a second thread: telling how far it is, and stopping it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from covey.progress import Stage
from covey.types import IntVector, Progress

INTERVAL = 0.2  # seconds
# Places of a meter: what loops count, and what tells them to stop.
DONE, STOP = 0, 1
_counting = threading.Lock()


def new_meter() -> IntVector:
    """What a kernel and its watcher share."""
    return np.zeros(2, dtype=np.int64)


def add_done(meter: IntVector, count: int) -> None:
    """Count records of a task that ran beside others."""
    with _counting:
        meter[DONE] += count


def tell_to_stop(meter: IntVector) -> None:
    """End the loops that share `meter`."""
    meter[STOP] = 1


@contextmanager
def watched(meter: IntVector, progress: Progress | None, done: int, total: int) -> Iterator[None]:
    """Report `done` plus what `meter` counts, until the block ends.

    Compiled loops write into the meter and let other threads run. If `progress` raises, the loops
    are told to stop, and what it raised is raised here instead of what they raise.
    """
    meter[:] = 0
    if progress is None:
        yield
        return
    ended = threading.Event()
    raised: list[BaseException] = []

    def watch() -> None:
        while not ended.wait(INTERVAL):
            try:
                progress(Stage.GROUPING, min(done + int(meter[DONE]), total), total)
            except BaseException as error:
                raised.append(error)
                tell_to_stop(meter)
                return

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        ended.set()
        watcher.join()
        if raised:
            raise raised[0]


@contextmanager
def relayed(meter: IntVector, share: float, begin: int = 0) -> Iterator[IntVector]:
    """A meter for work that is a `share` of the work `meter` is for, `begin` of which is done.

    What is counted goes up and the wish to stop comes down, until the block ends.
    """
    inner, ended = new_meter(), threading.Event()

    def relay() -> None:
        while not ended.wait(INTERVAL):
            inner[STOP] = meter[STOP]
            meter[DONE] = begin + int(share * inner[DONE])

    relaying = threading.Thread(target=relay, daemon=True)
    relaying.start()
    try:
        yield inner
    finally:
        ended.set()
        relaying.join()
