"""Groups that cost less than the prices of their records, or proof that there are none.

Every record has a price. The *reduced cost* of a group is its SSE less the prices of its members.
Records lie in order of falling price, and a group is found from its first member, its leader: the
groups of a partition have different leaders.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from covey.kernels.branching import (
    cut_off,
    descend,
    least_cost,
    new_branches,
    start,
    sum_of,
)
from covey.kernels.compiling import kernel
from covey.kernels.distance import squared_distance
from covey.kernels.metering import Stopped
from covey.types import FloatMatrix, FloatVector, IntVector

# With more candidates than this there is no search, only its bound: distances take memory.
MOST_CANDIDATES = 3000


class Priced(NamedTuple):
    """Records in order of falling price.

    `near[i, m]` is the sum of the m least squared distances from record i to other records.
    """

    points: FloatMatrix
    prices: FloatVector
    near: FloatMatrix


class Finds(NamedTuple):
    """What was found below each leader: the `counts[i]` best groups, the cheapest first.

    Rows of `members` are filled up with −1. No group led by i costs less than `lower[i]` ≤ 0,
    whether the search below it was `complete[i]` or not.
    """

    lower: FloatVector
    complete: NDArray[np.bool_]
    counts: IntVector
    costs: FloatMatrix
    members: NDArray[np.int64]


@kernel
def price_leaders(
    records: Priced,
    sizes: IntVector,
    first: int,
    last: int,
    limit: float,
    patience: int,
    finds: Finds,
    meter: IntVector,
) -> None:
    """Find groups with a reduced cost below `limit` ≥ 0 led by records `first` to `last` − 1.

    A search looks at about `patience` branches; what it leaves out counts with its bound.
    `meter[0]` counts leaders; the search ends when `meter[1]` is set.
    """
    n, points = records.prices.size, records.points
    distances = np.empty(n)
    for leader in range(first, last):
        finds.lower[leader] = 0.0
        finds.counts[leader] = 0
        for j in range(leader + 1, n):
            distances[j] = squared_distance(points, j, points[leader])
        left = patience
        for size in sizes:
            if size <= n - leader:
                left = _price_size(records, leader, size, distances, limit, left, finds, meter)
        if finds.counts[leader] > 0:
            finds.lower[leader] = min(finds.lower[leader], finds.costs[leader, 0])
        finds.complete[leader] = left >= 0
        meter[0] += 1


@kernel
def wanted(finds: Finds, leader: int, limit: float) -> float:
    """Only groups below this are of interest: the limit, or the worst of a full list."""
    count = finds.counts[leader]
    return finds.costs[leader, count - 1] if count == finds.costs.shape[1] else limit


@kernel
def keep(finds: Finds, leader: int, cost: float, group: IntVector) -> None:
    """Put a group in its place among the best of its leader."""
    costs, members = finds.costs[leader], finds.members[leader]
    place = min(finds.counts[leader], costs.size - 1)
    finds.counts[leader] = place + 1
    while place > 0 and costs[place - 1] > cost:
        costs[place] = costs[place - 1]
        for q in range(members.shape[1]):
            members[place, q] = members[place - 1, q]
        place -= 1
    costs[place] = cost
    for q in range(members.shape[1]):
        members[place, q] = group[q] if q < group.size else -1


@kernel
def _price_size(
    records: Priced,
    leader: int,
    size: int,
    distances: FloatVector,
    limit: float,
    left: int,
    finds: Finds,
    meter: IntVector,
) -> int:
    """Find groups of one size; the patience that is left, below zero if it was not enough."""
    n, rest = records.prices.size, size - 1
    keys = np.empty(n - leader - 1)
    for j in range(leader + 1, n):
        distance = distances[j] + 0.5 * records.near[j, rest - 1]
        keys[j - leader - 1] = distance / size - records.prices[j]
    least = np.empty(rest)
    price = records.prices[leader]
    cut = cut_off(keys, keys.size, rest, wanted(finds, leader, limit) + price, least)
    if cut == -np.inf:
        return left
    candidates = _below(keys, cut, leader + 1)
    if candidates.size > MOST_CANDIDATES:
        finds.lower[leader] = min(finds.lower[leader], sum_of(least, rest) - price)
        return -1
    return _search(records, leader, size, distances, candidates, limit, left, finds, meter)


@kernel
def _below(keys: FloatVector, cut: float, first: int) -> IntVector:
    """Numbers, from `first` on, of the keys below a value."""
    who = np.empty(keys.size, dtype=np.int64)
    count = 0
    for j in range(keys.size):
        if keys[j] < cut:
            who[count] = first + j
            count += 1
    return who[:count]


@kernel
def _search(
    records: Priced,
    leader: int,
    size: int,
    distances: FloatVector,
    who: IntVector,
    limit: float,
    left: int,
    finds: Finds,
    meter: IntVector,
) -> int:
    branches, points = new_branches(size, who.size), records.points
    for j in range(who.size):
        branches.prices[j] = records.prices[who[j]]
        branches.sums[0, j] = distances[who[j]]
        for m in range(size - 1):
            branches.near[j, m] = records.near[who[j], m]
        for i in range(j + 1):
            branches.between[i, j] = squared_distance(points, who[i], points[who[j]])
            branches.between[j, i] = branches.between[i, j]
    start(branches, records.prices[leader], wanted(finds, leader, limit))
    group = np.empty(size, dtype=np.int64)
    group[0] = leader
    level = 0
    while level >= 0:
        bound = least_cost(branches, level)
        if bound >= wanted(finds, leader, limit):
            level -= 1
            continue
        if left < 0:
            finds.lower[leader] = min(finds.lower[leader], bound)
            level -= 1
            continue
        if meter[1] != 0:
            raise Stopped("stopped")
        left -= 1
        place = branches.places[level]
        branches.places[level] += 1
        group[level + 1] = who[branches.who[level, place]]
        if level == size - 2:
            keep(finds, leader, bound, group)
        else:
            descend(branches, level, place, wanted(finds, leader, limit))
            level += 1
    return left
