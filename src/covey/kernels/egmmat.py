"""EGMMAT: random groups inside domes of close records, improved by exchanges."""

from __future__ import annotations

import numpy as np

from covey.kernels.chance import draw, stream
from covey.kernels.compiling import kernel
from covey.kernels.metering import count_done
from covey.kernels.outermost import farthest_from_center, outermost_first
from covey.kernels.searching import nearest_few
from covey.kernels.swaps import groups_from_labels, random_pairs_pass
from covey.kernels.unassigned import all_unassigned, center, remove
from covey.types import FloatMatrix, IntVector


@kernel
def dome_by_dome(points: FloatMatrix, dome_size: int, leaf: int, seed: int) -> IntVector:
    """Records dome by dome, each dome in random order; what is left is the last dome.

    A dome is the record farthest from the mean of the rest, with its nearest records.
    """
    left = all_unassigned(points, leaf)
    order = np.empty(points.shape[0], dtype=np.int64)
    nearby = outermost_first(left, center(left))
    placed = 0
    while left.size[0] >= 2 * dome_size:
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
def swap_in_domes(
    points: FloatMatrix,
    labels: IntVector,
    k: int,
    dome_size: int,
    rates: tuple[float, float],
    patience: int,
    max_epochs: int,
    seed: int,
    meter: IntVector,
) -> None:
    """Exchange inside each dome of consecutive records, then over all of them.

    `meter` counts the records of domes that are done.
    """
    n = points.shape[0]
    groups = groups_from_labels(points, labels, k)
    n_domes = max(n // dome_size, 1)
    for dome in range(n_domes + 1):
        low = dome * dome_size
        high = low + dome_size if dome < n_domes - 1 else n
        records = np.arange(low, high) if dome < n_domes else np.arange(n)
        state = stream(seed + 1, dome)
        for rate in rates:
            idle = 0
            for _ in range(max_epochs):
                count_done(meter, meter[0])
                idle += 1
                if random_pairs_pass(points, groups, records, rate, state):
                    idle = 0
                if idle >= patience:
                    break
        count_done(meter, min(high, n))
