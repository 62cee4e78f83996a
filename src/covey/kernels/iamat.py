"""IAMAT: groups that grow by the record nearest to their centroid."""

from __future__ import annotations

import numpy as np

from covey.kernels.compiling import kernel
from covey.kernels.unassigned import (
    Unassigned,
    all_unassigned,
    center,
    distance_to_nearest_other,
    farthest,
    nearest,
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
    meter: IntVector,
) -> IntVector:
    """Labels of IAMAT: groups of k, extended up to `largest` while gamma allows it.

    −1 for a rest of fewer than k records. `meter` counts records done.
    """
    left = all_unassigned(points)
    labels = np.full(points.shape[0], -1, dtype=np.int64)
    middle = center(left)
    group = 0
    while left.size[0] >= k:
        if moving_center:
            middle = center(left)
        _grow(left, points, farthest(left, middle), k, largest, gamma, labels, group)
        group += 1
        meter[0] = points.shape[0] - left.size[0]
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
            outside = distance_to_nearest_other(left, points, record)
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
