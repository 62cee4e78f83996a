"""What prices of records prove, and the groups that are worth more than they cost."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from math import fsum
from typing import NamedTuple

import numpy as np

from covey.bounds.columns import Groups
from covey.core import price_groups
from covey.threads import thread_count
from covey.types import FloatMatrix, FloatVector, IntVector
from covey.watching import DONE, new_meter, tell_to_stop

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


class Finds(NamedTuple):
    """What a search found: no group led by the i-th record costs less than `lower[i]` ≤ 0."""

    lower: FloatVector
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
    finds = _search(task, prices, order, limit, patience, ask)
    if finds is None:
        return None
    groups = np.where(finds.groups >= 0, order[finds.groups], -1)
    return Proof(bound_from(prices, finds.lower, task), finds.complete, groups)


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


def _search(
    task: Task,
    prices: FloatVector,
    order: IntVector,
    limit: float,
    patience: int,
    ask: Callable[[int], bool],
) -> Finds | None:
    """Search below all leaders, which are records in `order`; None when told to stop."""
    meter = new_meter()

    def work() -> Finds:
        given = task.points[order], prices[order], task.near[order], task.sizes
        found = price_groups(
            *given, limit=limit, patience=patience, kept=KEPT, threads=threads, meter=meter
        )
        return Finds(*found)

    threads = thread_count()
    with ThreadPoolExecutor(1) as pool:
        search = pool.submit(work)
        try:
            while wait([search], INTERVAL).not_done:
                if not ask(int(meter[DONE])):
                    return None
        finally:
            tell_to_stop(meter)
        return search.result()
