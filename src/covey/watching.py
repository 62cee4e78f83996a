"""Watching long work from a second thread, and telling how far it is."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from covey.types import IntVector, Progress

INTERVAL = 0.2  # seconds


@contextmanager
def watched(meter: IntVector, progress: Progress | None, done: int, total: int) -> Iterator[None]:
    """Report `done` plus what `meter` counts, until the block ends.

    Compiled loops write into the meter and let other threads run.
    """
    if progress is None:
        yield
        return
    ended = threading.Event()

    def watch() -> None:
        while not ended.wait(INTERVAL):
            progress("grouping", min(done + int(meter[0]), total), total)

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        ended.set()
        watcher.join()
