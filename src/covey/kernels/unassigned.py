"""The records that have no group yet, and the scans over them.

Rows are kept contiguous by moving the last one into the gap, so a scan reads memory in
order. Ties always go to the lowest record number, whatever the order of the rows.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from covey.kernels.compiling import kernel
from covey.types import FloatMatrix, FloatVector, IntVector


class Unassigned(NamedTuple):
    """`rows[:size]` belong to the records `ids[:size]`; record i is in row `places[i]`."""

    rows: FloatMatrix
    ids: IntVector
    places: IntVector
    total: FloatVector
    size: IntVector


@kernel
def all_unassigned(points: FloatMatrix) -> Unassigned:
    n, d = points.shape
    total = np.zeros(d)
    for i in range(n):
        for j in range(d):
            total[j] += points[i, j]
    size = np.full(1, n, dtype=np.int64)
    return Unassigned(points.copy(), np.arange(n), np.arange(n), total, size)


@kernel
def remove(left: Unassigned, record: int) -> None:
    """Take a record out; the running total of the rest follows, in order of removal."""
    place = left.places[record]
    last = left.size[0] - 1
    for j in range(left.rows.shape[1]):
        left.total[j] -= left.rows[place, j]
        left.rows[place, j] = left.rows[last, j]
    moved = left.ids[last]
    left.ids[place] = moved
    left.places[moved] = place
    left.size[0] = last


@kernel
def center(left: Unassigned) -> FloatVector:
    middle: FloatVector = left.total / left.size[0]
    return middle


@kernel
def squared_distance(rows: FloatMatrix, i: int, point: FloatVector) -> float:
    """The one expression by which all routes compute a distance, so that ties stay ties."""
    total = 0.0
    for j in range(point.shape[0]):
        difference = rows[i, j] - point[j]
        total += difference * difference
    return total


@kernel
def farthest(left: Unassigned, point: FloatVector) -> int:
    best, best_distance = -1, -1.0
    for i in range(left.size[0]):
        distance = squared_distance(left.rows, i, point)
        if distance > best_distance or (distance == best_distance and left.ids[i] < best):
            best, best_distance = left.ids[i], distance
    return best


@kernel
def nearest(left: Unassigned, point: FloatVector) -> int:
    best, best_distance = -1, np.inf
    for i in range(left.size[0]):
        distance = squared_distance(left.rows, i, point)
        if distance < best_distance or (distance == best_distance and left.ids[i] < best):
            best, best_distance = left.ids[i], distance
    return best


@kernel
def nearest_few(left: Unassigned, point: FloatVector, count: int) -> IntVector:
    """The `count` records nearest to `point`, nearest first."""
    ids = np.full(count, -1, dtype=np.int64)
    distances = np.full(count, np.inf)
    if count == 0:
        return ids
    for i in range(left.size[0]):
        distance = squared_distance(left.rows, i, point)
        if distance > distances[count - 1]:
            continue
        record = left.ids[i]
        if distance == distances[count - 1] and record > ids[count - 1] >= 0:
            continue
        place = count - 1
        while place > 0 and (
            distance < distances[place - 1]
            or (distance == distances[place - 1] and record < ids[place - 1])
        ):
            ids[place], distances[place] = ids[place - 1], distances[place - 1]
            place -= 1
        ids[place], distances[place] = record, distance
    return ids


@kernel
def distance_to_nearest_other(left: Unassigned, points: FloatMatrix, record: int) -> float:
    """Squared distance from an unassigned record to the nearest other one; inf if alone."""
    best = np.inf
    point = points[record]
    for i in range(left.size[0]):
        if left.ids[i] != record:
            best = min(best, squared_distance(left.rows, i, point))
    return best
