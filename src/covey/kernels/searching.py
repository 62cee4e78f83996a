"""Exact searches among the records without a group.

Ties always go to the lowest record number, so an answer never depends on how the records lie: a
node is passed over only when its bound is worse than the worst record kept, never when it is
equal.
"""

from __future__ import annotations

import numpy as np

from covey.kernels.boxes import SIBLINGS, farthest_bounds, nearest_bounds
from covey.kernels.compiling import kernel
from covey.kernels.ranking import keep, nobody_yet, place_of_worst, sort_kept
from covey.kernels.unassigned import (
    WIDTH,
    Unassigned,
    block_distances,
    children,
    is_tree,
    squared_distance,
)
from covey.types import FloatMatrix, FloatVector, IntVector

# Records in a leaf of a tree: one block.
LEAF = WIDTH
# A tree pays from FEWEST · 2^(GROWTH · d) records on, where d is the number of directions in which
# they really vary (measured on normal data); a sample of this many records tells it.
FEWEST, GROWTH = 500, 0.4
SAMPLE = 2000
# Siblings of at most so many levels wait while a tree is searched.
ROOM = 24 * SIBLINGS
# The node above all: its children are the first group.
ROOT = -1
NOBODY = np.int64(-1)


def leaf_size(points: FloatMatrix) -> int:
    """Records in a leaf: all of them where a plain scan is faster than a tree."""
    n = int(points.shape[0])
    if n < FEWEST:
        return n
    enough = FEWEST * 2.0 ** min(GROWTH * real_dimension(points), 60.0)
    return n if n < enough else LEAF


def real_dimension(points: FloatMatrix) -> float:
    """Directions in which records vary: (Σλ)² / Σλ² of the eigenvalues of their covariances.

    Two variables that move together count as one.
    """
    some = points[:: max(points.shape[0] // SAMPLE, 1)]
    covariances = np.atleast_2d(np.cov(some, rowvar=False))
    spread = float(np.square(covariances).sum())
    return float(np.trace(covariances)) ** 2 / spread if spread > 0 else 1.0


@kernel
def nearest(left: Unassigned, point: FloatVector) -> int:
    """The record nearest to `point`."""
    return nearest_within(left, point, np.inf)


@kernel
def nearest_within(left: Unassigned, point: FloatVector, limit: float) -> int:
    """The record nearest to `point`; −1 if its squared distance is above `limit`."""
    ids, distances = nobody_yet(1)
    distances[0] = limit
    _collect_nearest(left, point, ids, distances)
    return int(ids[0])


@kernel
def nearest_few(left: Unassigned, point: FloatVector, count: int) -> IntVector:
    """The `count` records nearest to `point`, nearest first; −1 where there are no more."""
    ids, distances = nobody_yet(count)
    if count > 0:
        _collect_nearest(left, point, ids, distances)
        sort_kept(ids, distances)
    return ids


@kernel
def farthest(left: Unassigned, point: FloatVector, best: int) -> int:
    """The record farthest from `point`; `best` is one to start with, or `NOBODY`."""
    reach = -1.0 if best < 0 else squared_distance(left.points, best, point)
    norm = 0.0
    for j in range(point.size):
        norm += point[j] * point[j]
    here, bounds, products = np.empty(WIDTH), np.empty(SIBLINGS), np.empty(SIBLINGS)
    if not is_tree(left):
        return _look_farthest(left, left.first_leaf, point, best, reach, here)[0]
    stack, keys = np.empty(ROOM, dtype=np.int64), np.empty(ROOM)
    stack[0], keys[0] = ROOT, -np.inf
    waiting = 1
    while waiting > 0:
        waiting -= 1
        node = stack[waiting]
        if -keys[waiting] < reach:
            continue
        if node >= left.first_leaf:
            best, reach = _look_farthest(left, node, point, best, reach, here)
            continue
        group = children(left, node)
        farthest_bounds(left.boxes, group, point, norm, bounds, products)
        for c in range(SIBLINGS):
            bounds[c] = -bounds[c]
        waiting = wait(left, group, bounds, -reach, stack, keys, waiting)
    return best


@kernel
def _look_farthest(
    left: Unassigned, node: int, point: FloatVector, best: int, reach: float, here: FloatVector
) -> tuple[int, float]:
    """The better of `best`, at a squared distance of `reach`, and the records of a leaf."""
    first, count = (node - left.first_leaf) * left.capacity, left.counts[node]
    for begin in range(first, first + count, WIDTH):
        block_distances(left.blocks, begin // WIDTH, point, here)
        for c in range(min(WIDTH, first + count - begin)):
            if here[c] >= reach:
                record = left.ids[begin + c]
                if here[c] > reach or record < best:
                    best, reach = record, here[c]
    return best, reach


@kernel
def _collect_nearest(
    left: Unassigned, point: FloatVector, ids: IntVector, distances: FloatVector
) -> None:
    """Fill `ids` and `distances` with the nearest records, as `keep` keeps them."""
    worst = place_of_worst(ids)
    here, bounds = np.empty(WIDTH), np.empty(SIBLINGS)
    if not is_tree(left):
        _look_nearest(left, left.first_leaf, point, ids, distances, here)
        return
    stack, keys = np.empty(ROOM, dtype=np.int64), np.empty(ROOM)
    stack[0], keys[0] = ROOT, 0.0
    waiting = 1
    while waiting > 0:
        waiting -= 1
        node = stack[waiting]
        if keys[waiting] > distances[worst]:
            continue
        if node >= left.first_leaf:
            _look_nearest(left, node, point, ids, distances, here)
            continue
        group = children(left, node)
        nearest_bounds(left.boxes, group, point, bounds)
        waiting = wait(left, group, bounds, distances[worst], stack, keys, waiting)


@kernel
def _look_nearest(
    left: Unassigned,
    node: int,
    point: FloatVector,
    ids: IntVector,
    distances: FloatVector,
    here: FloatVector,
) -> None:
    """Keep the records of a leaf that are near enough."""
    worst = place_of_worst(ids)
    first, count = (node - left.first_leaf) * left.capacity, left.counts[node]
    for begin in range(first, first + count, WIDTH):
        block_distances(left.blocks, begin // WIDTH, point, here)
        for c in range(min(WIDTH, first + count - begin)):
            if here[c] <= distances[worst]:
                keep(ids, distances, left.ids[begin + c], here[c])


@kernel
def wait(
    left: Unassigned,
    group: int,
    bounds: FloatVector,
    limit: float,
    stack: IntVector,
    keys: FloatVector,
    waiting: int,
) -> int:
    """Put the siblings that may be good enough on the stack, the most promising on top."""
    bottom = waiting
    for c in range(SIBLINGS):
        node, key = group * SIBLINGS + c, bounds[c]
        if key > limit or left.counts[node] == 0:
            continue
        place = waiting
        while place > bottom and keys[place - 1] < key:
            stack[place], keys[place] = stack[place - 1], keys[place - 1]
            place -= 1
        stack[place], keys[place] = node, key
        waiting += 1
    return waiting
