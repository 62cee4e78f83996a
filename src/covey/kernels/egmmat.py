"""EGMMAT: random groups inside domes of close records, improved by exchanges."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from covey.kernels.chance import draw, stream
from covey.kernels.compiling import kernel
from covey.kernels.metering import stop_if_told
from covey.kernels.outermost import farthest_from_center, outermost_first
from covey.kernels.searching import nearest_few
from covey.kernels.swaps import Groups, random_pairs_pass
from covey.kernels.unassigned import all_unassigned, center, remove
from covey.types import FloatMatrix, IntVector


@kernel
def dome_by_dome(
    points: FloatMatrix, dome_size: int, leaf: int, seed: int, meter: IntVector
) -> IntVector:
    """Records dome by dome, each dome in random order; what is left is the last dome.

    A dome is the record farthest from the mean of the rest, with its nearest records.
    """
    left = all_unassigned(points, leaf)
    order = np.empty(points.shape[0], dtype=np.int64)
    nearby = outermost_first(left, center(left))
    placed = 0
    while left.size[0] >= 2 * dome_size:
        stop_if_told(meter)
        seed_record = farthest_from_center(nearby, left, center(left))
        order[placed] = seed_record
        placed += 1
        remove(left, seed_record)
        for record in nearest_few(left, points[seed_record], dome_size - 1):
            order[placed] = record
            placed += 1
            remove(left, record)
    rest = placed
    for record in range(left.places.size):
        if left.places[record] >= 0:
            order[rest] = record
            rest += 1
    for low in range(0, placed + 1, dome_size):
        dome = order[low : low + dome_size] if low < placed else order[low:]
        draw(stream(seed, low), dome, dome.size)
    return order


@kernel
def swap_records(
    rows: FloatMatrix,
    groups: Groups,
    low: int,
    high: int,
    rates: tuple[float, float],
    patience: int,
    max_epochs: int,
    state: NDArray[np.uint64],
    meter: IntVector,
) -> None:
    """Exchange among the records `low` to `high`, whose groups have no others.

    A series of passes for each of `rates`, until `patience` of them bring nothing.
    """
    records = np.arange(low, high)
    smallest = groups.sizes.min()
    for rate in rates:
        idle = 0
        for _ in range(max_epochs):
            stop_if_told(meter)
            idle += 1
            if random_pairs_pass(rows, groups, records, rate, smallest, state):
                idle = 0
            if idle >= patience:
                break
