"""Strata: groups never cross them. Small ones are refused, merged or suppressed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from covey.errors import Infeasible, ways
from covey.tables.categories import codes_of, plain_values, with_one_zero
from covey.types import BoolVector, FloatMatrix, FloatVector, IntVector


class Strata(NamedTuple):
    """The stratum of each record (−1: suppressed), and which strata were merged into one.

    `merged` lists the strata, by the numbers they had at first, that are one now.
    """

    labels: IntVector
    merged: tuple[tuple[int, ...], ...] = ()

    @property
    def suppressed(self) -> BoolVector:
        return np.asarray(self.labels < 0)


def stratify(columns: Sequence[Any], n_records: int) -> IntVector:
    """Number the combinations of values of some columns by first appearance."""
    labels = np.zeros(n_records, dtype=np.int64)
    for column in columns:
        codes = codes_of(column)
        labels = labels * (int(codes.max()) + 1) + codes
        labels = _numbered(labels)
    return labels


def missing_patterns(known: BoolVector) -> IntVector:
    """Number the patterns of missing values (rows of `known`)."""
    labels = np.zeros(known.shape[0], dtype=np.int64)
    for column in known.T:
        labels = _numbered(labels * 2 + column)
    return labels


def settle_sizes(
    sizes: IntVector,
    k: int,
    small: str,
    sums: FloatMatrix,
    describe: Callable[[int], str],
    parents: IntVector,
) -> Strata:
    """Do with strata of fewer than k records what `small` says.

    `sizes` are the records of each stratum and `sums` the sums of their coordinates. The labels
    are what becomes of each stratum, which `describe` gives the words for. Only strata with the
    same number in `parents` are merged.
    """
    few = np.flatnonzero(sizes < k)
    unchanged = np.arange(sizes.size)
    if few.size == 0:
        return Strata(unchanged)
    if small == "suppress":
        if few.size == sizes.size:
            raise Infeasible(f"Every stratum has fewer than k={k} records: nothing is left.")
        return Strata(np.where(sizes < k, -1, unchanged))
    if small == "merge":
        return _merged(sizes.astype(np.float64), k, sums, parents)
    listed = "; ".join(f"{describe(int(s))} ({int(sizes[s])})" for s in few[:8])
    raise Infeasible(
        f"{few.size} of {sizes.size} strata have fewer than k={k} records: {listed}"
        f"{' …' if few.size > 8 else ''}.",
        remedy="Use a smaller k, coarser strata, or have small strata merged or suppressed",
        how=ways("small_strata"),
        parameter="small_strata",
    )


def _merged(sizes: FloatVector, k: int, sums: FloatMatrix, parent: IntVector) -> Strata:
    """Join the smallest stratum to the one with the nearest mean, until none is below k."""
    if sizes.sum() < k:
        raise Infeasible(f"{int(sizes.sum())} records are too few for one group of k={k}.")
    sums, into = sums.copy(), np.arange(sizes.size)
    alive = np.ones(sizes.size, dtype=bool)
    while sizes[alive].min() < k:
        small = int(np.argmin(np.where(alive, sizes, np.inf)))
        means = sums / np.maximum(sizes, 1.0)[:, None]
        distance = np.square(means - means[small]).sum(axis=1)
        distance[~alive | (parent != parent[small])] = np.inf
        distance[small] = np.inf
        target = int(np.argmin(distance))
        sizes[target] += sizes[small]
        sums[target] += sums[small]
        alive[small] = False
        into[into == small] = target
    merged = tuple(
        tuple(int(s) for s in np.flatnonzero(into == target))
        for target in np.flatnonzero(np.bincount(into) > 1)
    )
    return Strata(into, merged)


def relabelled(column: Any, strata: Strata, labels: IntVector) -> Any:
    """A stratum column in which strata that were merged show one value for all.

    Text names them all; other kinds have no value that would be true for all, so it is missing.
    """
    import pyarrow as pa

    if not strata.merged:
        return with_one_zero(column)
    values = plain_values(column).to_pylist()
    for group in strata.merged:
        rows = np.flatnonzero(np.isin(labels, group))
        found = sorted({values[row] for row in rows}, key=lambda value: (value is None, value))
        if len(found) > 1:
            shared = _joined(found)
            for row in rows:
                values[row] = shared
    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    return pa.array(values, type=kind)


def _joined(found: Sequence[Any]) -> str | None:
    text = all(isinstance(value, str) for value in found)
    return " or ".join(found) if text else None


def _numbered(labels: IntVector) -> IntVector:
    """The same labels as 0, 1, 2 … by first appearance."""
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    rank = np.empty(first.size, dtype=np.int64)
    rank[np.argsort(first)] = np.arange(first.size)
    return rank[inverse]
