"""The cheap bound: every record stands at least so far from those it shares a group with."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import KDTree

from covey.types import FloatMatrix, FloatVector, IntVector, Progress

PART = 50_000  # records whose neighbours are looked up at a time


class Neighbours(NamedTuple):
    """The records nearest to each record, itself included, and sums of squared distances.

    `sums[i, m]` is the sum of the m least squared distances from record i to others.
    """

    records: NDArray[np.int64]
    sums: FloatMatrix


def possible_sizes(n_records: int, k: int) -> IntVector:
    """Group sizes of the partitions among which an optimal one is: k to 2k − 1, if the rest fits.

    Examples
    --------
    Seven records can only be split 3 + 4:

    >>> possible_sizes(7, 3)
    array([3, 4])
    """
    sizes = range(k, min(2 * k - 1, n_records) + 1)
    return np.array([s for s in sizes if _can_be_split(n_records - s, k)], dtype=np.int64)


def _can_be_split(n_records: int, k: int) -> bool:
    """Whether so many records make groups of k to 2k − 1."""
    return n_records == 0 or n_records >= k


def nearest_neighbours(
    points: FloatMatrix, count: int, progress: Progress | None = None
) -> Neighbours:
    """The `count` records nearest to each record, itself included."""
    n = points.shape[0]
    tree = KDTree(points)
    records = np.empty((n, count), dtype=np.int64)
    sums = np.empty((n, count))
    for first in range(0, n, PART):
        part = slice(first, min(first + PART, n))
        distances, records[part] = tree.query(points[part], k=np.arange(1, count + 1))
        sums[part] = np.cumsum(np.square(distances), axis=1)
        if progress is not None:
            progress("neighbours", part.stop, n)
    return Neighbours(records, sums)


def distance_prices(sums: FloatMatrix, sizes: IntVector) -> FloatVector:
    """What each record adds to the SSE at least, whatever its group.

    A group of s records has SSE = Σ d² / 2s over ordered pairs, so a member adds the sum of its
    squared distances to the s − 1 others over 2s: at least that of its s − 1 nearest.

    Examples
    --------
    Records 0, 1 and 3 in one group of three: 1 + 9, 1 + 4 and 9 + 4, each over 6.

    >>> import numpy as np
    >>> sums = nearest_neighbours(np.array([[0.0], [1.0], [3.0]]), 3).sums
    >>> distance_prices(sums, np.array([3])) * 6
    array([10.,  5., 13.])
    """
    return np.asarray((sums[:, sizes - 1] / (2.0 * sizes)).min(axis=1))
