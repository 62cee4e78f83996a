"""The plan of a run: what every task has to know, made once and never changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from covey.scale.frame import Frame
from covey.scale.seams import seam_tree
from covey.scale.settling import Settled, Tally
from covey.scale.trees import Tree, grow
from covey.tables.variables import Variable
from covey.technique import Technique
from covey.types import FloatMatrix, IntVector

# Columns that travel with the records; no column of a user is called so.
STRATUM, KEY, GROUP = "covey:stratum", "covey:key", "covey:group"


class Division(NamedTuple):
    """A stratum: its first leaf and pool, and the trees that divide it if it is large."""

    leaf: int
    pool: int
    cells: Tree | None = None
    pools: Tree | None = None


class Plan(NamedTuple):
    """What is done to the records, in which order they may be taken."""

    k: int
    technique: Technique
    contributors: int
    frame: Frame
    tally: Tally
    settled: Settled
    divisions: tuple[Division, ...]
    n_leaves: int
    schema: Any

    def keys_of(self, table: Any, variables: Sequence[Variable]) -> IntVector:
        return self.tally.numbered(table, variables)

    def leaves_of(self, strata: IntVector, points: FloatMatrix) -> IntVector:
        """The leaf of each record; −1 for one that is suppressed."""
        return self._places(strata, points, "leaf", "cells")

    def pools_of(self, strata: IntVector, points: FloatMatrix) -> IntVector:
        """The pool of each point, given its stratum."""
        return self._places(strata, points, "pool", "pools")

    def _places(self, strata: IntVector, points: FloatMatrix, first: str, tree: str) -> IntVector:
        starts = np.array([getattr(division, first) for division in self.divisions])
        places = np.where(strata < 0, -1, starts[strata])
        for stratum in np.unique(strata[strata >= 0]):
            division = self.divisions[stratum]
            if division.cells is not None:
                inside = np.flatnonzero(strata == stratum)
                found = getattr(division, tree).cells_of(np.ascontiguousarray(points[inside]))
                places[inside] += found
        return np.asarray(places)


def divide(
    sizes: IntVector, strata: IntVector, points: FloatMatrix, block_size: int
) -> tuple[tuple[Division, ...], int]:
    """Trees for large strata, and one leaf for several small ones; then the number of leaves.

    `sizes` are the records of each stratum; `strata` and `points` are those of a sample.
    """
    divisions: list[Division] = []
    leaf = pool = 0
    filled = block_size + 1  # records in the leaf of small strata that is open
    shared: Division | None = None
    for stratum, size in enumerate(sizes):
        inside = points[strata == stratum]
        most = int(block_size * inside.shape[0] / size)
        if size > block_size and most >= 1:
            cells, pools = grow(inside, most), seam_tree(inside, most)
            divisions.append(Division(leaf, pool, cells, pools))
            leaf, pool = leaf + cells.n_cells, pool + pools.n_cells
            continue
        if shared is None or filled + size > block_size:
            shared, filled = Division(leaf, pool), 0
            leaf, pool = leaf + 1, pool + 1
        divisions.append(shared)
        filled += int(size)
    return tuple(divisions), leaf


def cells_of_leaves(plan: Plan, counts: IntVector) -> list[list[int]]:
    """The leaves of each cell: neighbours are joined where one has fewer than 2k records."""
    cells: list[list[int]] = []
    seen: set[int] = set()
    for division in plan.divisions:
        if division.leaf in seen:
            continue
        seen.add(division.leaf)
        n_leaves = 1 if division.cells is None else division.cells.n_cells
        joined = np.zeros(1, dtype=np.int64)
        if division.cells is not None:
            inside = counts[division.leaf : division.leaf + n_leaves]
            joined = division.cells.joined(inside, 2 * plan.k)
        for cell in range(int(joined.max()) + 1):
            cells.append([division.leaf + int(j) for j in np.flatnonzero(joined == cell)])
    return cells
