"""The kd-tree against a scan, at sizes with many nodes."""

from __future__ import annotations

import numpy as np
import pytest

from covey.kernels.kdtree import LEAF, TIE, build_tree, count_closer


@pytest.mark.parametrize("n", [1, 2, LEAF, LEAF + 1, 500])
@pytest.mark.parametrize("grid", [False, True])
def test_counts_agree_with_a_scan(n, grid, rng):
    points = rng.integers(0, 4, size=(n, 3)).astype(float) if grid else rng.normal(size=(n, 3))
    weights = rng.integers(1, 5, n)
    tree = build_tree(points, weights)
    stack = np.empty(128, dtype=np.int64)
    for _ in range(60):
        query = rng.integers(0, 4, 3).astype(float) if grid else rng.normal(size=3)
        distances = np.square(points - query).sum(axis=1)
        radius = float(rng.choice(distances))
        closer = count_closer(tree, query, radius, 10**9, stack)
        inside = distances < radius * (1 - TIE)
        assert closer.inside == weights[inside].sum()
        assert closer.tied == weights[~inside & (distances <= radius * (1 + TIE))].sum()
        limited = count_closer(tree, query, radius, 3, stack)
        assert min(limited.inside, 3) == min(closer.inside, 3)


def test_every_point_is_in_one_leaf(rng):
    points = rng.normal(size=(300, 2))
    tree = build_tree(points, np.arange(300))
    np.testing.assert_array_equal(tree.points, points[tree.weights])
    assert sorted(tree.weights) == list(range(300))
    first_leaf = tree.starts.size // 2
    sizes = (tree.ends - tree.starts)[first_leaf:]
    assert sizes.sum() == 300
    assert sizes.max() <= LEAF + 1
    for node in range(tree.starts.size):
        inside = tree.points[tree.starts[node] : tree.ends[node]]
        np.testing.assert_array_equal(tree.low[node], inside.min(axis=0))
        np.testing.assert_array_equal(tree.high[node], inside.max(axis=0))
