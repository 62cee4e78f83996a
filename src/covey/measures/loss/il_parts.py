"""IL of a release that is too large for memory, from sums over its parts."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any, NamedTuple

import numpy as np

from covey.measures.loss.il import InformationLoss
from covey.types import BoolVector, FloatMatrix, FloatVector


class Spread(NamedTuple):
    """Of each variable the cells that count, their mean, and the squares around it."""

    counts: FloatVector
    means: FloatVector
    squares: FloatVector


class LossSums(NamedTuple):
    """What IL is added up from, variable by variable.

    `known` are the cells of the original, `emptied` those of them that the release misses, and
    `moved` the squared differences of the others. `low` and `high` are the ends of the original.
    """

    known: Spread
    emptied: Spread
    moved: FloatVector
    low: FloatVector
    high: FloatVector

    def to_plain(self) -> list[Any]:
        """Lists of numbers, as a file can hold them."""
        spreads = [[list(map(float, part)) for part in spread] for spread in self[:2]]
        return [*spreads, *(list(map(float, part)) for part in self[2:])]

    @classmethod
    def from_plain(cls, lists: Sequence[Any]) -> LossSums:
        """The sums that `to_plain` wrote."""
        known, emptied, *others = lists
        moved, low, high = map(np.array, others)
        return cls(Spread(*map(np.array, known)), Spread(*map(np.array, emptied)), moved, low, high)


def loss_sums(original: FloatMatrix, released: FloatMatrix) -> LossSums:
    """The sums of a part: the same records in the same order, NaN where a value is missing."""
    known = ~np.isnan(original)
    gone = known & np.isnan(released)
    differences = np.where(known & ~gone, original - released, 0.0)
    return LossSums(
        _spread(original, known),
        _spread(original, gone),
        np.square(differences).sum(axis=0),
        np.where(known, original, np.inf).min(axis=0, initial=np.inf),
        np.where(known, original, -np.inf).max(axis=0, initial=-np.inf),
    )


def il_of_parts(parts: Sequence[LossSums]) -> InformationLoss:
    """The IL of all parts together, as `il` defines it.

    It is that of the whole file but for the rounding of sums, however this is divided.

    Examples
    --------
    >>> import numpy as np
    >>> files = np.array([[-1.0], [1.0], [9.0], [11.0]]), np.array([[0.0], [0.0], [10.0], [10.0]])
    >>> parts = [loss_sums(files[0][rows], files[1][rows]) for rows in (slice(0, 3), slice(3, 4))]
    >>> round(il_of_parts(parts).percent, 4)
    3.8462
    """
    whole = reduce(_together, parts)
    known, emptied = whole.known, whole.emptied
    # A cell that only the release misses has lost everything, as if it held the mean.
    away = emptied.squares + emptied.counts * np.square(emptied.means - known.means)
    variances = known.squares / np.maximum(known.counts, 1.0)
    varies = (whole.high > whole.low) & (variances > 0)
    unit = np.where(varies, variances, np.inf)
    sse = float(((whole.moved + away) / unit).sum())
    sst = float(known.counts[varies].sum())
    if sst == 0:
        return InformationLoss(0.0, 0.0, sse, sst)
    return InformationLoss(100.0 * sse / sst, 100.0 * sse / (sse + sst), sse, sst)


def _spread(values: FloatMatrix, cells: BoolVector) -> Spread:
    counts = cells.sum(axis=0).astype(np.float64)
    means = np.where(cells, values, 0.0).sum(axis=0) / np.maximum(counts, 1.0)
    squares = np.where(cells, np.square(values - means), 0.0).sum(axis=0)
    return Spread(counts, means, squares)


def _together(first: LossSums, second: LossSums) -> LossSums:
    return LossSums(
        _joined(first.known, second.known),
        _joined(first.emptied, second.emptied),
        first.moved + second.moved,
        np.minimum(first.low, second.low),
        np.maximum(first.high, second.high),
    )


def _joined(first: Spread, second: Spread) -> Spread:
    """Means and squares of two parts as those of both (Chan, Golub and LeVeque 1983)."""
    counts = first.counts + second.counts
    share = second.counts / np.maximum(counts, 1.0)
    apart = second.means - first.means
    squares = first.squares + second.squares + np.square(apart) * first.counts * share
    return Spread(counts, first.means + apart * share, squares)
