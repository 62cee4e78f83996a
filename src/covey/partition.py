"""Partition: the one value every technique returns."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from covey import core
from covey.errors import GuaranteeViolated, InvalidParameter, SchemaError
from covey.scaling import standardize
from covey.tables.numeric import read_numeric
from covey.threads import thread_count
from covey.types import FloatMatrix, IntVector


class Partition:
    """Records split into groups: every record is in exactly one.

    Parameters
    ----------
    labels : array-like of int, shape (n_records,)
        The group of each record, numbered 0 .. n_groups − 1 with no number left out.
        `Partition.from_labels` takes labels of any kind and numbers them.

    Examples
    --------
    >>> partition = Partition([0, 0, 1, 1])
    >>> partition.sizes
    array([2, 2])
    >>> partition.centroids([[1.0], [3.0], [10.0], [14.0]])
    array([[ 2.],
           [12.]])
    >>> partition.sse([[1.0], [3.0], [10.0], [14.0]])
    10.0
    >>> round(partition.il([[1.0], [3.0], [10.0], [14.0]]), 4)
    9.0909
    """

    def __init__(self, labels: Any) -> None:
        self._labels = _as_labels(labels)
        self._sizes = np.bincount(self._labels)
        if (self._sizes == 0).any():
            raise InvalidParameter(
                f"labels must use every number from 0 to {self._sizes.size - 1}; "
                f"{int(np.flatnonzero(self._sizes == 0)[0])} is missing. "
                "Partition.from_labels numbers any labels for you."
            )
        self._labels.flags.writeable = False
        self._sizes.flags.writeable = False

    @classmethod
    def from_labels(cls, labels: Any) -> Partition:
        """Number labels of any kind (text too) by first appearance.

        Examples
        --------
        >>> Partition.from_labels(["north", "south", "north"]).labels
        array([0, 1, 0])
        """
        _, first, inverse = np.unique(np.asarray(labels), return_index=True, return_inverse=True)
        rank = np.empty(first.size, dtype=np.int64)
        rank[np.argsort(first)] = np.arange(first.size)
        return cls(rank[inverse])

    @property
    def labels(self) -> IntVector:
        """Group of each record."""
        return self._labels

    @property
    def sizes(self) -> IntVector:
        """Number of records in each group."""
        return self._sizes

    @property
    def n_records(self) -> int:
        return int(self._labels.size)

    @property
    def n_groups(self) -> int:
        return int(self._sizes.size)

    def groups(self) -> Iterator[IntVector]:
        """Record indices of each group, in group order."""
        return iter(np.split(self._by_group, np.cumsum(self._sizes)[:-1]))

    def centroids(self, X: Any) -> FloatMatrix:
        """Group means of X, in the units of X."""
        return self._means(self._values(X))

    def aggregate(self, X: Any) -> FloatMatrix:
        """Replace every record of X by the mean of its group."""
        return self.centroids(X)[self._labels]

    def sse(self, X: Any) -> float:
        """Sum of squared distances from records to their group means, in the units of X."""
        values = self._values(X)
        off = self._means(values)[self._labels]
        np.subtract(values, off, out=off)
        return float(np.square(off, out=off).sum())

    def il(self, X: Any) -> float:
        """Information loss in percent: 100·SSE/SST on z-scores of X (given in raw units).

        Zero when nothing varies: then there is nothing to lose.
        """
        scores = standardize(self._values(X))
        total = float(np.square(scores).sum())
        return 100.0 * self.sse(scores) / total if total > 0 else 0.0

    def require(self, k: int) -> None:
        """Raise `GuaranteeViolated` unless every group has at least k records."""
        smallest = int(self._sizes.min())
        if smallest < k:
            raise GuaranteeViolated(
                f"A group of {smallest} records was formed where k={k} was promised. "
                "Nothing is released. Please report this as a bug."
            )

    @cached_property
    def _by_group(self) -> IntVector:
        return np.argsort(self._labels, kind="stable")

    def _means(self, values: FloatMatrix) -> FloatMatrix:
        values = np.ascontiguousarray(values)
        return core.group_means(values, self._labels, self.n_groups, thread_count())

    def _values(self, X: Any) -> FloatMatrix:
        values = read_numeric(X).values
        if values.shape[0] != self.n_records:
            raise SchemaError(
                f"The partition has {self.n_records} records but the data have {values.shape[0]}."
            )
        return values

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Partition):
            return NotImplemented
        return np.array_equal(self._labels, other._labels)

    def __hash__(self) -> int:
        return hash(self._labels.tobytes())

    def __repr__(self) -> str:
        low, high = int(self._sizes.min()), int(self._sizes.max())
        size = f"size {low}" if low == high else f"sizes {low} to {high}"
        return f"<Partition: {self.n_records} records in {self.n_groups} groups of {size}>"


class Block(NamedTuple):
    """Variables that are released together, by column number, and the groups they share."""

    variables: tuple[int, ...]
    partition: Partition


def _as_labels(labels: Any) -> IntVector:
    array = np.array(labels)
    if array.ndim != 1 or array.size == 0:
        raise InvalidParameter(
            f"labels must be one group number per record; got an array of shape {array.shape}."
        )
    if array.dtype.kind not in "iu" or array.min() < 0:
        raise InvalidParameter("labels must be whole numbers from 0 on.")
    return array.astype(np.int64)
