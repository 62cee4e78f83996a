"""The search tree below one leader: which candidates may still lead to a cheap group.

A group of s records with some members chosen needs r more. As SSE = Σ d²/s over pairs, its
reduced cost is at least that of the chosen ones plus the r least *keys* of the candidates, where

    key = (squared distances to the chosen ones + ½·its r − 1 least to other candidates)/s − price.

Each pair among the r is counted from both ends, half each, and never as more than it is.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from covey.kernels.compiling import kernel
from covey.types import FloatMatrix, FloatVector, IntVector

# Where more candidates are left, the distances among them are not looked at again.
CLOSE_LOOK = 64


class Branches(NamedTuple):
    """Candidates of each level of the search, a row a level: who, distances so far and keys.

    `between` holds the squared distances of all candidates, `near[j, m]` the sum of the m least
    from candidate j to any records; `costs` is the reduced cost of those chosen above a level.
    """

    size: int
    prices: FloatVector
    between: FloatMatrix
    near: FloatMatrix
    who: NDArray[np.int64]
    sums: FloatMatrix
    keys: FloatMatrix
    lengths: IntVector
    places: IntVector
    costs: FloatVector
    least: FloatVector


@kernel
def new_branches(size: int, count: int) -> Branches:
    """Room for a search among `count` candidates for groups of `size`, the leader included."""
    levels = size - 1
    return Branches(
        size,
        np.empty(count),
        np.empty((count, count)),
        np.empty((count, levels)),
        np.empty((levels, count), dtype=np.int64),
        np.empty((levels, count)),
        np.empty((levels, count)),
        np.zeros(levels, dtype=np.int64),
        np.zeros(levels, dtype=np.int64),
        np.empty(levels),
        np.empty(size),
    )


@kernel
def start(branches: Branches, price: float, limit: float) -> None:
    """Only the leader is chosen: everybody is a candidate. `sums[0]` are the distances to it."""
    count = branches.prices.size
    for j in range(count):
        branches.who[0, j] = j
    branches.lengths[0] = count
    branches.costs[0] = -price
    narrow(branches, 0, limit)


@kernel
def descend(branches: Branches, level: int, place: int, limit: float) -> None:
    """Choose the candidate at `place`; those behind it are the candidates of the next level."""
    below = level + 1
    chosen = branches.who[level, place]
    added = branches.sums[level, place] / branches.size - branches.prices[chosen]
    branches.costs[below] = branches.costs[level] + added
    count = 0
    for q in range(place + 1, branches.lengths[level]):
        other = branches.who[level, q]
        branches.who[below, count] = other
        branches.sums[below, count] = branches.sums[level, q] + branches.between[chosen, other]
        count += 1
    branches.lengths[below] = count
    branches.places[below] = 0
    narrow(branches, below, limit)


@kernel
def narrow(branches: Branches, level: int, limit: float) -> None:
    """Leave only candidates that may lead below `limit`, the best first."""
    r = branches.size - 1 - level
    for q in range(branches.lengths[level]):
        _set_key(branches, level, q, branches.near[branches.who[level, q], r - 1])
    before = branches.lengths[level] + 1
    _drop(branches, level, r, limit)
    # Fewer candidates are farther from each other, which may rule out more of them.
    while r > 1 and r <= branches.lengths[level] < min(before, CLOSE_LOOK + 1):
        before = branches.lengths[level]
        for q in range(before):
            _set_key(branches, level, q, _least_between(branches, level, q, r - 1))
        _drop(branches, level, r, limit)
    _sort(branches, level)


@kernel
def least_cost(branches: Branches, level: int) -> float:
    """No group with one of the candidates from the current place on costs less."""
    r = branches.size - 1 - level
    place = branches.places[level]
    if place + r > branches.lengths[level]:
        return np.inf
    total = float(branches.costs[level])
    for q in range(place, place + r):
        total += branches.keys[level, q]
    return total


@kernel
def _set_key(branches: Branches, level: int, place: int, near: float) -> None:
    distance = branches.sums[level, place] + 0.5 * near
    price = branches.prices[branches.who[level, place]]
    branches.keys[level, place] = distance / branches.size - price


@kernel
def _least_between(branches: Branches, level: int, place: int, count: int) -> float:
    """Sum of the `count` least distances from one candidate to the others of its level."""
    least = branches.least
    clear(least, count)
    row = branches.between[branches.who[level, place]]
    for q in range(branches.lengths[level]):
        if q != place:
            insert(least, count, row[branches.who[level, q]])
    return sum_of(least, count)


@kernel
def _drop(branches: Branches, level: int, r: int, limit: float) -> None:
    """Leave the candidates that stay below `limit` together with the r − 1 best."""
    keys, who, sums = branches.keys[level], branches.who[level], branches.sums[level]
    cut = cut_off(keys, branches.lengths[level], r, limit - branches.costs[level], branches.least)
    count = 0
    for q in range(branches.lengths[level]):
        if keys[q] < cut:
            keys[count], who[count], sums[count] = keys[q], who[q], sums[q]
            count += 1
    branches.lengths[level] = count


@kernel
def cut_off(keys: FloatVector, count: int, r: int, room: float, least: FloatVector) -> float:
    """Keys from here on do not fit into `room` together with the r − 1 least; −∞ if none fits."""
    clear(least, r)
    for q in range(count):
        insert(least, r, keys[q])
    cut = room - sum_of(least, r - 1)
    return cut if least[r - 1] < cut else -np.inf


@kernel
def clear(least: FloatVector, count: int) -> None:
    """Nothing is among the `count` least yet."""
    for q in range(count):
        least[q] = np.inf


@kernel
def insert(least: FloatVector, count: int, value: float) -> None:
    """Note `value` if it is among the `count` least so far, which are in order."""
    if value < least[count - 1]:
        place = count - 1
        while place > 0 and least[place - 1] > value:
            least[place] = least[place - 1]
            place -= 1
        least[place] = value


@kernel
def sum_of(values: FloatVector, count: int) -> float:
    """Sum of the first `count` values."""
    total = 0.0
    for q in range(count):
        total += values[q]
    return total


@kernel
def _sort(branches: Branches, level: int) -> None:
    keys, who, sums = branches.keys[level], branches.who[level], branches.sums[level]
    for q in range(1, branches.lengths[level]):
        key, j, total = keys[q], who[q], sums[q]
        place = q
        while place > 0 and keys[place - 1] > key:
            keys[place], who[place] = keys[place - 1], who[place - 1]
            sums[place] = sums[place - 1]
            place -= 1
        keys[place], who[place], sums[place] = key, j, total
