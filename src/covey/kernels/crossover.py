"""Exchanges at random between the two sides of a split, whenever the SSE falls.

With δ = y − x, v the difference of the two means and w = 1/|left| + 1/|right|, exchanging x and y
gains 2δ·v + w|δ|². Once the sides are apart nearly every pair fails, and can be seen to by one
number a record: its place along an older v. The sizes of δ and of what v has moved since bound the
rest.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from covey.kernels.chance import draw
from covey.kernels.compiling import kernel
from covey.kernels.metering import stop_if_told
from covey.kernels.swaps import LEAST_GAIN
from covey.types import FloatMatrix, FloatVector, IntVector

# Covers rounding in places and bounds.
SLACK = 1e-9
# Places are taken anew when v has moved by so many times w times the diameter (measured).
FARTHEST_DRIFT = 8.0


class Sides(NamedTuple):
    """Sums of the two sides, the difference of their means now and when places were taken.

    `bounds` has the places two records must be apart for an exchange to fail for certain, the
    diameter of all records, and w.
    """

    sum_left: FloatVector
    sum_right: FloatVector
    between: FloatVector
    old_between: FloatVector
    bounds: FloatVector


@kernel
def crossover(
    points: FloatMatrix,
    left: IntVector,
    right: IntVector,
    places: FloatVector,
    rate: float,
    patience: int,
    max_epochs: int,
    state: NDArray[np.uint64],
    meter: IntVector,
) -> None:
    """Epochs of random pairs, one from each side, until `patience` of them bring nothing.

    `places` is for this to write to, where left and right say.
    """
    pairs = max(int(rate * min(left.size, right.size)), 1)
    # In the order of memory, places are taken several times faster.
    records = np.sort(np.concatenate((left, right)))
    sides = _sides(points, left, right, records)
    _take_places(points, records, sides, places)
    idle = 0
    for _ in range(max_epochs):
        stop_if_told(meter)
        draw(state, left, pairs)
        draw(state, right, pairs)
        idle += 1
        if _epoch(points, left, right, pairs, places, sides):
            idle = 0
            if _drift(sides) > FARTHEST_DRIFT * sides.bounds[2] * sides.bounds[1]:
                _take_places(points, records, sides, places)
        if idle >= patience:
            return


@kernel
def _epoch(
    points: FloatMatrix,
    left: IntVector,
    right: IntVector,
    pairs: int,
    places: FloatVector,
    sides: Sides,
) -> bool:
    """Exchange the first `pairs` of the two sides where that gains."""
    apart = sides.bounds[0]
    improved = False
    for i in range(pairs):
        x, y = left[i], right[i]
        if places[x] - places[y] > apart:
            continue
        if _gain(points, x, y, sides) > LEAST_GAIN:
            _shift(points, x, y, left.size, right.size, sides)
            apart = sides.bounds[0]
            left[i], right[i] = y, x
            improved = True
    return improved


@kernel
def _sides(points: FloatMatrix, left: IntVector, right: IntVector, records: IntVector) -> Sides:
    sum_left, sum_right = total(points, left), total(points, right)
    between = sum_left / left.size - sum_right / right.size
    bounds = np.empty(3)
    bounds[1] = _diameter(points, records)
    bounds[2] = 1.0 / left.size + 1.0 / right.size
    return Sides(sum_left, sum_right, between, between.copy(), bounds)


@kernel
def _take_places(
    points: FloatMatrix, records: IntVector, sides: Sides, places: FloatVector
) -> None:
    """Place records along the difference of the means, from any one of them as the origin."""
    between, origin = sides.between, records[0]
    for record in records:
        place = 0.0
        for j in range(between.size):
            place += (points[record, j] - points[origin, j]) * between[j]
        places[record] = place
    sides.old_between[:] = between
    _renew_bound(sides)


@kernel
def _renew_bound(sides: Sides) -> None:
    """2δ·v + w|δ|² ≤ 2(places + |δ|·drift) + w|δ|² for a δ no longer than the diameter."""
    diameter, weight = sides.bounds[1], sides.bounds[2]
    size = 0.0
    for j in range(sides.between.size):
        size += sides.old_between[j] ** 2
    bound = diameter * _drift(sides) + weight * diameter * diameter / 2.0
    sides.bounds[0] = bound * (1.0 + SLACK) + SLACK * diameter * np.sqrt(size)


@kernel
def _drift(sides: Sides) -> float:
    square = 0.0
    for j in range(sides.between.size):
        square += (sides.between[j] - sides.old_between[j]) ** 2
    return float(np.sqrt(square))


@kernel
def _gain(points: FloatMatrix, x: int, y: int, sides: Sides) -> float:
    dot = 0.0
    square = 0.0
    for j in range(sides.between.size):
        delta = points[y, j] - points[x, j]
        dot += delta * sides.between[j]
        square += delta * delta
    return float(2.0 * dot + square * sides.bounds[2])


@kernel
def _shift(
    points: FloatMatrix, x: int, y: int, left_size: int, right_size: int, sides: Sides
) -> None:
    """Follow x to the right and y to the left."""
    for j in range(sides.between.size):
        delta = points[y, j] - points[x, j]
        sides.sum_left[j] += delta
        sides.sum_right[j] -= delta
        sides.between[j] = sides.sum_left[j] / left_size - sides.sum_right[j] / right_size
    _renew_bound(sides)


@kernel
def _diameter(points: FloatMatrix, records: IntVector) -> float:
    """No two of the records are farther apart."""
    square = 0.0
    for j in range(points.shape[1]):
        low, high = np.inf, -np.inf
        for record in records:
            low, high = min(low, points[record, j]), max(high, points[record, j])
        square += (high - low) ** 2
    return float(np.sqrt(square))


@kernel
def total(points: FloatMatrix, records: IntVector) -> FloatVector:
    """Sum of some records."""
    sums = np.zeros(points.shape[1])
    for record in records:
        for j in range(points.shape[1]):
            sums[j] += points[record, j]
    return sums
