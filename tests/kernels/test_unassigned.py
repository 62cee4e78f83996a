"""Searches among unassigned records, with ties everywhere: a tree and a plain scan."""

from __future__ import annotations

import numpy as np
import pytest

from covey.kernels.chance import below, draw, stream
from covey.kernels.outermost import (
    farthest_from_center,
    farthest_from_point,
    outermost_first,
)
from covey.kernels.ranking import HEAP_FROM
from covey.kernels.searching import (
    farthest,
    nearest,
    nearest_few,
)
from covey.kernels.selecting import bring_smallest
from covey.kernels.unassigned import all_unassigned, center, remove

SCAN = 10**6


@pytest.fixture
def grid(rng):
    return rng.integers(0, 4, size=(60, 2)).astype(float)


@pytest.mark.parametrize("leaf", [1, 3, 16, SCAN])
def test_searches_agree_with_brute_force_while_records_leave(grid, rng, leaf):
    left = all_unassigned(grid, leaf)
    order = outermost_first(left, center(left))
    alive = list(range(60))
    for _ in range(50):
        point = rng.integers(0, 4, 2).astype(float)
        distances = np.square(grid - point).sum(axis=1)
        best = max(alive, key=lambda i: (distances[i], -i))
        assert farthest(left, point, -1) == best
        assert farthest(left, point, alive[0]) == best
        assert farthest_from_point(order, left, point) == best
        by_distance = sorted(alive, key=lambda i: (distances[i], i))
        assert nearest(left, point) == by_distance[0]
        for count in (1, 5, HEAP_FROM, 70):
            found = [record for record in nearest_few(left, point, count) if record >= 0]
            assert found == by_distance[:count]
        middle = center(left)
        np.testing.assert_allclose(middle, grid[alive].mean(axis=0))
        radii = np.square(grid - middle).sum(axis=1)
        assert farthest_from_center(order, left, middle) == max(alive, key=lambda i: (radii[i], -i))
        gone = alive.pop(int(rng.integers(len(alive))))
        remove(left, gone)


def test_boxes_shrink_as_records_leave(rng):
    points = rng.normal(size=(200, 3))
    left = all_unassigned(points, 8)
    for record in rng.permutation(200)[:150]:
        remove(left, record)
    alive = np.flatnonzero(left.places >= 0)
    sides = left.boxes[0].T[: left.branches]
    np.testing.assert_array_equal(sides[:, :3].min(axis=0), points[alive].min(axis=0))
    np.testing.assert_array_equal(sides[:, 3:6].max(axis=0), points[alive].max(axis=0))
    assert sides[:, 6].max() == pytest.approx(np.square(points[alive]).sum(axis=1).max())
    assert left.counts[: left.branches].sum() == left.size[0] == 50


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
