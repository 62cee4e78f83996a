"""Trees of cells: every record in one cell, cells of about the same size, none too small."""

import numpy as np
import pytest

from covey.pipeline.cut_tree import grow


def test_cells_are_halves(rng):
    points = rng.normal(size=(1000, 3))
    tree = grow(points, 250)
    assert tree.n_cells == 4
    assert np.bincount(tree.cells_of(points)).tolist() == [250] * 4


def test_by_hand():
    tree = grow(np.array([[0.0, 0.0], [1.0, 0.0], [8.0, 0.0], [9.0, 1.0]]), 2)
    assert (tree.sides[0], tree.cuts[0]) == (0, 8.0)
    assert tree.cells_of(np.array([[7.9, 5.0], [8.0, -5.0]])).tolist() == [0, 1]


def test_a_share_leaves_fewer_below(rng):
    points = rng.normal(size=(900, 2))
    sizes = np.bincount(grow(points, 600, 1 / 3).cells_of(points))
    assert sizes.tolist() == [300, 600]


def test_equal_records_stay_together():
    points = np.repeat([[0.0], [1.0]], [10, 90], axis=0)
    tree = grow(points, 20)
    assert np.bincount(tree.cells_of(points)).tolist() == [10, 90]
    assert grow(np.zeros((50, 2)), 10).n_cells == 1


def test_cells_that_are_too_small_are_joined(rng):
    points = rng.normal(size=(800, 2))
    tree = grow(points, 100)
    sizes = np.full(8, 100)
    assert tree.joined(sizes, 50).tolist() == list(range(8))
    sizes[3] = 2
    joined = tree.joined(sizes, 50)
    assert np.bincount(joined, weights=sizes).min() >= 50
    assert np.unique(joined).size == 7


@pytest.mark.parametrize("least", [1, 90, 250, 900])
def test_joined_cells_have_enough(rng, least):
    points = rng.normal(size=(1000, 2))
    tree = grow(points[:200], 10)
    sizes = np.bincount(tree.cells_of(points), minlength=tree.n_cells)
    assert np.bincount(tree.joined(sizes, least), weights=sizes).min() >= least
