"""Records halved again and again: the shape that all trees here have."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from covey.kernels.compiling import kernel
from covey.kernels.selecting import bring_smallest
from covey.types import FloatMatrix, FloatVector, IntVector


class Halves(NamedTuple):
    """Nodes numbered as in a heap (children of i are 2i + 1 and 2i + 2).

    Node i has the records `order[starts[i] : ends[i]]`, in the box from `low[i]` to `high[i]`.
    """

    order: IntVector
    starts: IntVector
    ends: IntVector
    low: FloatMatrix
    high: FloatMatrix


@kernel
def halved(points: FloatMatrix, leaf: int) -> Halves:
    """Split at the median of the widest side until no node has more than `leaf` records."""
    n, d = points.shape
    levels = 0
    while (n >> levels) > leaf:
        levels += 1
    n_nodes = (1 << (levels + 1)) - 1
    starts, ends = np.zeros(n_nodes, dtype=np.int64), np.zeros(n_nodes, dtype=np.int64)
    low, high = np.empty((n_nodes, d)), np.empty((n_nodes, d))
    order, keys = np.arange(n), np.empty(n)
    ends[0] = n
    for node in range(n_nodes):
        start, end = starts[node], ends[node]
        surround(points, order[start:end], low[node], high[node])
        if 2 * node + 2 >= n_nodes:
            continue
        middle = (start + end) // 2
        if end - start > 1:
            side = 0
            for j in range(1, d):
                if high[node, j] - low[node, j] > high[node, side] - low[node, side]:
                    side = j
            for i in range(start, end):
                keys[i] = points[order[i], side]
            bring_smallest(keys[start:end], order[start:end], middle - start)
        starts[2 * node + 1], ends[2 * node + 1] = start, middle
        starts[2 * node + 2], ends[2 * node + 2] = middle, end
    return Halves(order, starts, ends, low, high)


@kernel
def surround(points: FloatMatrix, records: IntVector, low: FloatVector, high: FloatVector) -> None:
    """The box around some records; of infinite sides, turned round, when there is none."""
    low[:] = np.inf
    high[:] = -np.inf
    for record in records:
        for j in range(low.size):
            low[j] = min(low[j], points[record, j])
            high[j] = max(high[j], points[record, j])
