"""RGMAT: halve the records recursively, exchanging records between the halves."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from covey.kernels.chance import stream
from covey.kernels.compiling import kernel
from covey.kernels.crossover import crossover, total
from covey.kernels.distance import squared_distance
from covey.kernels.metering import stop_if_told
from covey.kernels.migrating import migrate
from covey.kernels.neighbours import neighbour_pass, none_settled
from covey.kernels.selecting import bring_smallest
from covey.kernels.swaps import groups_from_labels, with_reaches
from covey.types import BoolVector, FloatMatrix, FloatVector, IntMatrix, IntVector


class Splitting(NamedTuple):
    """Records in an `order` in which each node of the tree is a stretch.

    `leaf_starts` is true where a leaf begins; `places` is room for `crossover`.
    """

    points: FloatMatrix
    order: IntVector
    leaf_starts: BoolVector
    places: FloatVector


class Rules(NamedTuple):
    """How records are split: see the parameters of RGMAT."""

    k: int
    rate: float
    patience: int
    max_epochs: int
    seed: int


@kernel
def split_once(
    tree: Splitting, rules: Rules, low: int, high: int, node: int, meter: IntVector
) -> int:
    """Split the records `low` to `high`, 2k or more, and return where the second half begins.

    Every node has its own stream, so nodes beside each other can be worked in any order.
    """
    middle = low + left_size(high - low, rules.k)
    left, right = tree.order[low:middle], tree.order[middle:high]
    _split_off_farthest(tree.points, tree.order[low:high], middle - low)
    state = stream(rules.seed, node)
    limits = rules.patience, rules.max_epochs
    crossover(tree.points, left, right, tree.places, rules.rate, *limits, state, meter)
    return middle


@kernel
def split_recursively(
    tree: Splitting, rules: Rules, low: int, high: int, node: int, meter: IntVector
) -> None:
    """Split the records `low` to `high` down to the leaves."""
    # A node is (first, end, number); halving n/k times needs few at once.
    stack = np.empty((4 * 64, 3), dtype=np.int64)
    stack[0, 0], stack[0, 1], stack[0, 2] = low, high, node
    waiting = 1
    while waiting > 0:
        waiting -= 1
        low, high, node = stack[waiting, 0], stack[waiting, 1], stack[waiting, 2]
        if high - low < 2 * rules.k:
            tree.leaf_starts[low] = True
            continue
        middle = split_once(tree, rules, low, high, node, meter)
        stack[waiting, 0], stack[waiting, 1], stack[waiting, 2] = middle, high, 2 * node + 1
        waiting += 1
        stack[waiting, 0], stack[waiting, 1], stack[waiting, 2] = low, middle, 2 * node
        waiting += 1


@kernel
def left_size(n: int, k: int) -> int:
    """Largest multiple of 2 and k up to n/2; of k alone where that would be nothing."""
    step = k if k % 2 == 0 else 2 * k
    size = n // 2 // step * step
    return size if size > 0 else n // 2 // k * k


@kernel
def _split_off_farthest(points: FloatMatrix, records: IntVector, count: int) -> None:
    """Bring the record farthest from the mean, with its nearest, `count` in all, to the front."""
    mean = total(points, records) / records.size
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
def mutate_leaves(
    points: FloatMatrix, labels: IntVector, k: int, rate: float, seed: int, meter: IntVector
) -> None:
    """The paper's mutation: records migrate to better leaves.

    Only n mod k records are more than leaves need, so few are ever in a leaf that can spare one.
    """
    groups = groups_from_labels(points, labels, 2 * k - 1)
    migrate(points, groups, k, np.arange(points.shape[0]), rate, stream(seed, 0), meter)


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
        stop_if_told(meter)
        idle += 1
        if neighbour_pass(rows, groups, neighbours, records, rate, k, state):
            idle = 0
        if idle >= patience or neighbours.open[0] == 0:
            return
