"""What a search needs to know of the records: space order, neighbours, local scales."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.spatial import cKDTree

from covey.kernels.halving import halved
from covey.kernels.moving import Search, fill_groups
from covey.threads import thread_count
from covey.types import FloatMatrix, FloatVector, IntVector

LEAF = 16
# Neighbours to look for: enough to lie outside one's own group. Of many, a spread is kept.
FEWEST_NEIGHBOURS = 15
MOST_NEIGHBOURS = 64
# From so many records on, a neighbour may be (1 + SLACK) times as far as the true one.
APPROXIMATE_FROM = 20_000
SLACK = 1.0
# A temperature means to a record: its own scale to this power, the mean scale for the rest.
# Measured on the benchmark files: where density varies much, one temperature for all leaves most
# records either frozen or boiling.
LOCALITY = 0.7
LEAST_SCALE = 1e-9


class Layout(NamedTuple):
    """Records in space order: row i is record `order[i]`."""

    order: IntVector
    points: FloatMatrix
    neighbours: Any
    scales: FloatVector


def lay_out(coordinates: FloatMatrix, k: int) -> Layout:
    """Order the records in space and find the neighbours of each."""
    order = halved(coordinates, LEAF).order
    points = np.ascontiguousarray(coordinates[order] - coordinates.mean(axis=0))
    neighbours, squares = _nearest_records(points, k)
    return Layout(order, points, neighbours, _local_scales(squares))


def new_search(layout: Layout, labels: IntVector, k: int) -> Search:
    """A search that starts from `labels`, which are of the records in space order."""
    n, d = layout.points.shape
    room = n // k
    search = Search(
        layout.points,
        layout.neighbours,
        layout.scales,
        labels.copy(),
        np.zeros(n, dtype=np.int64),
        np.zeros((room, 2 * k - 1), dtype=np.int64),
        np.zeros(room, dtype=np.int64),
        np.zeros((room, d)),
        np.zeros(room, dtype=np.int64),
    )
    fill_groups(search)
    return search


def _nearest_records(points: FloatMatrix, k: int) -> tuple[Any, FloatMatrix]:
    """Neighbours of each record, nearest first, and the squared distances of the first k."""
    n = points.shape[0]
    count = min(max(FEWEST_NEIGHBOURS, 2 * k), n - 1)
    slack = SLACK if n >= APPROXIMATE_FROM else 0.0
    distances, found = cKDTree(points).query(
        points, np.arange(1, count + 2), eps=slack, workers=thread_count()
    )
    # A record is its own nearest neighbour, unless others share its place: then it may stand
    # anywhere among them, or not at all.
    own = found == np.arange(n)[:, None]
    own[~own.any(axis=1), -1] = True
    others = found[~own].reshape(n, count)
    kept = np.unique(np.linspace(0, count - 1, min(count, MOST_NEIGHBOURS)).astype(np.int64))
    return others[:, kept].astype(np.int32), np.square(distances[:, 1 : k + 1])


def _local_scales(squares: FloatMatrix) -> FloatVector:
    """Mean squared distance to the nearest records, drawn towards the mean of all."""
    own = squares.mean(axis=1)
    mean = float(own.mean())
    if mean == 0.0:
        return np.ones_like(own)
    return np.asarray(mean * np.maximum(own / mean, LEAST_SCALE) ** LOCALITY)
