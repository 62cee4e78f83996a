"""Neighbours of each record, near enough to try moves with."""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import numpy as np
from scipy.spatial import cKDTree

from covey.kernels.halving import halved
from covey.kernels.leafmates import Nearest, introduce, introduce_friends, nobody_met
from covey.threads import in_parallel, thread_count
from covey.types import FloatMatrix, IntVector
from covey.watching import tell_to_stop

# Neighbours to look for: enough to lie outside one's own group. Of many, a spread is kept.
FEWEST = 15
MOST = 64
# From so many records on, a neighbour may be (1 + SLACK) times as far as the true one.
APPROXIMATE_FROM = 20_000
SLACK = 1.0
# A search for the true ones would look at nearly everybody where there are many variables, which
# takes too long from so many records on: those met in a few random trees must do, and then the
# friends of friends.
MANY_VARIABLES = 8
MANY_RECORDS = 5_000
TREES = 4
DIRECTIONS = 12
LEAST_LEAF = 64
ROUNDS_OF_FRIENDS = 2
CLOSE_FRIENDS = 15
TASKS = 32


class Neighbours(NamedTuple):
    """Neighbours of each record, nearest first, and the squared distances of the first ones.

    `squares` has a column for each of the nearest k, and of the nearest `FEWEST`.
    """

    records: Any
    squares: FloatMatrix


def nearest_records(points: FloatMatrix, k: int, meter: IntVector) -> Neighbours:
    """Some near neighbours of every record, the same for any number of threads."""
    n, d = points.shape
    count = min(max(FEWEST, 2 * k), n - 1)
    if n >= MANY_RECORDS and d > MANY_VARIABLES:
        found = _acquainted(points, count, meter)
    else:
        found = _from_tree(points, count)
    kept = np.unique(np.linspace(0, count - 1, min(count, MOST)).astype(np.int64))
    return Neighbours(found.records[:, kept], found.squares[:, : max(k, FEWEST)])


def _from_tree(points: FloatMatrix, count: int) -> Nearest:
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


def _acquainted(points: FloatMatrix, count: int, meter: IntVector) -> Nearest:
    """The nearest of those met in trees over random directions, and of their friends' friends."""
    n, d = points.shape
    nearest = nobody_met(n, count)
    rng = np.random.RandomState(0)
    for _ in range(TREES):
        directions = rng.normal(size=(d, min(d, DIRECTIONS)))
        # More than half of a leaf is sure to be there: enough to fill every list.
        _meet_in_leaves(points, points @ directions, max(LEAST_LEAF, 4 * count), nearest, meter)
    for _ in range(ROUNDS_OF_FRIENDS):
        _meet_friends(points, nearest, meter)
    return nearest


def _meet_in_leaves(
    points: FloatMatrix, projected: FloatMatrix, leaf: int, nearest: Nearest, meter: IntVector
) -> None:
    halves = halved(projected, leaf)
    leaves = np.arange(halves.starts.size // 2, halves.starts.size)

    def meet(some: IntVector) -> None:
        introduce(points, halves.order, halves.starts[some], halves.ends[some], nearest, meter)

    in_parallel(meet, np.array_split(leaves, TASKS), partial(tell_to_stop, meter))


def _meet_friends(points: FloatMatrix, nearest: Nearest, meter: IntVector) -> None:
    friends = nearest.records[:, :CLOSE_FRIENDS].copy()
    edges = np.linspace(0, friends.shape[0], TASKS + 1).astype(np.int64)

    def meet(task: int) -> None:
        introduce_friends(points, friends, edges[task], edges[task + 1], nearest, meter)

    in_parallel(meet, range(TASKS), partial(tell_to_stop, meter))
