"""The records that have no group yet, in a kd-tree that shrinks as records leave.

Rows lie in the order of the tree, the live ones of a leaf in front. A tree with a single leaf is
a plain scan: the same code, the same answers (see `covey.kernels.searching`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from covey.kernels.compiling import kernel
from covey.kernels.halving import halved
from covey.types import FloatMatrix, FloatVector, IntVector

# Two nodes a level wait at most while a tree is searched; no tree has more levels.
MOST_LEVELS = 64


class Unassigned(NamedTuple):
    """Live records: `rows[i]` belongs to record `ids[i]`, and record r is in row `places[r]`.

    A record that has left is at −1. Nodes are numbered as in a heap (children of i are 2i + 1 and
    2i + 2). Node i has `counts[i]` live records, those of a leaf from row `starts[i]` on, inside
    the box from `low[i]` to `high[i]`, at squared distances of at most `norms[i]` from the origin.
    `total` is the sum of the live rows, `size` their number, `leaves` the leaf of each row; `stack`
    and `bounds` are room for searches.
    """

    rows: FloatMatrix
    ids: IntVector
    places: IntVector
    leaves: IntVector
    starts: IntVector
    counts: IntVector
    low: FloatMatrix
    high: FloatMatrix
    norms: FloatVector
    total: FloatVector
    size: IntVector
    stack: IntVector
    bounds: FloatVector


@kernel
def squared_distance(rows: FloatMatrix, i: int, point: FloatVector) -> float:
    """The one expression by which all routes compute a distance, so that ties stay ties."""
    total = 0.0
    for j in range(point.shape[0]):
        difference = rows[i, j] - point[j]
        total += difference * difference
    return total


@kernel
def all_unassigned(points: FloatMatrix, leaf: int) -> Unassigned:
    """All records, in leaves of at most `leaf`."""
    n = points.shape[0]
    halves = halved(points, leaf)
    ids, starts, counts = halves.order, halves.starts, halves.ends - halves.starts
    leaves, places = np.zeros(n, dtype=np.int64), np.empty(n, dtype=np.int64)
    rows, room = np.empty_like(points), 2 * MOST_LEVELS
    # Plain loops: indexing with arrays takes seconds to compile.
    for node in range(starts.size // 2, starts.size):
        for i in range(starts[node], halves.ends[node]):
            leaves[i] = node
    for i in range(n):
        places[ids[i]] = i
        for j in range(points.shape[1]):
            rows[i, j] = points[ids[i], j]
    return Unassigned(
        rows, ids, places, leaves, starts, counts, halves.low, halves.high,
        _norms(rows, starts, counts), _sum(points), np.full(1, n, dtype=np.int64),
        np.empty(room, dtype=np.int64), np.empty(room),
    )  # fmt: skip


@kernel
def center(left: Unassigned) -> FloatVector:
    middle: FloatVector = left.total / left.size[0]
    return middle


@kernel
def remove(left: Unassigned, record: int) -> None:
    """Take a record out; the running total of the rest follows, in order of removal."""
    place = left.places[record]
    leaf = left.leaves[place]
    last = left.starts[leaf] + left.counts[leaf] - 1
    moved = left.ids[last]
    for j in range(left.rows.shape[1]):
        value = left.rows[place, j]
        left.total[j] -= value
        left.rows[place, j], left.rows[last, j] = left.rows[last, j], value
    left.ids[place], left.ids[last] = moved, record
    left.places[moved] = place
    left.places[record] = -1
    left.counts[leaf] -= 1
    left.size[0] -= 1
    if left.starts.size > 1:
        _shrink(left, leaf, last)


@kernel
def _shrink(left: Unassigned, leaf: int, gone: int) -> None:
    """Fit the boxes and balls around what is left, as far up as something changes."""
    changed = _on_the_edge(left, leaf, gone)
    if changed:
        end = left.starts[leaf] + left.counts[leaf]
        _surround_rows(left, left.starts[leaf], end, leaf)
    node = leaf
    while node > 0:
        node = (node - 1) // 2
        left.counts[node] -= 1
        if changed:
            changed = _join_children(left, node)


@kernel
def _on_the_edge(left: Unassigned, node: int, row: int) -> bool:
    norm = 0.0
    edge = False
    for j in range(left.rows.shape[1]):
        value = left.rows[row, j]
        norm += value * value
        edge = edge or value == left.low[node, j] or value == left.high[node, j]
    return edge or norm == left.norms[node]


@kernel
def _join_children(left: Unassigned, node: int) -> bool:
    """The box and ball of a node from those of its children; whether they became smaller."""
    first, second = 2 * node + 1, 2 * node + 2
    changed = False
    for j in range(left.low.shape[1]):
        low = min(left.low[first, j], left.low[second, j])
        high = max(left.high[first, j], left.high[second, j])
        changed = changed or low != left.low[node, j] or high != left.high[node, j]
        left.low[node, j], left.high[node, j] = low, high
    norm = max(left.norms[first], left.norms[second])
    changed = changed or norm != left.norms[node]
    left.norms[node] = norm
    return changed


@kernel
def _surround_rows(left: Unassigned, start: int, end: int, leaf: int) -> None:
    low, high = left.low[leaf], left.high[leaf]
    low[:] = np.inf
    high[:] = -np.inf
    left.norms[leaf] = -1.0
    for i in range(start, end):
        norm = 0.0
        for j in range(low.size):
            value = left.rows[i, j]
            low[j] = min(low[j], value)
            high[j] = max(high[j], value)
            norm += value * value
        left.norms[leaf] = max(left.norms[leaf], norm)


@kernel
def _norms(rows: FloatMatrix, starts: IntVector, counts: IntVector) -> FloatVector:
    n_nodes = starts.size
    norms = np.full(n_nodes, -1.0)
    for node in range(n_nodes - 1, -1, -1):
        if 2 * node + 2 < n_nodes:
            norms[node] = max(norms[2 * node + 1], norms[2 * node + 2])
            continue
        for i in range(starts[node], starts[node] + counts[node]):
            norm = 0.0
            for j in range(rows.shape[1]):
                norm += rows[i, j] * rows[i, j]
            norms[node] = max(norms[node], norm)
    return norms


@kernel
def _sum(points: FloatMatrix) -> FloatVector:
    total = np.zeros(points.shape[1])
    for i in range(points.shape[0]):
        for j in range(points.shape[1]):
            total[j] += points[i, j]
    return total
