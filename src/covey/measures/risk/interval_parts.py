"""Interval disclosure of a release that is too large for memory, counted part by part.

Three steps, of which the first and the last are done for each part on its own:

1. `released_values` of every released column of every part;
2. `all_values` of a column, and with `counted_earlier` how many records of earlier parts have each
   value of a part;
3. `disclosed_in` every part; `interval_risk` adds the parts up.

The figures are those of `interval_disclosure` of the whole file, exactly, however it is divided, if
the parts follow each other in the order of the records. A release by groups has each value at least
k times: what all parts must know of each other is that much smaller than the release.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from covey.measures.risk.interval_disclosure import PERCENTS, IntervalRisk
from covey.parameters import OneOf, require
from covey.types import BoolVector, FloatMatrix, FloatVector, IntVector

# The mean of equal values may be a last digit off; the ends are widened by as much.
DIGIT = 1e-12


class Values(NamedTuple):
    """The different values of a column, ascending, and how many records have each."""

    values: FloatVector
    counts: IntVector


class Disclosed(NamedTuple):
    """Records, or values, of a part that intervals of each width disclose, and how many it has."""

    counts: IntVector
    total: int


class _Column(NamedTuple):
    """The values of a column of all parts, and how many records come before the next value."""

    values: FloatVector
    ends: IntVector

    def at(self, places: IntVector) -> FloatVector:
        """The values at some places of the sorted column, those beyond its ends at its ends."""
        inside = np.clip(places, 0, self.ends[-1] - 1)
        return self.values[np.searchsorted(self.ends, inside, side="right")]


def released_values(released: FloatVector) -> Values:
    """The values of a released column of a part; missing ones are passed over.

    Examples
    --------
    >>> import numpy as np
    >>> released_values(np.array([6.0, 2.0, 2.0, np.nan])).counts
    array([2, 1])
    """
    values, counts = np.unique(released[~np.isnan(released)], return_counts=True)
    return Values(values, counts.astype(np.int64))


def all_values(parts: Sequence[Values]) -> Values:
    """The values of a column in all parts together.

    Examples
    --------
    >>> import numpy as np
    >>> parts = [released_values(np.array(part)) for part in ([2.0, 2.0], [2.0, 6.0])]
    >>> all_values(parts).counts
    array([3, 1])
    """
    together = np.concatenate([part.values for part in parts])
    values, where = np.unique(together, return_inverse=True)
    counts = np.zeros(values.size, dtype=np.int64)
    np.add.at(counts, where, np.concatenate([part.counts for part in parts]))
    return Values(values, counts)


def counted_earlier(parts: Sequence[Values]) -> list[IntVector]:
    """For every part and each of its values: the records of earlier parts that have it.

    Examples
    --------
    >>> import numpy as np
    >>> parts = [released_values(np.array(part)) for part in ([2.0, 2.0], [2.0, 6.0])]
    >>> counted_earlier(parts)[1]
    array([2, 0])
    """
    values = all_values(parts).values
    so_far = np.zeros(values.size, dtype=np.int64)
    earlier = []
    for part in parts:
        where = np.searchsorted(values, part.values)
        earlier.append(so_far[where])
        so_far[where] += part.counts
    return earlier


def disclosed_in(
    original: FloatMatrix,
    released: FloatMatrix,
    columns: Sequence[Values],
    earlier: Sequence[IntVector],
    n_records: int,
    percents: Sequence[float] = PERCENTS,
    method: str = "record",
) -> Disclosed:
    """What intervals of each width disclose of a part.

    Parameters
    ----------
    original, released : array of shape (records of the part, variables)
        The part's records in the same order, NaN where a value is missing.
    columns : list of Values
        The values of each released column in **all** parts.
    earlier : list of array
        For each column what `counted_earlier` says of this part.
    n_records : int
        The records of all parts.
    percents, method
        As in `interval_disclosure`: "record" or "value".
    """
    require(OneOf(("record", "value")), method=method)
    reaches = np.array([int(percent * n_records / 100) for percent in percents])
    rising = np.argsort(reaches, kind="stable")
    held = np.empty(original.shape, dtype=np.int64)
    for j, (values, before) in enumerate(zip(columns, earlier, strict=True)):
        column = _Column(values.values, np.cumsum(values.counts))
        held[:, j] = _first_holding(column, released[:, j], before, original[:, j], reaches[rising])
    known = ~np.isnan(original)
    by_value = method == "value"
    first = held[known] if by_value else np.where(known, held, 0).max(axis=1)[known.any(axis=1)]
    counts = np.empty(reaches.size, dtype=np.int64)
    counts[rising] = np.cumsum(np.bincount(first, minlength=reaches.size + 1)[:-1])
    return Disclosed(counts, int(known.sum()) if by_value else original.shape[0])


def interval_risk(
    parts: Sequence[Disclosed], percents: Sequence[float] = PERCENTS, method: str = "record"
) -> IntervalRisk:
    """The interval disclosure of all parts together."""
    counts = np.sum([part.counts for part in parts], axis=0)
    total = sum(part.total for part in parts)
    found = dict(zip(percents, counts.tolist(), strict=True))
    return IntervalRisk(100.0 * float(np.mean(counts)) / max(total, 1), found, total, method)


def _first_holding(
    column: _Column,
    released: FloatVector,
    earlier: IntVector,
    original: FloatVector,
    reaches: IntVector,
) -> IntVector:
    """For each record the first of the rising reaches whose interval holds its original value.

    Their number stands for none of them.
    """
    there = np.flatnonzero(~np.isnan(released))
    first = np.full(released.size, reaches.size, dtype=np.int64)
    if there.size == 0:
        return first
    places = _places(column, released[there], earlier)
    for at in range(reaches.size)[::-1]:  # wider intervals hold all that narrower ones do
        first[there[_holds(column, places, int(reaches[at]), original[there])]] = at
    return first


def _places(column: _Column, released: FloatVector, earlier: IntVector) -> IntVector:
    """The place of each record of a part in the sorted column of all parts."""
    order = np.argsort(released, kind="stable")
    found, starts, counts = np.unique(released[order], return_index=True, return_counts=True)
    ends = np.concatenate([[0], column.ends])
    first = ends[np.searchsorted(column.values, found)] + earlier
    places = np.empty(released.size, dtype=np.int64)
    places[order] = np.arange(released.size) + np.repeat(first - starts, counts)
    return places


def _holds(column: _Column, places: IntVector, reach: int, original: FloatVector) -> BoolVector:
    """Whether the interval around each place holds the original value; never a missing one."""
    low, high = column.at(places - reach), column.at(places + reach)
    above = original >= low - DIGIT * np.abs(low)
    return np.asarray(above & (original <= high + DIGIT * np.abs(high)))
