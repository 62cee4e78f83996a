"""Approximate neighbours: the nearest of those that share a leaf of a tree."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from covey.kernels.compiling import kernel
from covey.kernels.distance import squared_distance
from covey.kernels.metering import stop_if_told
from covey.types import FloatMatrix, IntVector

NOBODY = -1
# Records between two looks at whether somebody wants to stop.
WATCH = 256


class Nearest(NamedTuple):
    """The nearest met of each record, nearest first, and the squared distances to them."""

    records: NDArray[np.int32]
    squares: FloatMatrix


def nobody_met(n_records: int, count: int) -> Nearest:
    """Room for the `count` nearest of each record."""
    records = np.full((n_records, count), NOBODY, dtype=np.int32)
    return Nearest(records, np.full((n_records, count), np.inf))


@kernel
def introduce(
    points: FloatMatrix,
    order: IntVector,
    starts: IntVector,
    ends: IntVector,
    nearest: Nearest,
    meter: IntVector,
) -> None:
    """Let the records `order[starts[i] : ends[i]]` of each leaf meet each other."""
    for leaf in range(starts.size):
        stop_if_told(meter)
        for i in range(starts[leaf], ends[leaf]):
            for j in range(starts[leaf], i):
                x, y = order[i], order[j]
                square = squared_distance(points, x, points[y])
                _remember(nearest, x, y, square)
                _remember(nearest, y, x, square)


@kernel
def introduce_friends(
    points: FloatMatrix,
    friends: NDArray[np.int32],
    start: int,
    end: int,
    nearest: Nearest,
    meter: IntVector,
) -> None:
    """Let the records from `start` to `end` meet the `friends` of their friends."""
    for x in range(start, end):
        if x % WATCH == 0:
            stop_if_told(meter)
        for friend in friends[x]:
            for y in friends[friend]:
                if y != x:
                    _remember(nearest, x, y, squared_distance(points, x, points[y]))


@kernel
def _remember(nearest: Nearest, x: int, y: int, square: float) -> None:
    """Let y be among the nearest of x, if it is and was not yet."""
    place = nearest.squares.shape[1] - 1
    if square >= nearest.squares[x, place]:
        return
    for i in range(place + 1):
        if nearest.records[x, i] == y:
            return
    while place > 0 and nearest.squares[x, place - 1] > square:
        nearest.squares[x, place] = nearest.squares[x, place - 1]
        nearest.records[x, place] = nearest.records[x, place - 1]
        place -= 1
    nearest.squares[x, place] = square
    nearest.records[x, place] = y
