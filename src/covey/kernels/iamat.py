"""IAMAT: groups that grow by the record nearest to their centroid."""

from __future__ import annotations

import numpy as np

from covey.kernels.compiling import kernel
from covey.kernels.metering import count_done
from covey.kernels.outermost import farthest_from_center, outermost_first
from covey.kernels.searching import distance_to_nearest_other, nearest
from covey.kernels.unassigned import (
    Unassigned,
    all_unassigned,
    center,
    remove,
    squared_distance,
)
from covey.types import FloatMatrix, FloatVector, IntVector


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
    for size in range(1, largest):
        if left.size[0] == 0:
            return
        centroid = total / size
        record = nearest(left, centroid)
        if size >= k:
            inside = squared_distance(points, record, centroid)
            outside = distance_to_nearest_other(left, record, points[record])
            if not inside < gamma * gamma * outside:
                return
        _join(left, points, record, total, labels, group)


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
