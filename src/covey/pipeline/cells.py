"""Grouping in cells: a tree of cuts divides the records, and windows repair the seams.

A technique that sees one cell cannot group records across its edges, and begins in every cell
anew. So the groups of all cells are improved in windows, which know nothing of the cuts. That never
makes them worse.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from covey.pipeline.cut_tree import grow
from covey.refining.windows import improve_in_windows
from covey.scaling import power_of_two
from covey.technique import Group
from covey.threads import in_parallel
from covey.types import FloatMatrix, IntVector
from covey.watching import STOP, add_done, relayed

# Records in a cell, when nothing else is said: more where few variables make searching quick.
CELL_OF_FEW, CELL_OF_MANY = 262_144, 65_536
FEW_VARIABLES = 6
# Share of the progress that is told while the cells are grouped; the rest is for the seams.
CELLS_SHARE = 0.5
SEED = 0

Part = Callable[[IntVector], IntVector]


def usual_cell(n_variables: int) -> int:
    """Records in a cell, when nothing else is said."""
    return CELL_OF_FEW if n_variables <= FEW_VARIABLES else CELL_OF_MANY


def group_in_cells(
    group: Group, points: FloatMatrix, k: int, meter: IntVector, cell_size: int
) -> IntVector:
    """Labels of records that `group` was given in cells of at most `cell_size` records.

    The same for any number of threads.
    """
    size = max(cell_size, 4 * k)
    if points.shape[0] <= size:
        return group(points, k)
    tree = grow(points, size)
    cells = tree.cells_of(points)
    joined = tree.joined(np.bincount(cells, minlength=tree.n_cells), 2 * k)
    records = _members(joined[cells])

    def in_cell(inside: IntVector) -> IntVector:
        return group(np.ascontiguousarray(points[inside]), k)

    labels = _put_together(_watched(in_cell, records, meter), records)
    begin = int(CELLS_SHARE * points.shape[0])
    with relayed(meter, 1.0 - CELLS_SHARE, begin) as inner:
        return improve_in_windows(_in_range(points), labels, k, SEED, inner)


def _in_range(points: FloatMatrix) -> FloatMatrix:
    """Numbers that were not scaled may be huge; a power of two changes no comparison."""
    offsets = points - points[0]
    return np.ascontiguousarray(offsets / power_of_two(float(np.abs(offsets).max())))


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


def _watched(work: Part, records: Sequence[IntVector], meter: IntVector) -> list[IntVector]:
    """The results of `work`, counted in `meter`, which may say that no more is wanted."""

    def one(inside: IntVector) -> IntVector:
        if meter[STOP]:
            raise InterruptedError("the work was stopped")
        found = work(inside)
        add_done(meter, int(CELLS_SHARE * inside.size))
        return found

    return in_parallel(one, records)
