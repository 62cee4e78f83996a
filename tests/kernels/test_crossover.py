"""Crossover sees most pairs fail by one number a record: the same as trying every pair."""

from __future__ import annotations

import numpy as np
import pytest

from covey.kernels.chance import draw, stream
from covey.kernels.crossover import crossover

METER = np.zeros(2, dtype=np.int64)


def plain_crossover(points, left, right, rate, patience, state):
    pairs = int(rate * min(left.size, right.size))
    sums = [points[side].sum(axis=0) for side in (left, right)]
    weight, idle = 1 / left.size + 1 / right.size, 0
    while idle < patience:
        draw(state, left, pairs)
        draw(state, right, pairs)
        idle += 1
        for i in range(pairs):
            delta = points[right[i]] - points[left[i]]
            between = sums[0] / left.size - sums[1] / right.size
            if 2 * delta @ between + weight * delta @ delta > 1e-12:
                sums = [sums[0] + delta, sums[1] - delta]
                left[i], right[i] = right[i], left[i]
                idle = 0


@pytest.mark.parametrize("kind", ["normal", "skewed", "far off", "one value"])
def test_like_trying_every_pair(kind, rng):
    points = rng.normal(size=(300, 3))
    if kind == "skewed":
        points = np.exp(3 * points)
    elif kind == "far off":
        points += 1e6
    elif kind == "one value":
        points[:] = 7.0
    plain, quick = np.arange(300), np.arange(300)
    plain_crossover(points, plain[:140], plain[140:], 0.7, 5, stream(1, 2))
    sides = quick[:140], quick[140:]
    crossover(points, *sides, np.empty(300), 0.7, 5, 10_000, stream(1, 2), METER)
    np.testing.assert_array_equal(quick, plain)
