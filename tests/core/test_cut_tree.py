"""Walking down a tree of cuts, against a walk in Python; broken trees are refused."""

from __future__ import annotations

import numpy as np
import pytest

from covey.core import cut_tree_leaves
from covey.pipeline.cut_tree import grow


def leaf_of(tree, point):
    node = 0
    while tree.sides[node] >= 0:
        below = point[tree.sides[node]] < tree.cuts[node]
        node = tree.lower[node] if below else tree.upper[node]
    return node


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("most", [1, 7, 100, 1000])
def test_as_a_walk(most, ties, rng):
    points = rng.integers(0, 4, (500, 3)).astype(float) if ties else rng.normal(size=(500, 3))
    tree = grow(points, most)
    asked = np.concatenate([points, rng.normal(size=(9000, 3)), np.full((1, 3), np.nan)])
    expected = [leaf_of(tree, point) for point in asked]
    for threads in (1, 3):
        assert cut_tree_leaves(asked, *tree[:4], threads).tolist() == expected


def test_no_points():
    tree = grow(np.arange(8.0)[:, None], 2)
    assert cut_tree_leaves(np.empty((0, 1)), *tree[:4], 1).size == 0


@pytest.mark.parametrize(
    ("side", "lower", "upper"), [(1, 1, 2), (0, 0, 2), (0, 1, 3), (0, -1, 2), (0, 1, 0)]
)
def test_broken_trees(side, lower, upper):
    with pytest.raises(ValueError, match=r"range|come after"):
        cut_tree_leaves(
            np.zeros((1, 1)),
            np.array([side, -1, -1]),
            np.zeros(3),
            np.array([lower, -1, -1]),
            np.array([upper, -1, -1]),
            1,
        )
