"""The plan of a release: what every task has to know, made once and never changed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from covey.pipeline.cells import group_in_cells
from covey.pipeline.cut_tree import Tree, grow
from covey.pipeline.reference import Frame
from covey.pipeline.strata_tally import Settled, Tally
from covey.tables.variables import Variable
from covey.technique import Divide, Technique
from covey.types import FloatMatrix, IntVector

# Columns that travel with the records, the last one the row of the original; no column of a user is
# called so.
STRATUM, KEY, ROW = "covey:stratum", "covey:key", "covey:row"


class Division(NamedTuple):
    """A stratum: its first leaf, and the tree that divides it into leaves if it is large."""

    leaf: int
    tree: Tree | None = None


class Plan(NamedTuple):
    """What is done to the records, in which order they may be taken.

    `cell_size` is how many records a technique is given at a time, None for all of a part;
    `driving` are the variables that groups are formed by, and `share` is the share of the groups
    that reports are drawn from.
    """

    k: int
    technique: Technique
    contributors: int
    cell_size: int | None
    frame: Frame
    tally: Tally
    settled: Settled
    divisions: tuple[Division, ...]
    n_leaves: int
    schema: Any
    driving: tuple[int, ...]
    share: float = 1.0

    def keys_of(self, table: Any, variables: Sequence[Variable]) -> IntVector:
        """The number of the key of each record: its stratum as it came, and its gaps."""
        return self.tally.numbered(table, variables)

    def leaves_of(self, strata: IntVector, points: FloatMatrix) -> IntVector:
        """The leaf of each record."""
        leaves = np.array([division.leaf for division in self.divisions])[strata]
        for stratum in np.unique(strata):
            tree = self.divisions[stratum].tree
            if tree is not None:
                inside = np.flatnonzero(strata == stratum)
                leaves[inside] += tree.cells_of(np.ascontiguousarray(points[inside]))
        return np.asarray(leaves)

    def places(self, table: Any) -> FloatMatrix:
        """Where records lie in the space that large strata are divided in."""
        return self.frame.embedded(self.frame.read(table)).of(self.driving)

    def with_keys(self, table: Any) -> Any:
        """The records that are released, with two columns of the plan: their stratum and key."""
        import pyarrow as pa

        read = self.frame.read_alone(table) if self.tally.patterns else ()
        keys = self.keys_of(table, read)
        if self.settled.suppressed:
            kept = np.flatnonzero(self.settled.final[keys] >= 0)
            table, keys = table.take(kept), keys[kept]
        strata = pa.array(self.settled.final[keys])
        return table.append_column(STRATUM, strata).append_column(KEY, pa.array(keys))

    @property
    def divide(self) -> Divide | None:
        """How a technique takes the records of a stratum, where not all at once."""
        return None if self.cell_size is None else partial(group_in_cells, cell_size=self.cell_size)


def divide_strata(
    sizes: IntVector, strata: IntVector, points: FloatMatrix, most: int | None
) -> tuple[tuple[Division, ...], int]:
    """A leaf of at most about `most` records, or several for a large stratum; then their number.

    `sizes` are the records of each stratum; `strata` and `points` are those of a sample. A leaf
    holds several small strata, or all of them where there is no `most`.
    """
    if most is None or sizes.sum() <= most:
        return (Division(0),) * sizes.size, 1
    divisions: list[Division] = []
    leaf, filled = 0, most + 1  # records in the leaf of small strata that is open
    shared: Division | None = None
    for stratum, size in enumerate(sizes):
        inside = points[strata == stratum]
        share = int(most * inside.shape[0] / size)
        if size > most and share >= 1:
            tree = grow(inside, share)
            divisions.append(Division(leaf, tree))
            leaf += tree.n_cells
            continue
        if shared is None or filled + size > most:
            shared, filled = Division(leaf), 0
            leaf += 1
        divisions.append(shared)
        filled += int(size)
    return tuple(divisions), leaf


def parts_of_leaves(plan: Plan, counts: IntVector) -> list[list[int]]:
    """The leaves of each part: neighbours are joined where one has fewer than 2k records."""
    parts: list[list[int]] = []
    seen: set[int] = set()
    for division in plan.divisions:
        if division.leaf in seen:
            continue
        seen.add(division.leaf)
        if division.tree is None:
            parts.append([division.leaf])
            continue
        inside = counts[division.leaf : division.leaf + division.tree.n_cells]
        joined = division.tree.joined(inside, 2 * plan.k)
        for part in range(int(joined.max()) + 1):
            parts.append([division.leaf + int(j) for j in np.flatnonzero(joined == part)])
    return parts
