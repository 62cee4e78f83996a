"""The record farthest from a centre that moves a little at a time.

The outermost records are kept in the order of their distance from an old centre c₀. Since a
distance changes by at most |c − c₀|, only the first few of them can be the farthest from c. When
looking at these has cost as much as listing them anew, they are listed anew; when the list does not
tell, the tree does.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from covey.kernels.compiling import kernel
from covey.kernels.searching import NOBODY, farthest
from covey.kernels.sorting import stable_order
from covey.kernels.unassigned import (
    WIDTH,
    Unassigned,
    block_distances,
    is_tree,
    squared_distance,
)
from covey.types import FloatVector, IntVector

# Covers rounding in square roots and sums of them.
SLACK = 1.0 + 1e-9
# Records looked at, as a multiple of those left, before they are listed anew (measured).
PATIENCE = 0.5
# One in so many is listed, at least FEWEST; a sample tells how far out these are.
ONE_IN, FEWEST, SAMPLE = 16, 1000, 1000
# Outermost records looked at before a tree is faster (measured).
MOST_OUTER = 100
# A search in the tree costs about as much as looking at so many records.
COST_OF_TREE = 1000


class Outermost(NamedTuple):
    """`records` by falling distance `radii` from `old_center`; others are within `edge[0]`.

    `state` has the first place that may be live, the number of places and what they have cost.
    """

    records: IntVector
    radii: FloatVector
    old_center: FloatVector
    edge: FloatVector
    state: IntVector


@kernel
def outermost_first(left: Unassigned, middle: FloatVector) -> Outermost:
    n, d = left.points.shape
    order = Outermost(
        np.empty(n, dtype=np.int64),
        np.empty(n),
        np.empty(d),
        np.empty(1),
        np.zeros(3, dtype=np.int64),
    )
    if is_tree(left):
        _list(order, left, middle)
    return order


@kernel
def farthest_from_center(order: Outermost, left: Unassigned, middle: FloatVector) -> int:
    """The unassigned record farthest from `middle`."""
    if not is_tree(left):
        return farthest(left, middle, NOBODY)
    if order.state[2] > PATIENCE * left.size[0]:
        _list(order, left, middle)
    best, certain = _farthest_listed(order, left, middle)
    if certain:
        return int(best)
    order.state[2] += COST_OF_TREE
    return farthest(left, middle, best)


@kernel
def _farthest_listed(order: Outermost, left: Unassigned, middle: FloatVector) -> tuple[int, bool]:
    """The farthest of the list, and whether nobody outside can be as far."""
    shift = _distance(middle, order.old_center)
    first, count = _first_live(order, left), order.state[1]
    best, best_distance, reach = NOBODY, -1.0, 0.0
    place, kept = first, first
    while place < count and (order.radii[place] + shift) * SLACK >= reach:
        record, radius = order.records[place], order.radii[place]
        place += 1
        if left.places[record] < 0:
            continue
        order.records[kept], order.radii[kept] = record, radius
        kept += 1
        distance = squared_distance(left.points, record, middle)
        if distance > best_distance or (distance == best_distance and record < best):
            best, best_distance, reach = record, distance, np.sqrt(distance)
    _close_gap(order, first, kept, place)
    order.state[2] += place - first
    return best, (order.edge[0] + shift) * SLACK < reach


@kernel
def _close_gap(order: Outermost, first: int, kept: int, end: int) -> None:
    """Let the places from `first` to `kept` end at `end`: nobody looks at the dead again."""
    gap = end - kept
    if gap > 0:
        for place in range(kept - 1, first - 1, -1):
            order.records[place + gap] = order.records[place]
            order.radii[place + gap] = order.radii[place]
        order.state[0] = first + gap


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
    while place < order.state[1] and left.places[order.records[place]] < 0:
        place += 1
    order.state[0] = place
    return int(place)


@kernel
def _list(order: Outermost, left: Unassigned, middle: FloatVector) -> None:
    """List the outermost records anew, around `middle`."""
    records, squares = _all_distances(left, middle)
    edge = _edge_of_list(squares)
    count = 0
    for i in range(records.size):
        if squares[i] >= edge:
            records[count], squares[count] = records[i], -np.sqrt(squares[i])
            count += 1
    by_radius = stable_order(squares[:count])
    for place in range(count):
        order.records[place] = records[by_radius[place]]
        order.radii[place] = -squares[by_radius[place]]
    for j in range(middle.size):
        order.old_center[j] = middle[j]
    order.edge[0] = np.sqrt(edge) if count < records.size else -np.inf
    order.state[0], order.state[1], order.state[2] = 0, count, 0


@kernel
def _all_distances(left: Unassigned, middle: FloatVector) -> tuple[IntVector, FloatVector]:
    """The live records as they lie, and their squared distances from `middle`."""
    records, squares = np.empty(left.size[0], dtype=np.int64), np.empty(left.size[0])
    here = np.empty(WIDTH)
    found = 0
    for first in range(0, left.ids.size, left.capacity):
        end = first + left.counts[left.first_leaf + first // left.capacity]
        for begin in range(first, end, WIDTH):
            block_distances(left.blocks, begin // WIDTH, middle, here)
            for c in range(min(WIDTH, end - begin)):
                records[found], squares[found] = left.ids[begin + c], here[c]
                found += 1
    return records, squares


@kernel
def _edge_of_list(squares: FloatVector) -> float:
    """A square that about one in `ONE_IN` reach; −1 where all of them are to be listed."""
    n = squares.size
    if n < ONE_IN * FEWEST:
        return -1.0
    sample = np.empty(SAMPLE)
    for i in range(SAMPLE):
        sample[i] = squares[i * (n // SAMPLE)]
    order = stable_order(sample)
    return float(sample[order[SAMPLE - SAMPLE // ONE_IN]])
