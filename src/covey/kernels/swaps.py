"""Moves between groups that lower the SSE: exchanges and migrations.

With group sums S and sizes m, the SSE is a constant minus Σ|S|²/m, so a move costs O(d).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from covey.kernels.chance import below, draw
from covey.kernels.compiling import kernel
from covey.kernels.unassigned import squared_distance
from covey.types import FloatMatrix, FloatVector, IntVector

# A gain must exceed rounding, or two records could change places for ever.
LEAST_GAIN = 1e-12


class Groups(NamedTuple):
    """Groups whose members can be exchanged: `members[starts[g] :][: sizes[g]]`."""

    labels: IntVector
    members: IntVector
    places: IntVector
    starts: IntVector
    sizes: IntVector
    sums: FloatMatrix


@kernel
def groups_from_labels(points: FloatMatrix, labels: IntVector, room: int) -> Groups:
    """Groups with room for `room` members each."""
    n, d = points.shape
    n_groups = 0
    for label in labels:
        n_groups = max(n_groups, label + 1)
    starts = np.empty(n_groups, dtype=np.int64)
    for g in range(n_groups):
        starts[g] = g * room
    members = np.empty(n_groups * room, dtype=np.int64)
    places = np.empty(n, dtype=np.int64)
    sizes = np.zeros(n_groups, dtype=np.int64)
    sums = np.zeros((n_groups, d))
    for i in range(n):
        g = labels[i]
        places[i] = starts[g] + sizes[g]
        members[places[i]] = i
        sizes[g] += 1
        for j in range(d):
            sums[g, j] += points[i, j]
    return Groups(labels, members, places, starts, sizes, sums)


@kernel
def exchange_gain(
    points: FloatMatrix,
    x: int,
    y: int,
    sum_x: FloatVector,
    sum_y: FloatVector,
    size_x: int,
    size_y: int,
) -> float:
    """By how much the SSE falls when x and y change places."""
    dot = 0.0
    square = 0.0
    for j in range(points.shape[1]):
        delta = points[y, j] - points[x, j]
        dot += delta * (sum_x[j] / size_x - sum_y[j] / size_y)
        square += delta * delta
    return 2.0 * dot + square * (1.0 / size_x + 1.0 / size_y)


@kernel
def shift_sums(points: FloatMatrix, x: int, y: int, sum_x: FloatVector, sum_y: FloatVector) -> None:
    """Follow x into y's group and y into x's."""
    for j in range(points.shape[1]):
        delta = points[y, j] - points[x, j]
        sum_x[j] += delta
        sum_y[j] -= delta


@kernel
def try_exchange(points: FloatMatrix, groups: Groups, x: int, y: int) -> bool:
    """Exchange x and y if that lowers the SSE."""
    a, b = groups.labels[x], groups.labels[y]
    if a == b:
        return False
    gain = exchange_gain(
        points, x, y, groups.sums[a], groups.sums[b], groups.sizes[a], groups.sizes[b]
    )
    if gain <= LEAST_GAIN:
        return False
    shift_sums(points, x, y, groups.sums[a], groups.sums[b])
    groups.labels[x], groups.labels[y] = b, a
    groups.places[x], groups.places[y] = groups.places[y], groups.places[x]
    groups.members[groups.places[x]] = x
    groups.members[groups.places[y]] = y
    return True


@kernel
def random_pairs_pass(
    points: FloatMatrix,
    groups: Groups,
    records: IntVector,
    rate: float,
    state: NDArray[np.uint64],
) -> bool:
    """Draw `rate` of the records; pair each with any other at random."""
    count = max(int(rate * records.size), 1)
    draw(state, records, count)
    improved = False
    for i in range(count):
        if try_exchange(points, groups, records[i], records[below(state, records.size)]):
            improved = True
    return improved


@kernel
def neighbour_pass(
    points: FloatMatrix,
    groups: Groups,
    neighbours: Any,
    records: IntVector,
    rate: float,
    state: NDArray[np.uint64],
) -> bool:
    """Draw `rate` of the records; pair each with a member of a group close to its own."""
    count = max(int(rate * records.size), 1)
    draw(state, records, count)
    improved = False
    for x in records[:count]:
        close = neighbours[groups.labels[x]]
        g = close[below(state, close.size)]
        y = groups.members[groups.starts[g] + below(state, groups.sizes[g])]
        if try_exchange(points, groups, x, y):
            improved = True
    return improved


@kernel
def migrate(
    points: FloatMatrix,
    groups: Groups,
    k: int,
    records: IntVector,
    rate: float,
    state: NDArray[np.uint64],
) -> None:
    """Move `rate` of the records, each to its best group, where sizes k..2k − 1 and gain allow."""
    count = int(rate * records.size)
    draw(state, records, count)
    for x in records[:count]:
        if groups.sizes[groups.labels[x]] > k:
            _migrate_one(points, groups, k, x)


@kernel
def _migrate_one(points: FloatMatrix, groups: Groups, k: int, x: int) -> None:
    a = groups.labels[x]
    size = groups.sizes[a]
    saved = squared_distance(points, x, groups.sums[a] / size) * size / (size - 1)
    best, best_cost = -1, saved - LEAST_GAIN
    for g in range(groups.sizes.size):
        size = groups.sizes[g]
        if g != a and size < 2 * k - 1:
            cost = squared_distance(points, x, groups.sums[g] / size) * size / (size + 1)
            if cost < best_cost:
                best, best_cost = g, cost
    if best >= 0:
        _move(points, groups, x, best)


@kernel
def _move(points: FloatMatrix, groups: Groups, x: int, target: int) -> None:
    a = groups.labels[x]
    last = groups.members[groups.starts[a] + groups.sizes[a] - 1]
    groups.members[groups.places[x]] = last
    groups.places[last] = groups.places[x]
    groups.sizes[a] -= 1
    groups.labels[x] = target
    groups.places[x] = groups.starts[target] + groups.sizes[target]
    groups.members[groups.places[x]] = x
    groups.sizes[target] += 1
    for j in range(points.shape[1]):
        groups.sums[a, j] -= points[x, j]
        groups.sums[target, j] += points[x, j]
