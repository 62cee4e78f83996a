"""A few neighbouring groups pooled: pair distances, and moves whose cost is O(1).

The SSE of a group is W/m, where W is the sum of squared distances over its pairs; with T, the sums
of squared distances from each record to each group, moves need no coordinates.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from covey.kernels.compiling import kernel
from covey.kernels.distance import squared_distance
from covey.kernels.moving import Search
from covey.types import FloatMatrix, FloatVector, IntVector

# A gain must exceed this share of the SSE of the pool, or rounding could move records for ever.
LEAST_GAIN = 1e-12
# Records in a pool, unless two groups already have more.
MOST_RECORDS = 64
MOST_GROUPS = 7


class Pool(NamedTuple):
    """Room for a pool: `extent[0]` records in `extent[1]` groups, numbered inside the pool.

    `records` and `groups` say which they are in the search, `squares` the squared distances,
    `homes` the group of each record, `inner` and `ties` are W and T.
    """

    extent: IntVector
    records: IntVector
    groups: IntVector
    squares: FloatMatrix
    homes: IntVector
    sizes: IntVector
    inner: FloatVector
    ties: FloatMatrix


@kernel
def new_pool(k: int) -> Pool:
    """Room for the largest pool there can be."""
    room = max(MOST_RECORDS, 2 * (2 * k - 1))
    most = max(room // k, MOST_GROUPS)
    return Pool(
        np.zeros(2, dtype=np.int64),
        np.zeros(room, dtype=np.int64),
        np.zeros(most, dtype=np.int64),
        np.zeros((room, room)),
        np.zeros(room, dtype=np.int64),
        np.zeros(most, dtype=np.int64),
        np.zeros(most),
        np.zeros((room, most)),
    )


@kernel
def gather(search: Search, part: int, x: int, wanted: int, pool: Pool) -> None:
    """Pool the group of x and up to `wanted` − 1 groups of its neighbours."""
    pool.extent[:] = 0
    _add_group(search, search.labels[x], pool)
    for z in search.neighbours[x]:
        if pool.extent[1] >= wanted:
            break
        g = search.labels[z]
        known = False
        for i in range(pool.extent[1]):
            known = known or pool.groups[i] == g
        room = pool.records.size - pool.extent[0]
        if not known and search.parts[g] == part and search.sizes[g] <= room:
            _add_group(search, g, pool)
    _measure(search, pool)


@kernel
def _add_group(search: Search, g: int, pool: Pool) -> None:
    count, number = pool.extent[0], pool.extent[1]
    pool.groups[number] = g
    for i in range(search.sizes[g]):
        pool.records[count + i] = search.members[g, i]
        pool.homes[count + i] = number
    pool.extent[0] += search.sizes[g]
    pool.extent[1] += 1


@kernel
def _measure(search: Search, pool: Pool) -> None:
    points = search.points
    for i in range(pool.extent[0]):
        x = pool.records[i]
        pool.squares[i, i] = 0.0
        for j in range(i):
            square = squared_distance(points, pool.records[j], points[x])
            pool.squares[i, j] = square
            pool.squares[j, i] = square


@kernel
def settle(pool: Pool, n_groups: int) -> float:
    """Sizes, W and T from the homes, and the SSE. Records at −1 have no home."""
    pool.sizes[:n_groups] = 0
    pool.inner[:n_groups] = 0.0
    pool.ties[: pool.extent[0], :n_groups] = 0.0
    for i in range(pool.extent[0]):
        home = pool.homes[i]
        if home >= 0:
            take_in(pool, i, home)
    return pooled_sse(pool, n_groups)


@kernel
def pooled_sse(pool: Pool, n_groups: int) -> float:
    """SSE of the groups of the pool."""
    total = 0.0
    for c in range(n_groups):
        total += pool.inner[c] / pool.sizes[c]
    return total


@kernel
def take_in(pool: Pool, i: int, c: int) -> None:
    """Record i joins group c."""
    pool.homes[i] = c
    pool.inner[c] += pool.ties[i, c]
    pool.sizes[c] += 1
    for j in range(pool.extent[0]):
        pool.ties[j, c] += pool.squares[i, j]


@kernel
def _let_go(pool: Pool, i: int) -> None:
    c = pool.homes[i]
    pool.inner[c] -= pool.ties[i, c]
    pool.sizes[c] -= 1
    for j in range(pool.extent[0]):
        pool.ties[j, c] -= pool.squares[i, j]


@kernel
def descend(pool: Pool, k: int, n_groups: int) -> None:
    """Relocate and exchange inside the pool while that lowers its SSE."""
    least = LEAST_GAIN * pooled_sse(pool, n_groups)
    improved = True
    while improved:
        improved = False
        for i in range(pool.extent[0]):
            improved = _relocate_one(pool, k, n_groups, i, least) or improved
            improved = _exchange_one(pool, i, least) or improved


@kernel
def _relocate_one(pool: Pool, k: int, n_groups: int, i: int, least: float) -> bool:
    a = pool.homes[i]
    size = pool.sizes[a]
    if size <= k:
        return False
    gain = pool.inner[a] / size - (pool.inner[a] - pool.ties[i, a]) / (size - 1)
    best, best_gain = -1, least
    for b in range(n_groups):
        if b != a and pool.sizes[b] < 2 * k - 1:
            grown = (pool.inner[b] + pool.ties[i, b]) / (pool.sizes[b] + 1)
            net = gain - (grown - pool.inner[b] / pool.sizes[b])
            if net > best_gain:
                best, best_gain = b, net
    if best >= 0:
        _let_go(pool, i)
        take_in(pool, i, best)
    return best >= 0


@kernel
def _exchange_one(pool: Pool, i: int, least: float) -> bool:
    a = pool.homes[i]
    best, best_gain = -1, least
    for j in range(i + 1, pool.extent[0]):
        b = pool.homes[j]
        if b != a:
            apart = pool.squares[i, j]
            lost_a = pool.ties[i, a] - pool.ties[j, a] + apart
            lost_b = pool.ties[j, b] - pool.ties[i, b] + apart
            gain = lost_a / pool.sizes[a] + lost_b / pool.sizes[b]
            if gain > best_gain:
                best, best_gain = j, gain
    if best >= 0:
        b = pool.homes[best]
        _let_go(pool, i)
        _let_go(pool, best)
        take_in(pool, i, b)
        take_in(pool, best, a)
    return best >= 0
