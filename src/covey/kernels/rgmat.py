"""RGMAT: halve the records recursively, exchanging records between the halves."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from covey.kernels.chance import draw, stream
from covey.kernels.compiling import kernel
from covey.kernels.migrating import migrate
from covey.kernels.metering import count_done, go_on
from covey.kernels.neighbours import neighbour_pass, none_settled
from covey.kernels.selecting import bring_smallest
from covey.kernels.swaps import (
    LEAST_GAIN,
    groups_from_labels,
    with_reaches,
)
from covey.kernels.unassigned import squared_distance
from covey.types import FloatMatrix, FloatVector, IntMatrix, IntVector


@kernel
def split_recursively(
    points: FloatMatrix,
    k: int,
    rate: float,
    patience: int,
    max_epochs: int,
    seed: int,
    meter: IntVector,
) -> IntVector:
    """Leaf of each record. Every node has its own stream, so subtrees are independent.

    `meter` counts records that are in their leaf.
    """
    n = points.shape[0]
    labels = np.empty(n, dtype=np.int64)
    order = np.arange(n)
    # A node is (first, end, number); halving n/k times needs few at once.
    stack = np.empty((4 * 64, 3), dtype=np.int64)
    stack[0, 0], stack[0, 1], stack[0, 2] = 0, n, 1
    waiting, leaves = 1, 0
    while waiting > 0:
        waiting -= 1
        low, high, node = stack[waiting, 0], stack[waiting, 1], stack[waiting, 2]
        if high - low < 2 * k:
            for i in range(low, high):
                labels[order[i]] = leaves
            leaves += 1
            count_done(meter, meter[0] + high - low)
            continue
        middle = low + left_size(high - low, k)
        left, right = order[low:middle], order[middle:high]
        _split_off_farthest(points, order[low:high], middle - low)
        chance = stream(seed, node)
        _crossover(points, left, right, rate, patience, max_epochs, chance, meter)
        stack[waiting, 0], stack[waiting, 1], stack[waiting, 2] = middle, high, 2 * node + 1
        waiting += 1
        stack[waiting, 0], stack[waiting, 1], stack[waiting, 2] = low, middle, 2 * node
        waiting += 1
    return labels


@kernel
def left_size(n: int, k: int) -> int:
    """Largest multiple of 2 and k up to n/2; of k alone where that would be nothing."""
    step = k if k % 2 == 0 else 2 * k
    size = n // 2 // step * step
    return size if size > 0 else n // 2 // k * k


@kernel
def _split_off_farthest(points: FloatMatrix, records: IntVector, count: int) -> None:
    """Bring the record farthest from the mean, with its nearest, `count` in all, to the front."""
    mean = _sum(points, records) / records.size
    seed, seed_distance = -1, -1.0
    for record in records:
        distance = squared_distance(points, record, mean)
        if distance > seed_distance or (distance == seed_distance and record < seed):
            seed, seed_distance = record, distance
    distances = np.empty(records.size)
    for i in range(records.size):
        distances[i] = squared_distance(points, records[i], points[seed])
        if records[i] == seed:
            distances[i] = -1.0
    bring_smallest(distances, records, count)


@kernel
def _crossover(
    points: FloatMatrix,
    left: IntVector,
    right: IntVector,
    rate: float,
    patience: int,
    max_epochs: int,
    state: NDArray[np.uint64],
    meter: IntVector,
) -> None:
    """Epochs of random pairs, one from each side, exchanged whenever the SSE falls."""
    pairs = max(int(rate * min(left.size, right.size)), 1)
    sum_left, sum_right = _sum(points, left), _sum(points, right)
    weight = 1.0 / left.size + 1.0 / right.size
    between = sum_left / left.size - sum_right / right.size
    idle = 0
    for _ in range(max_epochs):
        count_done(meter, meter[0])
        draw(state, left, pairs)
        draw(state, right, pairs)
        idle += 1
        for p in range(pairs):
            x, y = left[p], right[p]
            dot = 0.0
            square = 0.0
            for j in range(between.size):
                delta = points[y, j] - points[x, j]
                dot += delta * between[j]
                square += delta * delta
            if 2.0 * dot + square * weight > LEAST_GAIN:
                for j in range(between.size):
                    delta = points[y, j] - points[x, j]
                    sum_left[j] += delta
                    sum_right[j] -= delta
                    between[j] = sum_left[j] / left.size - sum_right[j] / right.size
                left[p], right[p] = y, x
                idle = 0
        if idle >= patience:
            return


@kernel
def _sum(points: FloatMatrix, records: IntVector) -> FloatVector:
    total = np.zeros(points.shape[1])
    for record in records:
        for j in range(points.shape[1]):
            total[j] += points[record, j]
    return total


@kernel
def mutate_leaves(points: FloatMatrix, labels: IntVector, k: int, rate: float, seed: int) -> None:
    """The paper's mutation: records migrate to better leaves."""
    groups = groups_from_labels(points, labels, 2 * k - 1)
    migrate(points, groups, k, np.arange(points.shape[0]), rate, stream(seed, 0))


@kernel
def swap_leaves(
    points: FloatMatrix,
    labels: IntVector,
    close: IntMatrix,
    k: int,
    rate: float,
    patience: int,
    max_epochs: int,
    seed: int,
    meter: IntVector,
) -> None:
    """Exchange records between neighbouring leaves until `patience` passes bring nothing."""
    groups = groups_from_labels(points, labels, 2 * k - 1)
    rows = with_reaches(points, groups)
    neighbours = none_settled(close, k)
    records = np.arange(points.shape[0])
    state = stream(seed + 1, 0)
    idle = 0
    for _ in range(max_epochs):
        go_on(meter)
        idle += 1
        if neighbour_pass(rows, groups, neighbours, records, rate, k, state):
            idle = 0
        if idle >= patience or neighbours.open[0] == 0:
            return
