"""Scans over unassigned records, with ties everywhere."""

from __future__ import annotations

import numpy as np
import pytest

from covey.kernels.chance import below, draw, stream
from covey.kernels.selecting import bring_smallest
from covey.kernels.unassigned import (
    all_unassigned,
    center,
    distance_to_nearest_other,
    farthest,
    nearest,
    nearest_few,
    remove,
)


@pytest.fixture
def grid(rng):
    return rng.integers(0, 4, size=(60, 2)).astype(float)


def test_scans_agree_with_brute_force_while_records_leave(grid, rng):
    left = all_unassigned(grid)
    alive = list(range(60))
    for _ in range(50):
        point = rng.integers(0, 4, 2).astype(float)
        distances = np.square(grid - point).sum(axis=1)
        assert farthest(left, point) == max(alive, key=lambda i: (distances[i], -i))
        by_distance = sorted(alive, key=lambda i: (distances[i], i))
        assert nearest(left, point) == by_distance[0]
        assert list(nearest_few(left, point, 5)) == by_distance[:5]
        np.testing.assert_allclose(center(left), grid[alive].mean(axis=0))
        others = [np.square(grid[i] - grid[alive[0]]).sum() for i in alive[1:]]
        assert distance_to_nearest_other(left, grid, alive[0]) == min(others)
        gone = alive.pop(int(rng.integers(len(alive))))
        remove(left, gone)


def test_alone_has_no_neighbour(grid):
    left = all_unassigned(grid[:1])
    assert distance_to_nearest_other(left, grid, 0) == np.inf


def test_bring_smallest(rng):
    for _ in range(200):
        n = int(rng.integers(1, 40))
        count = int(rng.integers(1, n + 1))
        items = rng.permutation(n)
        table = rng.integers(0, 5, n).astype(float)
        keys = table[items]
        bring_smallest(keys, items, count)
        expected = sorted(range(n), key=lambda i: (table[i], i))[:count]
        assert sorted(items[:count]) == sorted(expected)
        np.testing.assert_array_equal(keys, table[items])
        assert sorted(items) == list(range(n))


def test_streams_are_uniform_and_apart():
    numbers = np.array(
        [[below(state, 10) for _ in range(2000)] for state in (stream(1, 1), stream(1, 2))]
    )
    assert np.bincount(numbers[0], minlength=10).min() > 140
    assert abs(np.corrcoef(numbers)[0, 1]) < 0.1
    assert below(stream(1, 1), 10**9) == below(stream(1, 1), 10**9)


def test_draw_is_without_replacement():
    items = np.arange(30)
    draw(stream(0, 0), items, 12)
    assert sorted(items) == list(range(30))
    assert list(items[:12]) != list(range(12))
