"""Neighbours of each record, near enough to try moves with."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from covey.core import approximate_neighbours
from covey.threads import thread_count
from covey.types import FloatMatrix, IntVector

# Neighbours to look for: enough to lie outside one's own group. Of many, a spread is kept. Small
# files can afford more, which lets pools of groups reach farther (measured).
FEWEST, FEWEST_OF_SMALL = 15, 32
SMALL = 20_000
MOST = 64
# From so many records on, a neighbour may be (1 + SLACK) times as far as the true one.
APPROXIMATE_FROM = 20_000
SLACK = 1.0
# A search for the true ones would look at nearly everybody where there are many variables, which
# takes too long from so many records on: those met in a few random trees must do, and then the
# neighbours of neighbours.
MANY_VARIABLES = 8
MANY_RECORDS = 5_000
TREES = 5
LEAST_LEAF = 256
LEAF_SHARE = 8
ROUNDS = 1
MOST_FRIENDS = 15
SEED = 0


class Neighbours(NamedTuple):
    """Neighbours of each record, nearest first, and the squared distances of the first ones.

    `squares` has a column for each of the nearest k, and of the nearest `FEWEST`.
    """

    records: Any
    squares: FloatMatrix


class Nearest(NamedTuple):
    """The nearest of each record, nearest first, and the squared distances to them."""

    records: NDArray[np.int32]
    squares: FloatMatrix


def nearest_records(points: FloatMatrix, k: int, meter: IntVector) -> Neighbours:
    """Some near neighbours of every record, the same for any number of threads."""
    n, d = points.shape
    count = min(max(FEWEST_OF_SMALL if n <= SMALL else FEWEST, 2 * k), n - 1)
    if n >= MANY_RECORDS and d > MANY_VARIABLES:
        found = _approximate(points, count, meter)
    else:
        found = _from_tree(points, count)
    kept = np.unique(np.linspace(0, count - 1, min(count, MOST)).astype(np.int64))
    return Neighbours(found.records[:, kept], found.squares[:, : max(k, FEWEST)])


def _from_tree(points: FloatMatrix, count: int) -> Nearest:
    from scipy.spatial import cKDTree

    n = points.shape[0]
    slack = SLACK if n >= APPROXIMATE_FROM else 0.0
    distances, found = cKDTree(points).query(
        points, np.arange(1, count + 2), eps=slack, workers=thread_count()
    )
    # A record is its own nearest neighbour, unless others share its place: then it may stand
    # anywhere among them, or not at all.
    own = found == np.arange(n)[:, None]
    own[~own.any(axis=1), -1] = True
    others = found[~own].reshape(n, count)
    return Nearest(others.astype(np.int32), np.square(distances[:, 1:]))


def _approximate(points: FloatMatrix, count: int, meter: IntVector) -> Nearest:
    """The nearest of those met in random trees, and of their neighbours."""
    found = approximate_neighbours(
        points,
        count,
        trees=TREES,
        leaf=max(LEAST_LEAF, LEAF_SHARE * count),
        rounds=ROUNDS,
        friends=min(4 * count // 5, MOST_FRIENDS),
        seed=SEED,
        threads=thread_count(),
        meter=meter,
    )
    return Nearest(*found)
