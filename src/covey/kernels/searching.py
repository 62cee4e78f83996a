"""Exact searches among the records without a group.

Ties always go to the lowest record number, so an answer never depends on how the records lie: a
node is passed over only when its bound is worse than the worst record kept, never when it is
equal. Bounds of boxes are sums of the very terms of a distance and need no slack for rounding.
"""

from __future__ import annotations

import numpy as np

from covey.kernels.compiling import kernel
from covey.kernels.unassigned import Unassigned, squared_distance
from covey.types import FloatMatrix, FloatVector, IntVector

# Records in a leaf of a tree.
LEAF = 16
# A tree pays from FEWEST · 2^(d/3) records on, where d is the number of directions in which they
# really vary (measured on normal data); this many records tell it.
FEWEST = 500
SAMPLE = 2000
# Covers rounding in the bound by norms, which is not a sum of the terms of a distance.
ROUNDING = 1e-12
# Above so many, the records kept are a heap; below, a sorted list is faster (measured).
HEAP_FROM = 48


def leaf_size(points: FloatMatrix) -> int:
    """Records in a leaf: all of them where a plain scan is faster than a tree."""
    n = int(points.shape[0])
    if n < FEWEST:
        return n
    enough = FEWEST * 2.0 ** min(real_dimension(points) / 3.0, 60.0)
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
    ids, distances = np.full(1, -1, dtype=np.int64), np.full(1, np.inf)
    _collect_nearest(left, point, ids, distances)
    return int(ids[0])


@kernel
def nearest_few(left: Unassigned, point: FloatVector, count: int) -> IntVector:
    """The `count` records nearest to `point`, nearest first; −1 where there are no more."""
    ids, distances = np.full(count, -1, dtype=np.int64), np.full(count, np.inf)
    if count > 0:
        _collect_nearest(left, point, ids, distances)
        if count >= HEAP_FROM:
            _sort_heap(ids, distances)
    return ids


@kernel
def distance_to_nearest_other(left: Unassigned, record: int, point: FloatVector) -> float:
    """Squared distance from an unassigned record at `point` to the nearest other; inf if alone."""
    ids, distances = np.full(2, -1, dtype=np.int64), np.full(2, np.inf)
    _collect_nearest(left, point, ids, distances)
    return float(distances[1] if ids[0] == record else distances[0])


@kernel
def farthest(left: Unassigned, point: FloatVector, best: int) -> int:
    """The record farthest from `point`; `best` is one to start with, or −1."""
    n_nodes = left.starts.size
    best_distance = -1.0
    if best >= 0:
        best_distance = squared_distance(left.rows, left.places[best], point)
    norm = 0.0
    for j in range(point.size):
        norm += point[j] * point[j]
    low, high, stack, bounds = left.low, left.high, left.stack, left.bounds
    stack[0], bounds[0] = 0, np.inf
    waiting = 1
    while waiting > 0:
        waiting -= 1
        node = stack[waiting]
        if bounds[waiting] < best_distance:
            continue
        while 2 * node + 2 < n_nodes:
            near, far = 2 * node + 1, 2 * node + 2
            near_bound = _farthest_bound(low, high, left.norms[near] + norm, near, point)
            far_bound = _farthest_bound(low, high, left.norms[far] + norm, far, point)
            if near_bound > far_bound:
                near, far = far, near
                near_bound, far_bound = far_bound, near_bound
            if near_bound >= best_distance and left.counts[near] > 0:
                stack[waiting], bounds[waiting] = near, near_bound
                waiting += 1
            if far_bound < best_distance or left.counts[far] == 0:
                break
            node = far
        else:
            for i in range(left.starts[node], left.starts[node] + left.counts[node]):
                distance = squared_distance(left.rows, i, point)
                if distance > best_distance or (distance == best_distance and left.ids[i] < best):
                    best, best_distance = left.ids[i], distance
    return best


@kernel
def _farthest_bound(
    low: FloatMatrix, high: FloatMatrix, sizes: float, node: int, point: FloatVector
) -> float:
    """A squared distance that no record of the node exceeds.

    By the box, or by |x − p|² = |x|² + |p|² − 2·x·p, where `sizes` is |p|² and the largest |x|².
    """
    box, product = 0.0, 0.0
    for j in range(point.size):
        below, above = point[j] - low[node, j], high[node, j] - point[j]
        gap = max(abs(below), abs(above))
        box += gap * gap
        product += min(point[j] * low[node, j], point[j] * high[node, j])
    return min(box, sizes - 2.0 * product + ROUNDING * sizes)


@kernel
def _nearest_bound(low: FloatMatrix, high: FloatMatrix, node: int, point: FloatVector) -> float:
    """A squared distance that no record of the node undercuts."""
    total = 0.0
    for j in range(point.size):
        gap = max(low[node, j] - point[j], point[j] - high[node, j], 0.0)
        total += gap * gap
    return total


@kernel
def _collect_nearest(
    left: Unassigned, point: FloatVector, ids: IntVector, distances: FloatVector
) -> None:
    """Fill `ids` and `distances`: in order when they are few, else as a heap, worst first."""
    n_nodes = left.starts.size
    heap = ids.size >= HEAP_FROM
    worst = 0 if heap else ids.size - 1
    low, high, stack, bounds = left.low, left.high, left.stack, left.bounds
    stack[0], bounds[0] = 0, 0.0
    waiting = 1
    while waiting > 0:
        waiting -= 1
        node = stack[waiting]
        if bounds[waiting] > distances[worst]:
            continue
        while 2 * node + 2 < n_nodes:
            near, far = 2 * node + 1, 2 * node + 2
            near_bound = _nearest_bound(low, high, near, point)
            far_bound = _nearest_bound(low, high, far, point)
            if far_bound < near_bound:
                near, far = far, near
                near_bound, far_bound = far_bound, near_bound
            if far_bound <= distances[worst] and left.counts[far] > 0:
                stack[waiting], bounds[waiting] = far, far_bound
                waiting += 1
            if near_bound > distances[worst] or left.counts[near] == 0:
                break
            node = near
        else:
            for i in range(left.starts[node], left.starts[node] + left.counts[node]):
                distance = squared_distance(left.rows, i, point)
                if distance > distances[worst]:
                    continue
                record = left.ids[i]
                if distance == distances[worst] and record > ids[worst] >= 0:
                    continue
                if heap:
                    _replace_top(ids, distances, record, distance)
                else:
                    _insert(ids, distances, record, distance)


@kernel
def _insert(ids: IntVector, distances: FloatVector, record: int, distance: float) -> None:
    place = ids.size - 1
    while place > 0 and _before(distance, record, distances[place - 1], ids[place - 1]):
        ids[place], distances[place] = ids[place - 1], distances[place - 1]
        place -= 1
    ids[place], distances[place] = record, distance


@kernel
def _before(distance: float, record: int, other_distance: float, other: int) -> bool:
    """Whether a record comes before another one; no record (−1) comes last."""
    if other < 0:
        return True
    return distance < other_distance or (distance == other_distance and record < other)


@kernel
def _replace_top(ids: IntVector, distances: FloatVector, record: int, distance: float) -> None:
    _sift(ids, distances, record, distance, ids.size)


@kernel
def _sift(ids: IntVector, distances: FloatVector, record: int, distance: float, size: int) -> None:
    """Let a record sink from the top of a heap of `size`, whose top comes last of all."""
    place = 0
    while 2 * place + 1 < size:
        child = 2 * place + 1
        if child + 1 < size and not _later(ids, distances, child, child + 1):
            child += 1
        if ids[child] >= 0 and _before(distances[child], ids[child], distance, record):
            break
        ids[place], distances[place] = ids[child], distances[child]
        place = child
    ids[place], distances[place] = record, distance


@kernel
def _later(ids: IntVector, distances: FloatVector, first: int, second: int) -> bool:
    """Whether the entry at `first` comes after the one at `second`."""
    if ids[first] < 0:
        return True
    if ids[second] < 0:
        return False
    return _before(distances[second], ids[second], distances[first], ids[first])


@kernel
def _sort_heap(ids: IntVector, distances: FloatVector) -> None:
    """Turn the heap into a list in order."""
    for size in range(ids.size - 1, 0, -1):
        record, distance = ids[size], distances[size]
        ids[size], distances[size] = ids[0], distances[0]
        _sift(ids, distances, record, distance, size)
