"""MDAV: groups around the records farthest from the centre."""

from __future__ import annotations

import numpy as np

from covey.kernels.compiling import kernel
from covey.kernels.metering import count_done
from covey.kernels.outermost import (
    farthest_from_center,
    farthest_from_point,
    outermost_first,
)
from covey.kernels.searching import NOBODY, farthest, nearest_few
from covey.kernels.unassigned import (
    Unassigned,
    all_unassigned,
    center,
    no_labels,
    remove,
    squared_distance,
)
from covey.types import FloatMatrix, FloatVector, IntVector


@kernel
def mdav(
    points: FloatMatrix,
    k: int,
    two_a_round: bool,
    moving_center: bool,
    leaf: int,
    meter: IntVector,
) -> IntVector:
    """Labels of MDAV; −1 for a rest of fewer than k records. `meter`: see `count_done`."""
    left = all_unassigned(points, leaf)
    labels = no_labels(points.shape[0])
    middle = center(left)
    order = outermost_first(left, middle)
    group = np.int64(0)
    while left.size[0] >= 2 * k:
        if moving_center:
            middle = center(left)
        first = farthest_from_center(order, left, middle)
        second = farthest_from_point(order, left, points[first]) if two_a_round else NOBODY
        group = _take_group(left, first, k, labels, group)
        if two_a_round:
            if labels[second] >= 0:
                second = farthest_from_point(order, left, points[first])
            group = _take_group(left, second, k, labels, group)
        count_done(meter, points.shape[0] - left.size[0])
    _close(left, k, labels, group)
    return labels


@kernel
def mdav_by_diameter(
    points: FloatMatrix,
    k: int,
    by_radius: IntVector,
    radii: FloatVector,
    leaf: int,
    meter: IntVector,
) -> IntVector:
    """MDAV around the two unassigned records that are farthest apart.

    `by_radius` lists records by falling distance `radii` from the mean of all.
    """
    left = all_unassigned(points, leaf)
    labels = no_labels(points.shape[0])
    order = by_radius.copy()
    group = np.int64(0)
    while left.size[0] >= 2 * k:
        first, second = _farthest_pair(points, order[: left.size[0]], radii)
        group = _take_group(left, first, k, labels, group)
        if labels[second] >= 0:
            second = farthest(left, points[first], NOBODY)
        group = _take_group(left, second, k, labels, group)
        kept = 0
        for record in order[: left.size[0] + 2 * k]:
            if labels[record] < 0:
                order[kept] = record
                kept += 1
        count_done(meter, points.shape[0] - left.size[0])
    _close(left, k, labels, group)
    return labels


@kernel
def _farthest_pair(points: FloatMatrix, order: IntVector, radii: FloatVector) -> tuple[int, int]:
    # |x − y| ≤ radius(x) + radius(y), so pairs of small radii cannot win. The slack covers
    # rounding: a pair that ties must still be compared.
    slack = 1.0 + 1e-9
    best, first, second = -1.0, -1, -1
    for a in range(1, order.size):
        x = order[a]
        if ((radii[x] + radii[order[0]]) * slack) ** 2 < best:
            break
        for y in order[:a]:
            if ((radii[x] + radii[y]) * slack) ** 2 < best:
                break
            distance = squared_distance(points, x, points[y])
            low, high = min(x, y), max(x, y)
            if distance > best or (
                distance == best and (low < first or (low == first and high < second))
            ):
                best, first, second = distance, low, high
    return first, second


@kernel
def _take_group(left: Unassigned, seed: int, k: int, labels: IntVector, group: int) -> int:
    labels[seed] = group
    remove(left, seed)
    for record in nearest_few(left, left.points[seed], k - 1):
        labels[record] = group
        remove(left, record)
    return group + 1


@kernel
def _close(left: Unassigned, k: int, labels: IntVector, group: int) -> None:
    """A rest of k or more records is one more group."""
    if left.size[0] >= k:
        for record in range(labels.size):
            if labels[record] < 0:
                labels[record] = group
