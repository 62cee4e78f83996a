"""IAMAT: groups that grow by the record nearest to their centroid."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from covey.kernels.compiling import kernel
from covey.kernels.crowding import has_other_near
from covey.kernels.metering import count_done
from covey.kernels.outermost import farthest_from_center, outermost_first
from covey.kernels.searching import nearest, nearest_few
from covey.kernels.unassigned import (
    Unassigned,
    all_unassigned,
    center,
    is_tree,
    no_labels,
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
    labels = no_labels(points.shape[0])
    middle = center(left)
    order = outermost_first(left, middle)
    group = np.int64(0)
    while left.size[0] >= k:
        if moving_center:
            middle = center(left)
        seed = farthest_from_center(order, left, middle)
        _grow(left, seed, k, largest, gamma, labels, group)
        group += 1
        count_done(meter, points.shape[0] - left.size[0])
    return labels


@kernel
def _grow(
    left: Unassigned,
    seed: int,
    k: int,
    largest: int,
    gamma: float,
    labels: IntVector,
    group: int,
) -> None:
    total, centroid = np.zeros(left.total.size), np.empty(left.total.size)
    _join(left, seed, total, labels, group)
    close = Shortlist(no_labels(SHORTLIST), np.zeros_like(total), np.zeros(1))
    for size in range(1, largest):
        if left.size[0] == 0:
            return
        for j in range(total.size):
            centroid[j] = total[j] / size
        if size < STEADY_FROM or not is_tree(left):
            record = nearest(left, centroid)
        else:
            record = _nearest_by_list(left, close, centroid)
        if size >= k:
            inside = squared_distance(left.points, record, centroid)
            if gamma * gamma == 0.0 or has_other_near(left, record, inside, gamma * gamma):
                return
        _join(left, record, total, labels, group)


@kernel
def _nearest_by_list(left: Unassigned, close: Shortlist, centroid: FloatVector) -> int:
    """The unassigned record nearest to `centroid`.

    It is in the list when one there is closer than any record outside can be; one outside that
    ties must be looked for. A list that does not tell is made anew.
    """
    best, best_distance = -1, np.inf
    for record in close.records:
        if record >= 0 and left.places[record] >= 0:
            distance = squared_distance(left.points, record, centroid)
            if distance < best_distance or (distance == best_distance and record < best):
                best, best_distance = record, distance
    away = 0.0
    for j in range(centroid.size):
        away += (centroid[j] - close.middle[j]) ** 2
    if np.sqrt(best_distance) * SLACK < close.radius[0] - np.sqrt(away) * SLACK:
        return best
    found = nearest_few(left, centroid, SHORTLIST)
    for place in range(SHORTLIST):
        close.records[place] = found[place]
    for j in range(centroid.size):
        close.middle[j] = centroid[j]
    last = found[SHORTLIST - 1]
    close.radius[0] = np.inf
    if last >= 0:
        close.radius[0] = np.sqrt(squared_distance(left.points, last, centroid))
    return int(found[0])


@kernel
def _join(
    left: Unassigned,
    record: int,
    total: FloatVector,
    labels: IntVector,
    group: int,
) -> None:
    labels[record] = group
    remove(left, record)
    for j in range(total.shape[0]):
        total[j] += left.points[record, j]
