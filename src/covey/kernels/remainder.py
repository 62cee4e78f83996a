"""Where the records go that are left when no further group can be formed."""

from __future__ import annotations

import numpy as np

from covey.kernels.compiling import kernel
from covey.kernels.unassigned import squared_distance
from covey.types import FloatMatrix, IntVector


@kernel
def group_means(points: FloatMatrix, labels: IntVector, n_groups: int) -> FloatMatrix:
    """Means of the groups; records labelled −1 are left out."""
    means = np.zeros((n_groups, points.shape[1]))
    sizes = np.zeros(n_groups)
    for i in range(points.shape[0]):
        if labels[i] >= 0:
            sizes[labels[i]] += 1.0
            for j in range(points.shape[1]):
                means[labels[i], j] += points[i, j]
    for g in range(n_groups):
        for j in range(points.shape[1]):
            means[g, j] /= sizes[g]
    return means


@kernel
def join_nearest(points: FloatMatrix, labels: IntVector, room: int) -> None:
    """Give each record labelled −1 to the nearest group mean; the means do not move meanwhile.

    Groups of `room` or more take nobody, unless all are that large; 0 means there is no limit.
    """
    n_groups = labels.max() + 1
    means = group_means(points, labels, n_groups)
    sizes = np.zeros(n_groups, dtype=np.int64)
    for label in labels:
        if label >= 0:
            sizes[label] += 1
    for i in range(points.shape[0]):
        if labels[i] < 0:
            full = room > 0 and sizes.min() >= room
            best, best_distance = -1, np.inf
            for g in range(n_groups):
                distance = squared_distance(means, g, points[i])
                if distance < best_distance and (room == 0 or full or sizes[g] < room):
                    best, best_distance = g, distance
            labels[i] = best
            sizes[best] += 1


@kernel
def densest_group(points: FloatMatrix, labels: IntVector) -> int:
    """The group with the least mean squared distance to its mean."""
    n_groups = labels.max() + 1
    means = group_means(points, labels, n_groups)
    spread = np.zeros(n_groups)
    sizes = np.zeros(n_groups)
    for i in range(points.shape[0]):
        if labels[i] >= 0:
            spread[labels[i]] += squared_distance(points, i, means[labels[i]])
            sizes[labels[i]] += 1.0
    return int(np.argmin(spread / sizes))
