"""Tidying up memory while nobody waits.

A page is thousands of small objects that refer to each other. Python looks through all of them for
those that are no longer needed when it sees fit, and everybody waits meanwhile: with many pages for
more than half a second. Here the thorough look waits until nobody has asked for anything.
"""

from __future__ import annotations

import gc
import threading
import time
from collections.abc import Callable

GLANCE = 0.5  # seconds
IDLE = 2.0  # nobody has asked for so long
SELDOM, LATEST = 10.0, 300.0  # between two thorough looks: at least, and at most
NEVER = 1_000_000


def tidy_when_idle(last_asked: Callable[[], float], has_ended: Callable[[], bool]) -> None:
    """Leave thorough looks to a thread; quick ones, at what is new, stay as they are."""
    gc.collect()
    gc.freeze()  # what is there now stays
    quick, middle, _ = gc.get_threshold()
    gc.set_threshold(quick, middle, NEVER)

    def watch() -> None:
        tidied = time.monotonic()
        while not has_ended():
            time.sleep(GLANCE)
            now = time.monotonic()
            if is_due(now - tidied, now - last_asked()):
                gc.collect()
                tidied = time.monotonic()

    threading.Thread(target=watch, name="tidying", daemon=True).start()


def is_due(since_tidied: float, since_asked: float) -> bool:
    """Whether it is time for a thorough look."""
    return since_tidied > LATEST or (since_tidied > SELDOM and since_asked > IDLE)
