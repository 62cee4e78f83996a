"""Groups that cost less than the prices of their records, or proof that there are none.

Every record has a price. The *reduced cost* of a group is its SSE less the prices of its members.
Records lie in order of falling price, and a group is found from its first member, its leader,
so the groups of a partition have different leaders.

A group of s records with some members chosen still needs r more. Written with squared distances
over pairs, SSE = Σ d²/s, its reduced cost is at least that of the chosen ones plus, for the r
best of the candidates, (distances to the chosen ones)/s − price + ½·(the r − 1 least distances
to other candidates)/s. Candidates and branches whose bound is not below what is wanted are left.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from covey.kernels.compiling import kernel
from covey.kernels.metering import Stopped
from covey.types import FloatMatrix, FloatVector, IntVector

# Distances among candidates are looked at again in every branch with at most so many of them.
CLOSE_LOOK = 64


class Prices(NamedTuple):
    """Records in order of falling price.

    `nearest[i, m]` is the sum of the m least squared distances from record i to others.
    """

    points: FloatMatrix
    prices: FloatVector
    nearest: FloatMatrix


class Found(NamedTuple):
    """The best groups of one leader: `count[0]` of them, the cheapest first."""

    costs: FloatVector
    members: IntVector  # one row a group, filled up with -1
    count: IntVector
    limit: float


class Search(NamedTuple):
    """Room for the search below one leader; a row a level, a column a candidate."""

    candidates: IntVector
    distances: FloatMatrix  # between candidates
    lists: IntVector
    sums: FloatMatrix
    keys: FloatMatrix
    lengths: IntVector
    places: IntVector
    costs: FloatVector
    least: FloatVector


@kernel
def price_leaders(
    data: Prices,
    sizes: IntVector,
    first: int,
    last: int,
    patience: int,
    limit: float,
    lower: FloatVector,
    costs: FloatMatrix,
    members: IntVector,
    counts: IntVector,
    meter: IntVector,
) -> int:
    """Search below the leaders `first` to `last`; how many searches ran out of `patience`.

    Afterwards no group led by i has a reduced cost below `lower[i]`, which is at most zero.
    """
    n = data.prices.size
    distances = np.empty(n)
    hurried = 0
    for leader in range(first, last):
        if meter[1] != 0:
            raise Stopped("stopped")
        found = Found(costs[leader], members[leader], counts[leader : leader + 1], limit)
        found.count[0] = 0
        for j in range(leader + 1, n):
            distances[j] = _squared(data.points, leader, j)
        lower[leader] = 0.0
        nodes = patience
        for size in sizes:
            if size <= n - leader:
                nodes, bound = _price_size(data, leader, size, distances, found, nodes)
                lower[leader] = min(lower[leader], bound)
        if found.count[0] > 0:
            lower[leader] = min(lower[leader], found.costs[0])
        if nodes < 0:
            hurried += 1
        meter[0] += 1
    return hurried


@kernel
def _squared(points: FloatMatrix, i: int, j: int) -> float:
    total = 0.0
    for axis in range(points.shape[1]):
        delta = points[i, axis] - points[j, axis]
        total += delta * delta
    return total


@kernel
def wanted(found: Found) -> float:
    """Only groups below this are of interest: the worst of those kept, or zero."""
    full = found.count[0] == found.costs.size
    return found.costs[found.count[0] - 1] if full else found.limit


@kernel
def keep(found: Found, cost: float, group: IntVector, size: int) -> None:
    """Put a group in its place among the best."""
    place = found.count[0]
    if place == found.costs.size:
        place -= 1
    else:
        found.count[0] += 1
    while place > 0 and found.costs[place - 1] > cost:
        found.costs[place] = found.costs[place - 1]
        found.members[place] = found.members[place - 1]
        place -= 1
    found.costs[place] = cost
    found.members[place] = -1
    found.members[place, :size] = group[:size]
    

@kernel
def _price_size(
    data: Prices, leader: int, size: int, distances: FloatVector, found: Found, nodes: int
) -> tuple[int, float]:
    n = data.prices.size
    rest = size - 1
    base = -data.prices[leader]
    limit = wanted(found)
    keys = np.empty(n - leader - 1)
    for j in range(leader + 1, n):
        keys[j - leader - 1] = (
            distances[j] + 0.5 * data.nearest[j, rest - 1]
        ) / size - data.prices[j]
    least = np.empty(rest)
    smallest(keys, keys.size, rest, least)
    cut = limit - base - _sum(least, rest - 1)
    if least[rest - 1] >= cut:
        return nodes, 0.0
    kept = 0
    candidates = np.empty(keys.size, dtype=np.int64)
    for j in range(leader + 1, n):
        if keys[j - leader - 1] < cut:
            candidates[kept] = j
            kept += 1
    return _search(data, leader, size, distances, candidates[:kept], found, nodes)


@kernel
def smallest(values: FloatVector, count: int, wanted_count: int, least: FloatVector) -> None:
    """The `wanted_count` least of the first `count` values, in order; infinity where none is."""
    least[:wanted_count] = np.inf
    for q in range(count):
        value = values[q]
        if value < least[wanted_count - 1]:
            place = wanted_count - 1
            while place > 0 and least[place - 1] > value:
                least[place] = least[place - 1]
                place -= 1
            least[place] = value


@kernel
def _sum(values: FloatVector, count: int) -> float:
    total = 0.0
    for q in range(count):
        total += values[q]
    return total


@kernel
def _search(
    data: Prices,
    leader: int,
    size: int,
    distances: FloatVector,
    candidates: IntVector,
    found: Found,
    nodes: int,
) -> tuple[int, float]:
    c = candidates.size
    between = np.empty((c, c))
    for a in range(c):
        between[a, a] = 0.0
        for b in range(a):
            between[a, b] = between[b, a] = _squared(data.points, candidates[a], candidates[b])
    rest = size - 1
    room = Search(
        candidates,
        between,
        np.empty((rest, c), dtype=np.int64),
        np.empty((rest, c)),
        np.empty((rest, c)),
        np.zeros(rest, dtype=np.int64),
        np.zeros(rest, dtype=np.int64),
        np.empty(rest),
        np.empty(size),
    )
    prices = data.prices[candidates]
    for q in range(c):
        room.lists[0, q] = q
        room.sums[0, q] = distances[candidates[q]]
    room.lengths[0] = c
    room.costs[0] = -data.prices[leader]
    group = np.empty(size, dtype=np.int64)
    group[0] = leader
    lower = 0.0
    narrow(room, 0, rest, size, prices, data.nearest, wanted(found))
    level = 0
    while level >= 0:
        r = rest - level
        place = room.places[level]
        if place + r > room.lengths[level]:
            level -= 1
            continue
        bound = room.costs[level]
        for q in range(place, place + r):
            bound += room.keys[level, q]
        if bound >= wanted(found):
            level -= 1
            continue
        if nodes < 0:
            lower = min(lower, bound)
            level -= 1
            continue
        room.places[level] += 1
        group[level + 1] = candidates[room.lists[level, place]]
        nodes -= 1
        if r == 1:
            keep(found, bound, group, size)
        else:
            descend(room, level, place, size, prices)
            level += 1
            narrow(room, level, r - 1, size, prices, data.nearest, wanted(found))
    return nodes, lower


@kernel
def descend(room: Search, level: int, place: int, size: int, prices: FloatVector) -> None:
    """Choose the candidate at `place`; those behind it are the next level's."""
    chosen = room.lists[level, place]
    room.costs[level + 1] = room.costs[level] + room.sums[level, place] / size - prices[chosen]
    count = 0
    for q in range(place + 1, room.lengths[level]):
        other = room.lists[level, q]
        room.lists[level + 1, count] = other
        room.sums[level + 1, count] = room.sums[level, q] + room.distances[chosen, other]
        count += 1
    room.lengths[level + 1] = count
    room.places[level + 1] = 0


@kernel
def narrow(
    room: Search,
    level: int,
    r: int,
    size: int,
    prices: FloatVector,
    nearest: FloatMatrix,
    limit: float,
) -> None:
    """Leave only candidates that may lead below `limit`, the best first."""
    for q in range(room.lengths[level]):
        j = room.lists[level, q]
        room.keys[level, q] = (
            room.sums[level, q] + 0.5 * nearest[room.candidates[j], r - 1]
        ) / size - prices[j]
    before = room.lengths[level] + 1
    drop(room, level, r, limit)
    while r > 1 and r <= room.lengths[level] < before and room.lengths[level] <= CLOSE_LOOK:
        before = room.lengths[level]
        for q in range(before):
            j = room.lists[level, q]
            near = _least_between(room, level, q, r - 1)
            room.keys[level, q] = (room.sums[level, q] + 0.5 * near) / size - prices[j]
        drop(room, level, r, limit)
    order(room, level)


@kernel
def _least_between(room: Search, level: int, place: int, count: int) -> float:
    """Sum of the `count` least distances from one candidate of a level to the others."""
    least = room.least
    least[:count] = np.inf
    j = room.lists[level, place]
    for q in range(room.lengths[level]):
        value = room.distances[j, room.lists[level, q]]
        if q != place and value < least[count - 1]:
            at = count - 1
            while at > 0 and least[at - 1] > value:
                least[at] = least[at - 1]
                at -= 1
            least[at] = value
    return _sum(least, count)


@kernel
def drop(room: Search, level: int, r: int, limit: float) -> None:
    """Leave the candidates that, with the r − 1 best, stay below `limit`."""
    keys = room.keys[level]
    smallest(keys, room.lengths[level], r, room.least)
    cut = limit - room.costs[level] - _sum(room.least, r - 1)
    count = 0
    if room.least[r - 1] < cut:
        for q in range(room.lengths[level]):
            if keys[q] < cut:
                room.lists[level, count] = room.lists[level, q]
                room.sums[level, count] = room.sums[level, q]
                keys[count] = keys[q]
                count += 1
    room.lengths[level] = count


@kernel
def order(room: Search, level: int) -> None:
    """Sort the candidates of a level by their keys."""
    lists, sums, keys = room.lists[level], room.sums[level], room.keys[level]
    for q in range(1, room.lengths[level]):
        key, total, j = keys[q], sums[q], lists[q]
        at = q
        while at > 0 and keys[at - 1] > key:
            keys[at], sums[at], lists[at] = keys[at - 1], sums[at - 1], lists[at - 1]
            at -= 1
        keys[at], sums[at], lists[at] = key, total, j
