"""What prices of records prove, and the groups that are worth more than they cost."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from math import fsum
from typing import NamedTuple

import numpy as np

from covey.bounds.columns import Groups
from covey.kernels.pricing import Finds, Priced, price_leaders
from covey.threads import thread_count
from covey.types import FloatMatrix, FloatVector, IntVector

PARTS = 128
INTERVAL = 0.1  # seconds
KEPT = 10  # groups kept for each leader


class Task(NamedTuple):
    """What stays the same from round to round."""

    points: FloatMatrix
    near: FloatMatrix
    sizes: IntVector
    k: int


class Proof(NamedTuple):
    """No partition costs less than `bound`. `complete` says that no search was cut short."""

    bound: float
    complete: bool
    groups: Groups


def prove(
    task: Task,
    prices: FloatVector,
    limit: float,
    patience: int,
    ask: Callable[[int], bool],
) -> Proof | None:
    """Search for groups with a reduced cost below `limit`; see `bound_from`.

    `ask` is called now and then with the number of records done, and stops the search (the result
    is None) by saying False.
    """
    order = np.argsort(-prices, kind="stable")
    records = Priced(task.points[order], prices[order], task.near[order])
    finds = _room(prices.size, int(task.sizes[-1]))
    if not _search(records, task.sizes, limit, patience, finds, ask):
        return None
    found = np.arange(KEPT) < finds.counts[:, None]
    groups = finds.members[found]
    groups = np.where(groups >= 0, order[groups], -1)
    bound = bound_from(prices, finds.lower, task)
    return Proof(bound, bool(finds.complete.all()), groups)


def bound_from(prices: FloatVector, lower: FloatVector, task: Task) -> float:
    """A bound on the SSE of every partition.

    SSE = Σ prices + Σ reduced costs of the groups. There are at most n/k groups, their leaders
    differ, and no group led by i has a reduced cost below `lower[i]` ≤ 0: so their sum is no less
    than that of the n/k least of these.
    """
    most_groups = prices.size // task.k
    least = np.partition(lower, most_groups - 1)[:most_groups]
    return fsum(prices) + fsum(least) - allowance(prices, task)


def allowance(prices: FloatVector, task: Task) -> float:
    """What rounding may have added to a bound.

    A reduced cost is a sum of fewer than 4k² + d terms, squares and prices. Where squares exceed
    the prices twice over it is positive, rounded or not; elsewhere its error is below a few times
    the number of terms, times the prices of the members, times the unit of rounding. Over the
    groups of a partition the members' prices add up to all prices.
    """
    terms = task.points.shape[1] + 4 * task.k**2 + 16
    return float(8 * terms * np.finfo(float).eps * np.abs(prices).sum())


def _room(n_records: int, width: int) -> Finds:
    return Finds(
        np.zeros(n_records),
        np.zeros(n_records, dtype=np.bool_),
        np.zeros(n_records, dtype=np.int64),
        np.empty((n_records, KEPT)),
        np.full((n_records, KEPT, width), -1, dtype=np.int64),
    )


def _search(
    records: Priced,
    sizes: IntVector,
    limit: float,
    patience: int,
    finds: Finds,
    ask: Callable[[int], bool],
) -> bool:
    """Search below all leaders, on all cores: each has its own places to write to."""
    n_records = records.prices.size
    meter = np.zeros(2, dtype=np.int64)
    step = -(-n_records // PARTS)

    def work(first: int) -> None:
        last = min(first + step, n_records)
        price_leaders(records, sizes, first, last, limit, patience, finds, meter)

    with ThreadPoolExecutor(thread_count()) as pool:
        waiting = {pool.submit(work, first) for first in range(0, n_records, step)}
        try:
            while waiting and meter[1] == 0:
                done, waiting = wait(waiting, INTERVAL)
                for part in done:
                    part.result()
                if waiting and not ask(int(meter[0])):
                    meter[1] = 1
        finally:
            meter[1] = 1
            for part in waiting:
                part.cancel()
    return not waiting
