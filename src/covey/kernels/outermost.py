"""The record farthest from a centre that moves a little at a time.

Records are kept in the order of their distance from an old centre c₀. Since a distance changes by
at most |c − c₀|, only the first few of them can be the farthest from c. When looking at these has
cost as much as sorting anew, they are sorted anew.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from covey.kernels.compiling import kernel
from covey.kernels.searching import NOBODY, farthest
from covey.kernels.sorting import stable_order
from covey.kernels.unassigned import Unassigned, is_tree, squared_distance
from covey.types import FloatVector, IntVector

# Covers rounding in square roots and sums of them.
SLACK = 1.0 + 1e-9
# Records looked at, as a multiple of those left, before they are sorted anew (measured).
PATIENCE = 2
# Outermost records looked at before a tree is faster (measured).
MOST_OUTER = 100


class Outermost(NamedTuple):
    """`records` by falling distance `radii` from `old_center`.

    `state` has the first place that may be live, the number of places and what they have cost.
    """

    records: IntVector
    radii: FloatVector
    old_center: FloatVector
    state: IntVector


@kernel
def outermost_first(left: Unassigned, middle: FloatVector) -> Outermost:
    n, d = left.points.shape
    order = Outermost(
        np.empty(n, dtype=np.int64), np.empty(n), np.empty(d), np.zeros(3, dtype=np.int64)
    )
    if is_tree(left):
        _sort(order, left, middle)
    return order


@kernel
def farthest_from_center(order: Outermost, left: Unassigned, middle: FloatVector) -> int:
    """The unassigned record farthest from `middle`."""
    if not is_tree(left):
        return farthest(left, middle, NOBODY)
    if order.state[2] > PATIENCE * left.size[0]:
        _sort(order, left, middle)
    shift = _distance(middle, order.old_center)
    first, count = _first_live(order, left), order.state[1]
    best, best_distance, reach = NOBODY, -1.0, 0.0
    place = first
    while place < count and (order.radii[place] + shift) * SLACK >= reach:
        record = order.records[place]
        place += 1
        if left.places[record] < 0:
            continue
        distance = squared_distance(left.points, record, middle)
        if distance > best_distance or (distance == best_distance and record < best):
            best, best_distance, reach = record, distance, np.sqrt(distance)
    order.state[2] += place - first
    return int(best)


@kernel
def farthest_from_point(order: Outermost, left: Unassigned, point: FloatVector) -> int:
    """The unassigned record farthest from `point`, which lies far out itself.

    The farthest is far out on another side, so it is most likely among the outermost: a record
    cannot be farther than its radius and that of the point together. When too many would have to
    be looked at, the tree goes on from the best of them.
    """
    if not is_tree(left):
        return farthest(left, point, NOBODY)
    away = _distance(point, order.old_center)
    first = _first_live(order, left)
    best, best_distance, reach, live = NOBODY, -1.0, 0.0, 0
    for place in range(first, order.state[1]):
        if (order.radii[place] + away) * SLACK < reach:
            order.state[2] += place - first - live
            return int(best)
        if live == MOST_OUTER:
            break
        record = order.records[place]
        if left.places[record] < 0:
            continue
        live += 1
        distance = squared_distance(left.points, record, point)
        if distance > best_distance or (distance == best_distance and record < best):
            best, best_distance, reach = record, distance, np.sqrt(distance)
    return farthest(left, point, best)


@kernel
def _distance(first: FloatVector, second: FloatVector) -> float:
    total = 0.0
    for j in range(first.size):
        total += (first[j] - second[j]) ** 2
    return float(np.sqrt(total))


@kernel
def _first_live(order: Outermost, left: Unassigned) -> int:
    place = order.state[0]
    while left.places[order.records[place]] < 0:
        place += 1
    order.state[0] = place
    return int(place)


@kernel
def _sort(order: Outermost, left: Unassigned, middle: FloatVector) -> None:
    count = left.size[0]
    radii, records = np.empty(count), np.empty(count, dtype=np.int64)
    found = 0
    for record in range(left.places.size):
        if left.places[record] >= 0:
            records[found] = record
            radii[found] = -np.sqrt(squared_distance(left.points, record, middle))
            found += 1
    by_radius = stable_order(radii)
    for place in range(count):
        order.records[place] = records[by_radius[place]]
        order.radii[place] = -radii[by_radius[place]]
    for j in range(middle.size):
        order.old_center[j] = middle[j]
    order.state[0], order.state[1], order.state[2] = 0, count, 0
