"""Records that move alone, to a group where they lower the SSE."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from covey.kernels.chance import draw
from covey.kernels.compiling import kernel
from covey.kernels.metering import stop_if_told
from covey.kernels.swaps import LEAST_GAIN, Groups
from covey.types import FloatMatrix, IntVector


@kernel
def migrate(
    points: FloatMatrix,
    groups: Groups,
    k: int,
    records: IntVector,
    rate: float,
    state: NDArray[np.uint64],
    meter: IntVector,
) -> None:
    """Move `rate` of the records, each to its best group, where sizes k..2k − 1 and gain allow."""
    count = int(rate * records.size)
    draw(state, records, count)
    for x in records[:count]:
        if groups.sizes[groups.labels[x]] > k:
            stop_if_told(meter)
            _migrate_one(points, groups, k, x)


@kernel
def _migrate_one(points: FloatMatrix, groups: Groups, k: int, x: int) -> None:
    a = groups.labels[x]
    size = groups.sizes[a]
    saved = _distance_to_mean(points, groups, x, a) * size / (size - 1)
    best, best_cost = -1, saved - LEAST_GAIN
    for g in range(groups.sizes.size):
        size = groups.sizes[g]
        if g != a and size < 2 * k - 1:
            cost = _distance_to_mean(points, groups, x, g) * size / (size + 1)
            if cost < best_cost:
                best, best_cost = g, cost
    if best >= 0:
        _move(points, groups, x, best)


@kernel
def _distance_to_mean(points: FloatMatrix, groups: Groups, x: int, g: int) -> float:
    total = 0.0
    for j in range(points.shape[1]):
        total += (points[x, j] - groups.sums[g, j] / groups.sizes[g]) ** 2
    return total


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
