"""How much time is left."""

from __future__ import annotations

import time
from math import inf

now = time.monotonic


class Deadline:
    """A point in time, `seconds` from now on; None is never."""

    def __init__(self, seconds: float | None) -> None:
        self._start = now()
        self._seconds = inf if seconds is None else seconds

    @property
    def elapsed(self) -> float:
        return now() - self._start

    @property
    def left(self) -> float:
        return self._seconds - self.elapsed

    @property
    def passed(self) -> bool:
        return self.left <= 0
