"""Grouping in blocks: cells of a tree one by one, then the seams between them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from covey.partition import Partition
from covey.scale.seams import improved, seam_tree
from covey.scale.trees import grow
from covey.technique import Group
from covey.threads import in_parallel
from covey.types import FloatMatrix, IntVector
from covey.watching import STOP, add_done

# Records in a cell, when nothing else is said.
BLOCK_SIZE = 65_536
# Share of the progress that is told while the cells are grouped; the rest is for the seams.
CELLS_SHARE = 0.3

Part = Callable[[IntVector], IntVector]


def group_in_blocks(
    group: Group, points: FloatMatrix, k: int, meter: IntVector, block_size: int = BLOCK_SIZE
) -> IntVector:
    """Labels of records that `group` was given in cells of at most `block_size` records.

    The same for any number of threads.
    """
    size = max(block_size, 4 * k)
    if points.shape[0] <= size:
        return group(points, k)
    tree = grow(points, size)
    cells = tree.cells_of(points)
    joined = tree.joined(np.bincount(cells, minlength=tree.n_cells), 2 * k)
    records = _members(joined[cells])

    def in_cell(inside: IntVector) -> IntVector:
        return group(np.ascontiguousarray(points[inside]), k)

    labels = _put_together(_watched(in_cell, records, meter, CELLS_SHARE), records)
    pools = seam_tree(points, size).cells_of(Partition(labels).centroids(points))[labels]
    pooled = _members(np.unique(pools, return_inverse=True)[1])

    def in_pool(inside: IntVector) -> IntVector:
        return improved(points[inside], np.unique(labels[inside], return_inverse=True)[1], k)

    return _put_together(_watched(in_pool, pooled, meter, 1.0 - CELLS_SHARE), pooled)


def _members(labels: IntVector) -> list[IntVector]:
    order = np.argsort(labels, kind="stable")
    return np.split(order, np.cumsum(np.bincount(labels))[:-1])


def _put_together(parts: Sequence[IntVector], records: Sequence[IntVector]) -> IntVector:
    """Labels of all records, from labels that begin with 0 in each part."""
    labels = np.empty(sum(inside.size for inside in records), dtype=np.int64)
    first = 0
    for part, inside in zip(parts, records, strict=True):
        labels[inside] = part + first
        first += int(part.max()) + 1
    return labels


def _watched(
    work: Part, records: Sequence[IntVector], meter: IntVector, share: float
) -> list[IntVector]:
    """The results of `work`, counted in `meter`, which may say that no more is wanted."""

    def one(inside: IntVector) -> IntVector:
        if meter[STOP]:
            raise InterruptedError("the work was stopped")
        found = work(inside)
        add_done(meter, int(share * inside.size))
        return found

    return in_parallel(one, records)
