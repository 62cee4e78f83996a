"""A static kd-tree over records, and the exact counts that linkage needs.

Nodes are numbered as in a heap (children of i are 2i + 1 and 2i + 2), records lie in tree order,
and every node knows the box around its records.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from covey.kernels.compiling import kernel
from covey.kernels.selecting import bring_smallest
from covey.kernels.unassigned import squared_distance
from covey.types import FloatMatrix, FloatVector, IntVector

LEAF = 24

# Squared distances this close to each other, relatively, are a tie: rounding, the choice of units
# and the order of the columns must not decide who is nearer.
TIE = 1e-9


class KDTree(NamedTuple):
    """Points in tree order with their weights; `starts[i]` to `ends[i]` belong to node i."""

    points: FloatMatrix
    weights: IntVector
    starts: IntVector
    ends: IntVector
    low: FloatMatrix
    high: FloatMatrix


class Closer(NamedTuple):
    """Weight of the points inside a radius, and of those on it (see `TIE`)."""

    inside: int
    tied: int


@kernel
def build_tree(points: FloatMatrix, weights: IntVector) -> KDTree:
    """Split at the median of the widest side until a node has few points."""
    n, d = points.shape
    levels = 0
    while (n >> levels) > LEAF:
        levels += 1
    n_nodes = (1 << (levels + 1)) - 1
    starts, ends = np.zeros(n_nodes, dtype=np.int64), np.zeros(n_nodes, dtype=np.int64)
    low, high = np.empty((n_nodes, d)), np.empty((n_nodes, d))
    order = np.arange(n)
    keys = np.empty(n)
    ends[0] = n
    for node in range(n_nodes):
        start, end = starts[node], ends[node]
        _box(points, order[start:end], low[node], high[node])
        if 2 * node + 2 >= n_nodes:
            continue
        middle = (start + end) // 2
        if end - start > 1:
            side = np.argmax(high[node] - low[node])
            for i in range(start, end):
                keys[i] = points[order[i], side]
            bring_smallest(keys[start:end], order[start:end], middle - start)
        starts[2 * node + 1], ends[2 * node + 1] = start, middle
        starts[2 * node + 2], ends[2 * node + 2] = middle, end
    return KDTree(points[order], weights[order], starts, ends, low, high)


@kernel
def _box(points: FloatMatrix, records: IntVector, low: FloatVector, high: FloatVector) -> None:
    low[:] = np.inf
    high[:] = -np.inf
    for record in records:
        for j in range(low.size):
            low[j] = min(low[j], points[record, j])
            high[j] = max(high[j], points[record, j])


@kernel
def count_closer(
    tree: KDTree, query: FloatVector, radius: float, limit: int, stack: IntVector
) -> Closer:
    """How many points are closer to `query` than the squared `radius`, and how many tie.

    Stops as soon as `limit` are closer: then the exact number does not matter. `stack` is room
    for two nodes a level.
    """
    n_nodes = tree.starts.size
    inner, outer = radius * (1.0 - TIE), radius * (1.0 + TIE)
    inside, tied = 0, 0
    stack[0] = 0
    waiting = 1
    while waiting > 0:
        waiting -= 1
        node = stack[waiting]
        if _bound(tree, node, query) > outer:
            continue
        near = 2 * node + 1
        if near + 1 < n_nodes:
            far = near + 1
            if _bound(tree, far, query) < _bound(tree, near, query):
                near, far = far, near
            stack[waiting], stack[waiting + 1] = far, near
            waiting += 2
            continue
        for i in range(tree.starts[node], tree.ends[node]):
            distance = squared_distance(tree.points, i, query)
            if distance < inner:
                inside += tree.weights[i]
            elif distance <= outer:
                tied += tree.weights[i]
        if inside >= limit:
            break
    return Closer(inside, tied)


@kernel
def _bound(tree: KDTree, node: int, query: FloatVector) -> float:
    """A squared distance that no point of the node can undercut, even rounded."""
    total = 0.0
    for j in range(query.size):
        gap = max(tree.low[node, j] - query[j], query[j] - tree.high[node, j], 0.0)
        total += gap * gap
    return total
