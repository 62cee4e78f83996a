"""`certify`: how far a partition is, at most, from the best there is."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import Any

from covey.bounds.bound import LowerBound, rounded_down
from covey.bounds.bounding import lower_bound, require_partition
from covey.errors import InvalidParameter
from covey.parameters import Whole, require
from covey.partition import Partition
from covey.types import Progress

# A loss may be below the bound by rounding only.
ROUNDING = 1e-9


@dataclass(frozen=True)
class Certificate:
    """Proof of how near a partition is to the best.

    Attributes
    ----------
    il : float
        Its information loss, in percent.
    lower_bound : float
        No partition with groups of at least k records has a smaller one, in percent.
    gap : float
        The share of its loss that another partition could avoid at most, in percent.
    bound : LowerBound
        Where the bound comes from.
    """

    il: float
    bound: LowerBound

    @property
    def lower_bound(self) -> float:
        return self.bound.percent

    @property
    def gap(self) -> float:
        return 100.0 * max(self.il - self.lower_bound, 0.0) / self.il if self.il > 0 else 0.0

    @property
    def _gap_rounded_up(self) -> str:
        return f"{ceil(round(100.0 * self.gap, 6)) / 100.0:.2f}"

    def __str__(self) -> str:
        return (
            f"IL is {self.il:.4f} %, and no partition into groups of at least {self.bound.k} has "
            f"less than {rounded_down(self.lower_bound)} %: at most {self._gap_rounded_up} % of "
            f"the loss could be avoided ({self.bound.method})."
        )


def certify(
    X: Any,
    partition: Partition,
    k: int,
    *,
    bound: LowerBound | None = None,
    time_limit: float | None = 60.0,
    progress: Progress | None = None,
) -> Certificate:
    """Say how far a partition of X is, at most, from the best one.

    Parameters
    ----------
    X : array-like or data frame of shape (n_records, n_variables)
        Numeric and complete, in raw units.
    partition : Partition
        Groups of at least k records each, from any technique.
    k : int
        The least size of a group.
    bound : LowerBound, optional
        That of the same X and k, if it is known already. Otherwise `lower_bound` is called.
    time_limit, progress
        As for `lower_bound`.

    Examples
    --------
    >>> X = [[0.0], [1.0], [2.0], [10.0], [11.0], [12.0]]
    >>> print(certify(X, Partition([0, 0, 0, 1, 1, 1]), k=3))  # doctest: +NORMALIZE_WHITESPACE
    IL is 2.5974 %, and no partition into groups of at least 3 has less than 2.5974 %:
    at most 0.00 % of the loss could be avoided (column generation, finished).
    """
    require(Whole(2), k=k)
    require_partition(partition)
    if partition.sizes.min() < k:
        raise InvalidParameter(
            f"partition must have groups of at least k={k} records; "
            f"its smallest has {int(partition.sizes.min())}."
        )
    il = partition.il(X)
    if bound is None:
        bound = lower_bound(X, k, time_limit=time_limit, start=partition, progress=progress)
    if not isinstance(bound, LowerBound):
        raise InvalidParameter(f"bound must be a LowerBound; got {type(bound).__name__}.")
    if (bound.k, bound.n_records) != (k, partition.n_records):
        raise InvalidParameter(
            f"bound must be that of {partition.n_records} records and k={k}; "
            f"got one of {bound.n_records} records and k={bound.k}."
        )
    if il < bound.percent * (1.0 - ROUNDING):
        raise InvalidParameter(
            "The partition loses less than the bound says is possible, so the bound must be of "
            "other data. Leave bound= out."
        )
    return Certificate(il, bound)
