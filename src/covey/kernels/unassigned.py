"""The records that have no group yet, in a kd-tree that shrinks as records leave.

Records lie in blocks of `WIDTH`, one variable after the other, so that the distances of a block are
computed at once. A tree without nodes is a plain scan over all blocks: the same code, the same
answers (see `covey.kernels.searching`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from covey.kernels.boxes import (
    SIBLINGS,
    clear_box,
    is_on_edge,
    join_siblings,
    no_boxes,
    surround_block,
)
from covey.kernels.compiling import kernel
from covey.kernels.halving import halved
from covey.types import FloatArray, FloatMatrix, FloatVector, IntVector

WIDTH = 16


class Unassigned(NamedTuple):
    """Live records: place p of the blocks is record `ids[p]`, and record r is at `places[r]`.

    A record that has left is at −1. Place p is column p mod WIDTH of block p // WIDTH. A leaf has
    `capacity` places, the live ones in front.

    Nodes come in groups of eight siblings: node v is child v mod 8 of group v // 8, and has
    `counts[v]` live records (see `covey.kernels.boxes` for the boxes around them). The first group
    is the root's, with `branches` children; the groups of the next level follow in the order of
    their parents. Leaf i is node `first_leaf` + i.

    `total` is the sum of the live records, `size[0]` their number.
    """

    points: FloatMatrix
    blocks: FloatArray
    ids: IntVector
    places: IntVector
    counts: IntVector
    boxes: FloatArray
    total: FloatVector
    size: IntVector
    branches: int
    first_leaf: int
    capacity: int


@kernel
def squared_distance(rows: FloatMatrix, i: int, point: FloatVector) -> float:
    """The one expression by which all routes compute a distance, so that ties stay ties."""
    total = 0.0
    for j in range(point.shape[0]):
        difference = rows[i, j] - point[j]
        total += difference * difference
    return total


@kernel
def block_distances(blocks: FloatArray, block: int, point: FloatVector, into: FloatVector) -> None:
    """`squared_distance` of all places of a block at once, dead ones too."""
    # The compiler would unroll a loop of known length, and not vectorise it.
    width = into.size
    for c in range(width):
        into[c] = 0.0
    for j in range(point.shape[0]):
        at = point[j]
        for c in range(width):
            difference = blocks[block, j, c] - at
            into[c] += difference * difference


@kernel
def all_unassigned(points: FloatMatrix, leaf: int) -> Unassigned:
    """All records, in leaves of at most `leaf`."""
    n, d = points.shape
    halves = halved(points, leaf)
    n_leaves = (halves.starts.size + 1) // 2
    largest = n if n_leaves == 1 else 1 + n // n_leaves
    capacity = (largest + WIDTH - 1) // WIDTH * WIDTH
    branches, n_groups = n_leaves, 0 if n_leaves == 1 else 1
    while branches > SIBLINGS:
        branches //= SIBLINGS
    # Groups of the levels: one, then `branches`, then eight times as many each.
    level, first_group = 1, 0
    while level * SIBLINGS < n_leaves:
        level = branches if level == 1 else level * SIBLINGS
        first_group = n_groups
        n_groups += level
    left = Unassigned(
        points,
        np.zeros((n_leaves * capacity // WIDTH, d, WIDTH)),
        np.empty(n_leaves * capacity, dtype=np.int64),
        np.empty(n, dtype=np.int64),
        np.zeros(max(n_groups * SIBLINGS, 1), dtype=np.int64),
        no_boxes(n_groups, d),
        np.zeros(d),
        np.empty(1, dtype=np.int64),
        branches,
        first_group * SIBLINGS,
        capacity,
    )
    _fill(left, halves.order, halves.starts[n_leaves - 1 :], halves.ends[n_leaves - 1 :])
    return left


@kernel
def _fill(left: Unassigned, order: IntVector, starts: IntVector, ends: IntVector) -> None:
    n, d = left.points.shape
    left.size[0] = n
    for i in range(n):
        for j in range(d):
            left.total[j] += left.points[i, j]
    for leaf in range(starts.size):
        first = leaf * left.capacity
        for i in range(starts[leaf], ends[leaf]):
            place, record = first + i - starts[leaf], order[i]
            left.ids[place], left.places[record] = record, place
            for j in range(d):
                left.blocks[place // WIDTH, j, place % WIDTH] = left.points[record, j]
        left.counts[left.first_leaf + leaf] = ends[leaf] - starts[leaf]
    if is_tree(left):
        for leaf in range(starts.size):
            _surround_leaf(left, leaf)
        for group in range(left.boxes.shape[0] - 1, 0, -1):
            node = parent(left, group)
            for c in range(SIBLINGS):
                left.counts[node] += left.counts[group * SIBLINGS + c]
            join_siblings(left.boxes, group, node // SIBLINGS, node % SIBLINGS)


@kernel
def no_labels(n: int) -> IntVector:
    """−1 for every record: it has no group yet."""
    labels = np.empty(n, dtype=np.int64)
    for record in range(n):
        labels[record] = -1
    return labels


@kernel
def is_tree(left: Unassigned) -> bool:
    return bool(left.boxes.shape[0] > 0)


@kernel
def children(left: Unassigned, node: int) -> int:
    """The group of a node's children."""
    return node + 1 if node < SIBLINGS else node + 1 + left.branches - SIBLINGS


@kernel
def parent(left: Unassigned, group: int) -> int:
    """The node above a group."""
    return group - 1 if group <= left.branches else group - 1 - left.branches + SIBLINGS


@kernel
def center(left: Unassigned) -> FloatVector:
    middle = np.empty_like(left.total)
    for j in range(middle.size):
        middle[j] = left.total[j] / left.size[0]
    return middle


@kernel
def remove(left: Unassigned, record: int) -> None:
    """Take a record out; the running total of the rest follows, in order of removal."""
    place, row = left.places[record], left.points[record]
    leaf = place // left.capacity
    node = left.first_leaf + leaf
    left.counts[node] -= 1
    last = leaf * left.capacity + left.counts[node]
    for j in range(row.size):
        left.total[j] -= row[j]
        left.blocks[place // WIDTH, j, place % WIDTH] = left.blocks[last // WIDTH, j, last % WIDTH]
    moved = left.ids[last]
    left.ids[place], left.ids[last] = moved, record
    left.places[moved] = place
    left.places[record] = -1
    left.size[0] -= 1
    if is_tree(left):
        _shrink(left, leaf, row)


@kernel
def _shrink(left: Unassigned, leaf: int, gone: FloatVector) -> None:
    """Fit the boxes around what is left, as far up as something changes."""
    node = left.first_leaf + leaf
    group, child = node // SIBLINGS, node % SIBLINGS
    changed = is_on_edge(left.boxes, group, child, gone)
    if changed:
        clear_box(left.boxes, group, child)
        _surround_leaf(left, leaf)
    while group > 0:
        node = parent(left, group)
        left.counts[node] -= 1
        if changed:
            changed = join_siblings(left.boxes, group, node // SIBLINGS, node % SIBLINGS)
        group = node // SIBLINGS


@kernel
def _surround_leaf(left: Unassigned, leaf: int) -> None:
    node = left.first_leaf + leaf
    group, child = node // SIBLINGS, node % SIBLINGS
    first = leaf * left.capacity // WIDTH
    for begin in range(0, left.counts[node], WIDTH):
        count = min(left.counts[node] - begin, WIDTH)
        surround_block(left.boxes, group, child, left.blocks, first + begin // WIDTH, count)
