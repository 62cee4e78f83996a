"""A static kd-tree over records, and the exact counts that linkage needs.

Records lie in tree order, and every node knows the box around its records.
"""

from __future__ import annotations

from typing import NamedTuple

from covey.kernels.compiling import kernel
from covey.kernels.halving import halved
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
    halves = halved(points, LEAF)
    order = halves.order
    return KDTree(
        points[order], weights[order], halves.starts, halves.ends, halves.low, halves.high
    )


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
