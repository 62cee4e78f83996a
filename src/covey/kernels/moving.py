"""The state of a search over partitions, and the two elementary moves: relocate and exchange.

With group sums S and sizes m the SSE is a constant minus Σ|S|²/m, so a move costs O(d).
"""

from __future__ import annotations

from typing import Any, NamedTuple

from covey.kernels.compiling import kernel
from covey.types import FloatMatrix, FloatVector, IntVector


class Search(NamedTuple):
    """Records and their groups while a search runs.

    Record x has its nearest records in `neighbours[x]`, nearest first, and `scales[x]` is what
    a temperature of one means to it. Group g has `sizes[g]` records, `members[g, : sizes[g]]`,
    whose sum is `sums[g]`; record x stands at `members[labels[x], places[x]]`. A group belongs to
    the part `parts[g]` of the space; a free one, of size 0, to the part that may found it.
    """

    points: FloatMatrix
    neighbours: Any
    scales: FloatVector
    labels: IntVector
    places: IntVector
    members: IntVector  # a row for each group
    sizes: IntVector
    sums: FloatMatrix
    parts: IntVector


@kernel
def fill_groups(search: Search) -> None:
    """Members, places, sizes and sums from the labels."""
    search.sizes[:] = 0
    search.sums[:] = 0.0
    for x in range(search.labels.size):
        g = search.labels[x]
        search.places[x] = search.sizes[g]
        search.members[g, search.sizes[g]] = x
        search.sizes[g] += 1
        for j in range(search.points.shape[1]):
            search.sums[g, j] += search.points[x, j]


@kernel
def joining_cost(search: Search, x: int, g: int) -> float:
    """By how much the SSE of group g grows when x joins it."""
    size = search.sizes[g]
    return float(_square_from_mean(search, x, g) * size / (size + 1.0))


@kernel
def leaving_gain(search: Search, x: int) -> float:
    """By how much the SSE of the group of x falls when x leaves it."""
    g = search.labels[x]
    size = search.sizes[g]
    return float(_square_from_mean(search, x, g) * size / (size - 1.0))


@kernel
def _square_from_mean(search: Search, x: int, g: int) -> float:
    """Squared distance of x from the mean of group g."""
    share = 1.0 / search.sizes[g]
    total = 0.0
    for j in range(search.points.shape[1]):
        gap = search.points[x, j] - search.sums[g, j] * share
        total += gap * gap
    return total


@kernel
def exchange_cost(search: Search, x: int, y: int) -> float:
    """By how much the SSE grows when x and y change places."""
    a, b = search.labels[x], search.labels[y]
    share_a, share_b = 1.0 / search.sizes[a], 1.0 / search.sizes[b]
    dot, square = 0.0, 0.0
    for j in range(search.points.shape[1]):
        delta = search.points[y, j] - search.points[x, j]
        dot += delta * (search.sums[a, j] * share_a - search.sums[b, j] * share_b)
        square += delta * delta
    return float(-2.0 * dot - square * (share_a + share_b))


@kernel
def relocate(search: Search, x: int, g: int) -> None:
    """Move x into group g, which may be empty."""
    leave(search, x)
    join(search, x, g)


@kernel
def leave(search: Search, x: int) -> None:
    """Take x out of its group."""
    a = search.labels[x]
    size = search.sizes[a] - 1
    last = search.members[a, size]
    search.members[a, search.places[x]] = last
    search.places[last] = search.places[x]
    search.sizes[a] = size
    for j in range(search.points.shape[1]):
        search.sums[a, j] -= search.points[x, j]


@kernel
def join(search: Search, x: int, g: int) -> None:
    """Put x, which is in no group, into group g."""
    size = search.sizes[g]
    search.labels[x] = g
    search.places[x] = size
    search.members[g, size] = x
    search.sizes[g] = size + 1
    for j in range(search.points.shape[1]):
        search.sums[g, j] += search.points[x, j]


@kernel
def exchange(search: Search, x: int, y: int) -> None:
    """Let x and y change places."""
    a, b = search.labels[x], search.labels[y]
    search.labels[x], search.labels[y] = b, a
    search.places[x], search.places[y] = search.places[y], search.places[x]
    search.members[b, search.places[x]] = x
    search.members[a, search.places[y]] = y
    for j in range(search.points.shape[1]):
        delta = search.points[y, j] - search.points[x, j]
        search.sums[a, j] += delta
        search.sums[b, j] -= delta


@kernel
def group_sse(search: Search, g: int) -> float:
    """SSE of one group, from its records: no difference of large numbers."""
    size = search.sizes[g]
    total = 0.0
    for i in range(size):
        x = search.members[g, i]
        for j in range(search.points.shape[1]):
            gap = search.points[x, j] - search.sums[g, j] / size
            total += gap * gap
    return total


@kernel
def total_sse(search: Search) -> float:
    """SSE of all groups."""
    total = 0.0
    for g in range(search.sizes.size):
        if search.sizes[g] > 0:
            total += group_sse(search, g)
    return total
