"""Exchanges between groups that lower the SSE.

With group sums S and sizes m, the SSE is a constant minus Σ|S|²/m, so a move costs O(d). Most pairs
need not even that: with m the smallest size, x and y cannot gain when their distance is at least
m/(m − 1) times their distances to the means of their groups together, as
gain ≤ 2|x − y|·(|x − mean| + |y − mean| − |x − y|·(m − 1)/m).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from covey.kernels.chance import below, draw
from covey.kernels.compiling import kernel
from covey.types import FloatMatrix, IntVector

# A gain must exceed rounding, or two records could change places for ever.
LEAST_GAIN = 1e-12
# Covers rounding where two records are just too far apart.
SLACK = 1.0 + 1e-9


class Groups(NamedTuple):
    """Groups whose members can be exchanged: `members[starts[g] :][: sizes[g]]`."""

    labels: IntVector
    members: IntVector
    places: IntVector
    starts: IntVector
    sizes: IntVector
    sums: FloatMatrix


@kernel
def groups_from_labels(points: FloatMatrix, labels: IntVector, room: int) -> Groups:
    """Groups with room for `room` members each."""
    n, d = points.shape
    n_groups = 0
    for label in labels:
        n_groups = max(n_groups, label + 1)
    starts = np.empty(n_groups, dtype=np.int64)
    for g in range(n_groups):
        starts[g] = g * room
    members = np.empty(n_groups * room, dtype=np.int64)
    places = np.empty(n, dtype=np.int64)
    sizes = np.zeros(n_groups, dtype=np.int64)
    sums = np.zeros((n_groups, d))
    for i in range(n):
        g = labels[i]
        places[i] = starts[g] + sizes[g]
        members[places[i]] = i
        sizes[g] += 1
        for j in range(d):
            sums[g, j] += points[i, j]
    return Groups(labels, members, places, starts, sizes, sums)


@kernel
def with_reaches(points: FloatMatrix, groups: Groups) -> FloatMatrix:
    """The records, each with its reach: two gain nothing unless closer than their reaches together.

    One row has all that most pairs need, so a random pair costs two looks into memory.
    """
    n, d = points.shape
    rows = np.empty((n, d + 1))
    rows[:, :d] = points
    smallest = groups.sizes.min()
    for g in range(groups.sizes.size):
        _renew_reaches(rows, groups, g, smallest)
    return rows


@kernel
def _renew_reaches(rows: FloatMatrix, groups: Groups, g: int, smallest: int) -> None:
    start, size = groups.starts[g], groups.sizes[g]
    d = rows.shape[1] - 1
    for place in range(start, start + size):
        x = groups.members[place]
        square = 0.0
        for j in range(d):
            square += (rows[x, j] - groups.sums[g, j] / size) ** 2
        rows[x, d] = np.sqrt(square) * smallest / (smallest - 1) if smallest > 1 else np.inf


@kernel
def exchange_gain(rows: FloatMatrix, groups: Groups, x: int, y: int) -> float:
    """By how much the SSE falls when x and y change places."""
    sums = groups.sums
    a, b = groups.labels[x], groups.labels[y]
    size_a, size_b = groups.sizes[a], groups.sizes[b]
    dot = 0.0
    square = 0.0
    for j in range(sums.shape[1]):
        delta = rows[y, j] - rows[x, j]
        dot += delta * (sums[a, j] / size_a - sums[b, j] / size_b)
        square += delta * delta
    return float(2.0 * dot + square * (1.0 / size_a + 1.0 / size_b))


@kernel
def too_far(rows: FloatMatrix, x: int, y: int) -> bool:
    """Whether x and y cannot gain by changing places, as most pairs cannot."""
    d = rows.shape[1] - 1
    square = 0.0
    for j in range(d):
        delta = rows[y, j] - rows[x, j]
        square += delta * delta
    reach = rows[x, d] + rows[y, d]
    return bool(square >= reach * reach * SLACK)


@kernel
def try_exchange(rows: FloatMatrix, groups: Groups, x: int, y: int, smallest: int) -> bool:
    """Exchange x and y if that lowers the SSE; no group has fewer than `smallest` records.

    A call is dear, as it hands over many arrays: ask `too_far` first.
    """
    if not gains(rows, groups, x, y):
        return False
    _exchange(rows, groups, x, y)
    _renew_reaches(rows, groups, groups.labels[x], smallest)
    _renew_reaches(rows, groups, groups.labels[y], smallest)
    return True


@kernel
def gains(rows: FloatMatrix, groups: Groups, x: int, y: int) -> bool:
    """Whether the SSE falls when x and y change places."""
    return groups.labels[x] != groups.labels[y] and exchange_gain(rows, groups, x, y) > LEAST_GAIN


@kernel
def _exchange(rows: FloatMatrix, groups: Groups, x: int, y: int) -> None:
    a, b = groups.labels[x], groups.labels[y]
    for j in range(groups.sums.shape[1]):
        delta = rows[y, j] - rows[x, j]
        groups.sums[a, j] += delta
        groups.sums[b, j] -= delta
    groups.labels[x], groups.labels[y] = b, a
    groups.places[x], groups.places[y] = groups.places[y], groups.places[x]
    groups.members[groups.places[x]] = x
    groups.members[groups.places[y]] = y


@kernel
def random_pairs_pass(
    rows: FloatMatrix,
    groups: Groups,
    records: IntVector,
    rate: float,
    smallest: int,
    state: NDArray[np.uint64],
) -> bool:
    """Draw `rate` of the records; pair each with any other at random."""
    count = max(int(rate * records.size), 1)
    draw(state, records, count)
    improved = False
    for i in range(count):
        x, y = records[i], records[below(state, records.size)]
        if not too_far(rows, x, y) and try_exchange(rows, groups, x, y, smallest):
            improved = True
    return improved
