"""What a search needs to know of the records: space order, neighbours, local scales."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from covey.core import median_order
from covey.refining.neighbours import nearest_records
from covey.threads import thread_count
from covey.types import FloatMatrix, FloatVector, IntVector

LEAF = 16
# A temperature means to a record: its own scale to this power, the mean scale for the rest.
# Measured on the benchmark files: where density varies much, one temperature for all leaves most
# records either frozen or boiling.
LOCALITY = 0.85
LEAST_SCALE = 1e-9
# Where all neighbours are about as far, as with many variables, moves cost nearly the same and a
# search boils sooner: it must be cooler. From this contrast on it need not (measured).
FULL_CONTRAST = 0.65
POWER = 2.0
LEAST_LIVELINESS = 0.1


class Layout(NamedTuple):
    """Records in space order: row i is record `order[i]`."""

    order: IntVector
    points: FloatMatrix
    neighbours: Any
    scales: FloatVector


def lay_out(coordinates: FloatMatrix, k: int, meter: IntVector) -> Layout:
    """Order the records in space and find the neighbours of each."""
    order = median_order(coordinates, LEAF, thread_count(), meter)
    points = _moderate(coordinates[order] - coordinates.mean(axis=0))
    neighbours = nearest_records(points, k, meter)
    scales = _local_scales(neighbours.squares[:, :k]) * _liveliness(neighbours.squares)
    return Layout(order, points, neighbours.records, scales)


def _moderate(points: FloatMatrix) -> FloatMatrix:
    """Points of mean square one, because moves are judged in single precision."""
    largest = float(np.abs(points).max())
    if largest == 0.0:
        return points
    points = points / largest  # first, lest squares overflow
    return np.ascontiguousarray(points / np.sqrt(np.square(points).mean()))


def _local_scales(squares: FloatMatrix) -> FloatVector:
    """Mean squared distance to the nearest records, drawn towards the mean of all."""
    own = squares.mean(axis=1)
    mean = float(own.mean())
    if mean == 0.0:
        return np.ones_like(own)
    return np.asarray(mean * np.maximum(own / mean, LEAST_SCALE) ** LOCALITY)


def _liveliness(squares: FloatMatrix) -> float:
    """How warm a search may be, from 0 to 1: by how much the nearest are nearer than the rest."""
    nearest, farthest = squares[:, 0], squares[:, -1]
    apart = farthest > 0.0
    if not apart.any():
        return 1.0
    contrast = float(np.mean(1.0 - nearest[apart] / farthest[apart]))
    return float(max(min(contrast / FULL_CONTRAST, 1.0), LEAST_LIVELINESS) ** POWER)
