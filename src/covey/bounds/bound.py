"""What is known of the least loss that any partition has."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import floor

import numpy as np
from numpy.typing import NDArray

from covey.types import FloatVector

FINISHED = "column generation, finished"
STOPPED = "column generation, stopped"
DISTANCES = "distances"


def rounded_down(percent: float, digits: int = 4) -> str:
    """What is still true when it is printed."""
    return f"{floor(percent * 10**digits) / 10**digits:.{digits}f}"


@dataclass(frozen=True, eq=False)
class LowerBound:
    """No partition into groups of at least k records loses less than this.

    Attributes
    ----------
    percent : float
        To be compared with IL: 100·`sse` / SST on z-scores.
    sse : float
        The bound on the SSE of z-scores; rounding is allowed for.
    k, n_records : int
        What the bound is about.
    method : str
        "column generation, finished" (the best bound of its kind), "column generation, stopped"
        (a valid but weaker one) or "distances" (from the nearest neighbours alone).
    finished : bool
        Whether the optimum of the linear programme was reached.
    iterations : int
        Rounds of column generation, each a search for groups that are worth more than they cost.
    seconds : float
        Time it took.
    prices : array of float, shape (n_records,)
        Prices of the records that prove the bound.
    groups : array of int, shape (n_groups, 2k − 1)
        Record indices of the groups met on the way, a row each, filled up with −1. Good
        partitions are often made of them.
    """

    percent: float
    sse: float
    k: int
    n_records: int
    method: str
    iterations: int
    seconds: float
    prices: FloatVector = field(repr=False)
    groups: NDArray[np.int64] = field(repr=False)

    @property
    def finished(self) -> bool:
        return self.method == FINISHED

    def __str__(self) -> str:
        rounds = f", {self.iterations} rounds" if self.iterations else ""
        return (
            f"No partition of the {self.n_records} records into groups of at least {self.k} "
            f"has an IL below {rounded_down(self.percent)} % ({self.method}{rounds})."
        )
