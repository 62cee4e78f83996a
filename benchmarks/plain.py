"""The plain compiled scan: what the index is judged against.

MDAV (two groups a round, moving centre) and IAMAT (groups of k) as one writes them down: a label
for everybody, and a pass over all records for every question. No tree, no order kept, no record
ever moved. It shares no search with Covey, only three rules, so that the labels can be compared one
by one: a distance is one loop over the variables, ties go to the lowest record, and the centre is
what is left of a running sum, in order of removal.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from covey.core.remainder import join_nearest
from covey.types import FloatMatrix, FloatVector, IntVector


def mdav(points: FloatMatrix, k: int) -> IntVector:
    """The labels of `covey.techniques.MDAV(k)`."""
    labels = _mdav(points, k)
    if labels.min() < 0:
        join_nearest(points, labels, 0)
    return labels


def iamat(points: FloatMatrix, k: int) -> IntVector:
    """The labels of `covey.techniques.IAMAT(k)`."""
    labels = _iamat(points, k)
    labels[labels < 0] = labels.max()
    return labels


@njit(cache=True)
def _mdav(points: FloatMatrix, k: int) -> IntVector:
    labels = np.full(points.shape[0], -1, dtype=np.int64)
    total, left, group = _sum(points), points.shape[0], 0
    while left >= 2 * k:
        first = _farthest(points, labels, total / left)
        second = _farthest(points, labels, points[first])
        _take_group(points, labels, first, k, total, group)
        if labels[second] >= 0:
            second = _farthest(points, labels, points[first])
        _take_group(points, labels, second, k, total, group + 1)
        left, group = left - 2 * k, group + 2
    if left >= k:
        labels[labels < 0] = group
    return labels


@njit(cache=True)
def _take_group(
    points: FloatMatrix, labels: IntVector, seed: int, k: int, total: FloatVector, group: int
) -> None:
    labels[seed] = group
    total -= points[seed]
    for record in _nearest_few(points, labels, points[seed], k - 1):
        labels[record] = group
        total -= points[record]


@njit(cache=True)
def _iamat(points: FloatMatrix, k: int) -> IntVector:
    labels = np.full(points.shape[0], -1, dtype=np.int64)
    center = _sum(points) / points.shape[0]
    for group in range(points.shape[0] // k):
        record = _farthest(points, labels, center)
        total = np.zeros(points.shape[1])
        for size in range(1, k + 1):
            labels[record] = group
            total += points[record]
            if size < k:
                record = _nearest_few(points, labels, total / size, 1)[0]
    return labels


@njit(cache=True)
def _farthest(points: FloatMatrix, labels: IntVector, point: FloatVector) -> int:
    best, best_distance = -1, -1.0
    for i in range(points.shape[0]):
        if labels[i] < 0:
            distance = _distance(points, i, point)
            if distance > best_distance:
                best, best_distance = i, distance
    return best


@njit(cache=True)
def _nearest_few(
    points: FloatMatrix, labels: IntVector, point: FloatVector, count: int
) -> IntVector:
    """One pass that keeps the nearest so far in order: records come by number, so ties stay."""
    found, distances = np.full(count, -1, dtype=np.int64), np.full(count, np.inf)
    for i in range(points.shape[0]):
        if labels[i] < 0:
            distance = _distance(points, i, point)
            if distance >= distances[-1]:
                continue
            place = count - 1
            while place > 0 and distance < distances[place - 1]:
                found[place], distances[place] = found[place - 1], distances[place - 1]
                place -= 1
            found[place], distances[place] = i, distance
    return found


@njit(cache=True)
def _distance(points: FloatMatrix, i: int, point: FloatVector) -> float:
    total = 0.0
    for j in range(point.shape[0]):
        difference = points[i, j] - point[j]
        total += difference * difference
    return total


@njit(cache=True)
def _sum(points: FloatMatrix) -> FloatVector:
    total = np.zeros(points.shape[1])
    for i in range(points.shape[0]):
        total += points[i]
    return total
