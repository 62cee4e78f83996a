"""Counting work that several threads do together."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

from covey.core import Stopped
from covey.types import IntVector
from covey.watching import DONE, STOP

Result = TypeVar("Result")
INTERVAL = 0.05  # seconds


class Tally:
    """Adds up shares of work and tells them to a meter as records, from `begin` of them on."""

    def __init__(self, meter: IntVector, n_records: int, begin: float = 0.0) -> None:
        self.meter = meter
        self._n_records = n_records
        self._done = begin
        self._left = 1.0 - begin
        self._lock = threading.Lock()

    def add(self, share: float) -> None:
        with self._lock:
            self._done += self._left * share
            self.meter[DONE] = int(self._n_records * min(self._done, 1.0))


def abandoned_when_told(meter: IntVector, work: Callable[[], Result]) -> Result:
    """Do `work`, which cannot be told to stop; when the meter says so, no longer wait for it."""
    results: list[Result] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(work())
        except BaseException as error:
            errors.append(error)

    worker = threading.Thread(target=run, daemon=True)
    worker.start()
    while worker.is_alive():
        if meter[STOP]:
            raise Stopped
        worker.join(INTERVAL)
    if errors:
        raise errors[0]
    return results[0]
