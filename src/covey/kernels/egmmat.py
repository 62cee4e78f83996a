"""EGMMAT: random groups inside domes of close records, improved by exchanges."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from covey.kernels.chance import draw, stream
from covey.kernels.compiling import kernel
from covey.kernels.metering import stop_if_told
from covey.kernels.swaps import Groups, random_pairs_pass
from covey.types import FloatMatrix, IntVector


@kernel
def shuffle_domes(order: IntVector, dome_size: int, seed: int) -> None:
    """Put the records of each dome in random order; the last one has what is left."""
    n_domes = max(order.size // dome_size, 1)
    for dome in range(n_domes):
        low = dome * dome_size
        records = order[low : low + dome_size] if dome < n_domes - 1 else order[low:]
        draw(stream(seed, low), records, records.size)


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
