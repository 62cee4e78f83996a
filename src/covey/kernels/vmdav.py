"""V-MDAV: MDAV's groups, extended while the next record is clearly closer to them."""

from __future__ import annotations

import numpy as np

from covey.kernels.compiling import kernel
from covey.kernels.unassigned import (
    Unassigned,
    all_unassigned,
    center,
    distance_to_nearest_other,
    farthest,
    nearest_few,
    remove,
    squared_distance,
)
from covey.types import FloatMatrix, FloatVector, IntVector


@kernel
def vmdav(points: FloatMatrix, k: int, gamma: float, meter: IntVector) -> IntVector:
    """Labels of V-MDAV; −1 for a rest of fewer than k records. `meter` counts records done."""
    left = all_unassigned(points)
    labels = np.full(points.shape[0], -1, dtype=np.int64)
    middle = center(left)
    closest = np.empty(points.shape[0])
    group = 0
    while left.size[0] >= k:
        seed = farthest(left, middle)
        labels[seed] = group
        remove(left, seed)
        members = nearest_few(left, points[seed], k - 1)
        for record in members:
            labels[record] = group
            remove(left, record)
        _extend(left, points, seed, members, closest, gamma, labels, group)
        group += 1
        meter[0] = points.shape[0] - left.size[0]
    return labels


@kernel
def _extend(
    left: Unassigned,
    points: FloatMatrix,
    seed: int,
    members: IntVector,
    closest: FloatVector,
    gamma: float,
    labels: IntVector,
    group: int,
) -> None:
    """Add up to k − 1 records; `closest` holds squared distances to the nearest member."""
    for i in range(left.size[0]):
        closest[left.ids[i]] = squared_distance(left.rows, i, points[seed])
    for record in members:
        _bring_closer(left, points, record, closest)
    for _ in range(members.size):
        if left.size[0] == 0:
            return
        candidate = _closest_record(left, closest)
        outside = distance_to_nearest_other(left, points, candidate)
        if not closest[candidate] < gamma * gamma * outside:
            return
        labels[candidate] = group
        remove(left, candidate)
        _bring_closer(left, points, candidate, closest)


@kernel
def _bring_closer(left: Unassigned, points: FloatMatrix, member: int, closest: FloatVector) -> None:
    for i in range(left.size[0]):
        record = left.ids[i]
        closest[record] = min(closest[record], squared_distance(left.rows, i, points[member]))


@kernel
def _closest_record(left: Unassigned, closest: FloatVector) -> int:
    best = left.ids[0]
    for record in left.ids[1 : left.size[0]]:
        if closest[record] < closest[best] or (closest[record] == closest[best] and record < best):
            best = record
    return int(best)
