"""IAMAT: groups that grow by the record nearest to their centroid."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from covey.kernels.compiling import kernel
from covey.kernels.metering import count_done
from covey.kernels.outermost import farthest_from_center, outermost_first
from covey.kernels.searching import distance_to_nearest_other, nearest, nearest_few
from covey.kernels.unassigned import (
    Unassigned,
    all_unassigned,
    center,
    remove,
    squared_distance,
)
from covey.types import FloatMatrix, FloatVector, IntVector

# The centroid of a group of so many records hardly moves when one joins: then a list of the nearest
# serves for several steps (measured).
STEADY_FROM = 16
SHORTLIST = 32
# Covers rounding in square roots.
SLACK = 1.0 + 1e-9


class Shortlist(NamedTuple):
    """The records nearest to `middle`: everybody else is at `radius[0]` from it or farther."""

    records: IntVector
    middle: FloatVector
    radius: FloatVector


@kernel
def iamat(
    points: FloatMatrix,
    k: int,
    moving_center: bool,
    largest: int,
    gamma: float,
    leaf: int,
    meter: IntVector,
) -> IntVector:
    """Labels of IAMAT: groups of k, extended up to `largest` while gamma allows it.

    −1 for a rest of fewer than k records. `meter`: see `count_done`.
    """
    left = all_unassigned(points, leaf)
    labels = np.full(points.shape[0], -1, dtype=np.int64)
    middle = center(left)
    order = outermost_first(left, middle)
    group = 0
    while left.size[0] >= k:
        if moving_center:
            middle = center(left)
        seed = farthest_from_center(order, left, middle)
        _grow(left, points, seed, k, largest, gamma, labels, group)
        group += 1
        count_done(meter, points.shape[0] - left.size[0])
    return labels


@kernel
def _grow(
    left: Unassigned,
    points: FloatMatrix,
    seed: int,
    k: int,
    largest: int,
    gamma: float,
    labels: IntVector,
    group: int,
) -> None:
    total = np.zeros(points.shape[1])
    _join(left, points, seed, total, labels, group)
    close = Shortlist(np.full(SHORTLIST, -1, dtype=np.int64), np.zeros_like(total), np.zeros(1))
    for size in range(1, largest):
        if left.size[0] == 0:
            return
        centroid = total / size
        if size < STEADY_FROM or left.starts.size == 1:
            record = nearest(left, centroid)
        else:
            record = _nearest_by_list(left, close, centroid)
        if size >= k:
            inside = squared_distance(points, record, centroid)
            outside = distance_to_nearest_other(left, record, points[record])
            if not inside < gamma * gamma * outside:
                return
        _join(left, points, record, total, labels, group)


@kernel
def _nearest_by_list(left: Unassigned, close: Shortlist, centroid: FloatVector) -> int:
    """The unassigned record nearest to `centroid`.

    It is in the list when one there is closer than any record outside can be; one outside that
    ties must be looked for. A list that does not tell is made anew.
    """
    best, best_distance = -1, np.inf
    for record in close.records:
        if record >= 0 and left.places[record] >= 0:
            distance = squared_distance(left.rows, left.places[record], centroid)
            if distance < best_distance or (distance == best_distance and record < best):
                best, best_distance = record, distance
    away = 0.0
    for j in range(centroid.size):
        away += (centroid[j] - close.middle[j]) ** 2
    if np.sqrt(best_distance) * SLACK < close.radius[0] - np.sqrt(away) * SLACK:
        return best
    close.records[:] = nearest_few(left, centroid, SHORTLIST)
    close.middle[:] = centroid
    last = close.records[-1]
    close.radius[0] = np.inf
    if last >= 0:
        close.radius[0] = np.sqrt(squared_distance(left.rows, left.places[last], centroid))
    return int(close.records[0])


@kernel
def _join(
    left: Unassigned,
    points: FloatMatrix,
    record: int,
    total: FloatVector,
    labels: IntVector,
    group: int,
) -> None:
    labels[record] = group
    remove(left, record)
    for j in range(total.shape[0]):
        total[j] += points[record, j]
