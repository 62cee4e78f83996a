"""How long a search goes on: so many moves, or so many seconds."""

from __future__ import annotations

import time

from covey.threads import thread_count

# Rounds of a search: enough for the seams between parts to move, and for who watches.
FEWEST_ROUNDS = 60
# A round of a small file costs little, and a polish wants many partitions to choose from; a very
# small file has few.
SMALL, ROUNDS_OF_SMALL, FEWEST_OF_ALL = 5_000, 200, 10
# Moves of a part in a round, at most: a fraction of a second.
MOST_MOVES_OF_PART = 400_000
# Moves a second on one core, about; only to plan a search that ends by the clock.
MOVES_PER_SECOND = 3e6


class Budget:
    """Ends after `effort` moves per record or `seconds`, whichever comes first.

    Only a search that ends by its effort can be repeated.

    Parameters
    ----------
    effort : float, optional
        Moves per record.
    seconds : float, optional
        Time from now on. One of the two must be given.
    n_records, n_parts : int
        What is searched.
    """

    def __init__(
        self, effort: float | None, seconds: float | None, n_records: int, n_parts: int
    ) -> None:
        self.n_parts = n_parts
        self._began = time.perf_counter()
        self._seconds = seconds
        self._by_effort = effort is not None
        possible = float("inf") if effort is None else float(effort)
        if seconds is not None:
            speed = MOVES_PER_SECOND * min(thread_count(), n_parts)
            possible = min(possible, seconds * speed / n_records)
        self.expected_effort = possible
        wanted = possible if effort is None else float(effort)
        moves = wanted * n_records / n_parts
        self._rounds = int(max(_fewest_rounds(n_records), moves / MOST_MOVES_OF_PART))
        self.effort_of_round = wanted / self._rounds

    def share_after(self, rounds: int) -> float:
        """Share of all work that is done when so many rounds are."""
        by_effort = rounds / self._rounds if self._by_effort else 0.0
        if self._seconds is None:
            return by_effort
        elapsed = time.perf_counter() - self._began
        each = elapsed / max(rounds - 1, 1)
        by_time = (elapsed + each) / self._seconds if self._seconds > 0 else 1.0
        return min(max(by_effort, by_time), 1.0)


def _fewest_rounds(n_records: int) -> int:
    if n_records > SMALL:
        return FEWEST_ROUNDS
    return min(max(n_records // 4, FEWEST_OF_ALL), ROUNDS_OF_SMALL)
