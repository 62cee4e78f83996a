"""Boxes around the records of a tree's nodes, eight siblings side by side.

`boxes[g, :, c]` is child c of group g: its d lower sides, its d upper sides, and the largest
squared distance of one of its records from the origin. Bounds of eight siblings are computed at
once, and each is a sum of the very terms of a distance, in the same order: it needs no slack for
rounding.
"""

from __future__ import annotations

import numpy as np

from covey.kernels.compiling import kernel
from covey.types import FloatArray, FloatVector

SIBLINGS = 8
# Covers rounding in the bound by norms, which is not a sum of the terms of a distance.
ROUNDING = 1e-12


@kernel
def no_boxes(n_groups: int, d: int) -> FloatArray:
    """Boxes around nobody, which change nothing where they are joined to others."""
    boxes = np.empty((n_groups, 2 * d + 1, SIBLINGS))
    for group in range(n_groups):
        for child in range(SIBLINGS):
            clear_box(boxes, group, child)
    return boxes


@kernel
def is_on_edge(boxes: FloatArray, group: int, child: int, row: FloatVector) -> bool:
    """Whether the box or the ball may shrink when the record at `row` leaves."""
    d = row.size
    norm = 0.0
    edge = False
    for j in range(d):
        value = row[j]
        norm += value * value
        edge = edge or value == boxes[group, j, child] or value == boxes[group, d + j, child]
    return edge or norm == boxes[group, 2 * d, child]


@kernel
def surround_block(
    boxes: FloatArray, group: int, child: int, blocks: FloatArray, block: int, count: int
) -> None:
    """Extend a box to hold the first `count` rows of a block."""
    d = blocks.shape[1]
    for c in range(count):
        norm = 0.0
        for j in range(d):
            value = blocks[block, j, c]
            boxes[group, j, child] = min(boxes[group, j, child], value)
            boxes[group, d + j, child] = max(boxes[group, d + j, child], value)
            norm += value * value
        boxes[group, 2 * d, child] = max(boxes[group, 2 * d, child], norm)


@kernel
def clear_box(boxes: FloatArray, group: int, child: int) -> None:
    d = boxes.shape[1] // 2
    for j in range(d):
        boxes[group, j, child] = np.inf
        boxes[group, d + j, child] = -np.inf
    boxes[group, 2 * d, child] = -1.0


@kernel
def join_siblings(boxes: FloatArray, below: int, group: int, child: int) -> bool:
    """The box of a node from those of the group below; whether it changed."""
    d = boxes.shape[1] // 2
    changed = False
    for j in range(2 * d + 1):
        side = boxes[below, j, 0]
        for c in range(1, SIBLINGS):
            other = boxes[below, j, c]
            if (other < side) == (j < d):
                side = other
        changed = changed or side != boxes[group, j, child]
        boxes[group, j, child] = side
    return changed


@kernel
def nearest_bounds(boxes: FloatArray, group: int, point: FloatVector, into: FloatVector) -> None:
    """Squared distances that no record of each sibling undercuts."""
    # The compiler would unroll a loop of known length, and not vectorise it.
    d, siblings = point.size, into.size
    for c in range(siblings):
        into[c] = 0.0
    for j in range(d):
        at = point[j]
        for c in range(siblings):
            below, above = boxes[group, j, c] - at, at - boxes[group, d + j, c]
            gap = below if below > above else above
            gap = gap if gap > 0.0 else 0.0
            into[c] += gap * gap


@kernel
def farthest_bounds(
    boxes: FloatArray,
    group: int,
    point: FloatVector,
    norm: float,
    into: FloatVector,
    products: FloatVector,
) -> None:
    """Squared distances that no record of each sibling exceeds.

    By the box, or by |x − p|² = |x|² + |p|² − 2·x·p, where `norm` is |p|² and `products` is room
    for the least x·p.
    """
    d, siblings = point.size, into.size
    for c in range(siblings):
        into[c] = 0.0
        products[c] = 0.0
    for j in range(d):
        at = point[j]
        least = j if at > 0.0 else d + j
        for c in range(siblings):
            below, above = at - boxes[group, j, c], boxes[group, d + j, c] - at
            gap = below if below > above else above
            into[c] += gap * gap
        for c in range(siblings):
            products[c] += at * boxes[group, least, c]
    for c in range(siblings):
        sizes = boxes[group, 2 * d, c] + norm
        by_norm = sizes - 2.0 * products[c] + ROUNDING * sizes
        into[c] = into[c] if into[c] < by_norm else by_norm
