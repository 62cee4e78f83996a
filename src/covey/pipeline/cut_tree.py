"""A tree of cuts that divides space into cells with about equally many records."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from covey.core import cut_tree_leaves
from covey.threads import thread_count
from covey.types import FloatMatrix, FloatVector, IntVector


class Tree(NamedTuple):
    """Nodes by number, the root first: a cut at `cuts` across `sides`, and the nodes beyond it.

    A leaf has the side −1. `cells` numbers the leaves from 0, from the lower end of each cut to
    the upper; it is −1 for other nodes.
    """

    sides: IntVector
    cuts: FloatVector
    lower: IntVector
    upper: IntVector
    cells: IntVector

    @property
    def n_cells(self) -> int:
        return int(self.cells.max()) + 1

    def cells_of(self, points: FloatMatrix) -> IntVector:
        """The cell of each point."""
        return np.asarray(self.cells[cut_tree_leaves(points, *self[:4], thread_count())])

    def joined(self, sizes: IntVector, least: int) -> IntVector:
        """A new number for each cell, so that none has fewer than `least` records.

        Where one has, all cells behind the cut that made it become one; `sizes` are the records of
        each cell.
        """
        first = np.arange(self.n_cells)
        for node in range(self.sides.size - 1, -1, -1):
            if self.sides[node] < 0:
                continue
            below, above = self._below(int(self.lower[node])), self._below(int(self.upper[node]))
            here = np.concatenate([below, above])
            totals = np.bincount(first[here], weights=sizes[here], minlength=self.n_cells)
            if totals[np.unique(first[here])].min() < least:
                first[here] = here[0]
        return np.asarray(np.unique(first, return_inverse=True)[1], dtype=np.int64)

    def _below(self, node: int) -> IntVector:
        """The cells under a node."""
        stack, found = [node], []
        while stack:
            node = stack.pop()
            if self.sides[node] < 0:
                found.append(int(self.cells[node]))
            else:
                stack += [int(self.upper[node]), int(self.lower[node])]
        return np.array(found, dtype=np.int64)


def grow(points: FloatMatrix, most: int, share: float = 0.5) -> Tree:
    """Cut across the widest side until no cell has more than `most` of the points.

    A cut leaves a `share` of the points below it and the rest above; the cut after it is the other
    way round, so that cells stay alike.
    """
    rows: list[tuple[int, float, int, int]] = []
    stack = [(np.arange(points.shape[0]), share, -1, 0)]
    while stack:
        inside, wanted, parent, place = stack.pop()
        node = len(rows)
        if parent >= 0:
            side, cut, *children = rows[parent]
            children[place] = node
            rows[parent] = (side, cut, children[0], children[1])
        side, cut = _cut(points[inside], wanted) if inside.size > most else (-1, 0.0)
        rows.append((side, cut, -1, -1))
        if side >= 0:
            below = points[inside, side] < cut
            stack.append((inside[~below], 1.0 - wanted, node, 1))
            stack.append((inside[below], 1.0 - wanted, node, 0))
    sides, cuts, lower, upper = (np.array(column) for column in zip(*rows, strict=True))
    leaves = sides < 0
    cells = np.where(leaves, np.cumsum(leaves) - 1, -1)
    return Tree(sides, cuts.astype(np.float64), lower, upper, cells)


def _cut(points: FloatMatrix, share: float) -> tuple[int, float]:
    """The widest side and a value of it that divides the points; −1 where all are equal."""
    widths = np.ptp(points, axis=0)
    side = int(np.argmax(widths))
    if not widths[side] > 0:
        return -1, 0.0
    values = points[:, side]
    place = min(max(int(share * values.size), 1), values.size - 1)
    cut = float(np.partition(values, place)[place])
    lowest = float(values.min())
    return side, cut if cut > lowest else float(values[values > lowest].min())
