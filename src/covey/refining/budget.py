"""How long a search goes on: so many moves per record, or so many seconds."""

from __future__ import annotations

import time

from covey.threads import thread_count

# Moves a second on one core, about; only to plan a search that ends by the clock.
MOVES_PER_SECOND = 2e7


class Budget:
    """Ends after `effort` moves per record or `seconds`, whichever comes first.

    Only a search that ends by its effort can be repeated: work is counted then, not time.

    Parameters
    ----------
    effort : float, optional
        Moves per record.
    seconds : float, optional
        Time from now on. One of the two must be given.
    n_records : int
        What is searched.
    """

    def __init__(self, effort: float | None, seconds: float | None, n_records: int) -> None:
        self._began = time.perf_counter()
        self._effort = float("inf") if effort is None else float(effort)
        self._seconds = float("inf") if seconds is None else float(seconds)
        self._planned_speed = MOVES_PER_SECOND * thread_count() / n_records
        self._sweeps, self._work, self._done = 0.0, 0.0, 0.0
        self.expected_effort = min(self._effort, self._seconds * self._planned_speed)

    @property
    def share(self) -> float:
        """Share of all that is done."""
        by_effort = self._done / self._effort if self._effort > 0 else 1.0
        by_time = self._elapsed() / self._seconds if self._seconds > 0 else 1.0
        return min(max(by_effort, by_time), 1.0)

    def sweeps_for(self, share: float) -> float:
        """Moves per record that take a share of all."""
        return share * min(self._effort, self._seconds * self._speed())

    def share_of(self, sweeps: float) -> float:
        """Share of all that so many moves per record take."""
        return sweeps / self.sweeps_for(1.0)

    def spend_sweeps(self, sweeps: float, work: float) -> float:
        """So many moves per record were made, and were so much work; returns the share."""
        self._sweeps += sweeps
        self._work += work
        self._done += sweeps
        return self.share

    def spend(self, work: float) -> float:
        """Work of another kind was done: it counts as the moves that would take as long."""
        if self._work > 0.0:
            self._done += work * self._sweeps / self._work
        return self.share

    def _speed(self) -> float:
        """Moves per record and second."""
        return self._sweeps / self._elapsed() if self._sweeps > 0.0 else self._planned_speed

    def _elapsed(self) -> float:
        return time.perf_counter() - self._began
