"""V-MDAV: MDAV's groups, extended while the next record is clearly closer to them."""

from __future__ import annotations

import numpy as np

from covey.kernels.compiling import kernel
from covey.kernels.crowding import has_other_near
from covey.kernels.metering import count_done
from covey.kernels.outermost import farthest_from_center, outermost_first
from covey.kernels.searching import nearest_few, nearest_within
from covey.kernels.unassigned import (
    Unassigned,
    all_unassigned,
    center,
    no_labels,
    remove,
    squared_distance,
)
from covey.types import FloatMatrix, IntVector


@kernel
def vmdav(points: FloatMatrix, k: int, gamma: float, leaf: int, meter: IntVector) -> IntVector:
    """Labels of V-MDAV; −1 for a rest of fewer than k records. `meter`: see `count_done`."""
    left = all_unassigned(points, leaf)
    labels = no_labels(points.shape[0])
    middle = center(left)
    order = outermost_first(left, middle)
    members = np.empty(2 * k, dtype=np.int64)
    closest = np.empty(2 * k, dtype=np.int64)
    group = np.int64(0)
    while left.size[0] >= k:
        seed = farthest_from_center(order, left, middle)
        labels[seed] = group
        remove(left, seed)
        # One more than the group needs: what is left nearest to the seed once they are gone.
        near = nearest_few(left, points[seed], k)
        members[0], closest[0] = seed, near[k - 1]
        for place in range(1, k):
            members[place] = near[place - 1]
            labels[members[place]] = group
            remove(left, members[place])
        _extend(left, members, k, closest, gamma, labels, group)
        group += 1
        count_done(meter, points.shape[0] - left.size[0])
    return labels


@kernel
def _extend(
    left: Unassigned,
    members: IntVector,
    k: int,
    closest: IntVector,
    gamma: float,
    labels: IntVector,
    group: int,
) -> None:
    """Add up to k − 1 records.

    `closest` holds the unassigned record nearest to each member, or −1 if that is not known; here
    the seed's.
    """
    if gamma * gamma == 0.0:
        return
    for place in range(1, k):
        closest[place] = -1
    for size in range(k, 2 * k - 1):
        if left.size[0] == 0:
            return
        candidate, inside = _closest_to_any(left, members[:size], closest)
        if has_other_near(left, candidate, inside, gamma * gamma):
            return
        labels[candidate] = group
        remove(left, candidate)
        members[size], closest[size] = candidate, -1


@kernel
def _closest_to_any(left: Unassigned, members: IntVector, closest: IntVector) -> tuple[int, float]:
    """The unassigned record nearest to any member, and its squared distance."""
    best, best_distance = -1, np.inf
    for i in range(members.size):
        if closest[i] < 0 or left.places[closest[i]] < 0:
            closest[i] = nearest_within(left, left.points[members[i]], best_distance)
        record = closest[i]
        if record < 0:
            continue
        distance = squared_distance(left.points, record, left.points[members[i]])
        if distance < best_distance or (distance == best_distance and record < best):
            best, best_distance = record, distance
    return best, best_distance
