"""Where the records go that are left when no further group can be formed."""

from __future__ import annotations

import numpy as np

from covey.types import FloatMatrix, FloatVector, IntVector


def join_nearest(points: FloatMatrix, labels: IntVector, room: int) -> None:
    """Give each record labelled −1 to the nearest group mean; the means do not move meanwhile.

    Groups of `room` or more take nobody, unless all are that large; 0 means there is no limit.
    """
    rest = np.flatnonzero(labels < 0)
    if rest.size == 0:
        return
    means, sizes = means_and_sizes(points, labels)
    for record in rest:
        distances = _squared_distances(means, points[record])
        if room > 0 and sizes.min() < room:
            distances[sizes >= room] = np.inf
        nearest = int(np.argmin(distances))
        labels[record] = nearest
        sizes[nearest] += 1


def densest_group(points: FloatMatrix, labels: IntVector) -> int:
    """The group with the least mean squared distance to its mean."""
    means, sizes = means_and_sizes(points, labels)
    inside = np.flatnonzero(labels >= 0)
    squares = _squared_distances(points[inside], means[labels[inside]])
    return int(np.argmin(np.bincount(labels[inside], weights=squares) / sizes))


def means_and_sizes(points: FloatMatrix, labels: IntVector) -> tuple[FloatMatrix, IntVector]:
    """Means and sizes of the groups; records labelled −1 are left out."""
    inside = np.flatnonzero(labels >= 0)
    groups = labels[inside]
    sizes = np.bincount(groups)
    sums = [np.bincount(groups, weights=column) for column in points[inside].T]
    return np.column_stack(sums) / sizes[:, None], sizes


def _squared_distances(rows: FloatMatrix, to: FloatMatrix | FloatVector) -> FloatVector:
    """Summed one variable after the other, as the compiled loops do, so that ties stay ties."""
    total = np.zeros(rows.shape[0])
    for j in range(rows.shape[1]):
        difference = rows[:, j] - to[..., j]
        total += difference * difference
    return total
