from __future__ import annotations

import numpy as np

from covey.kernels.leafmates import NOBODY, introduce, introduce_friends, nobody_met
from covey.watching import new_meter


def brute(points, count):
    squares = np.square(points[:, None] - points[None]).sum(axis=2)
    np.fill_diagonal(squares, np.inf)
    order = np.argsort(squares, axis=1, kind="stable")[:, :count]
    return np.take_along_axis(squares, order, axis=1)


def test_one_leaf_is_everybody(rng):
    points = rng.normal(size=(40, 3))
    nearest = nobody_met(40, 6)
    everybody = np.arange(40)
    introduce(points, everybody, np.array([0]), np.array([40]), nearest, new_meter())
    np.testing.assert_allclose(nearest.squares, brute(points, 6))
    # Meeting again changes nothing.
    before = nearest.records.copy()
    introduce(points, everybody, np.array([0]), np.array([40]), nearest, new_meter())
    np.testing.assert_array_equal(nearest.records, before)


def test_leaves_do_not_meet(rng):
    points = rng.normal(size=(10, 2))
    nearest = nobody_met(10, 9)
    introduce(points, np.arange(10), np.array([0, 4]), np.array([4, 10]), nearest, new_meter())
    assert set(nearest.records[0]) == {1, 2, 3, NOBODY}
    assert set(nearest.records[9]) == {4, 5, 6, 7, 8, NOBODY}


def test_friends_of_friends():
    points = np.array([[0.0], [1.0], [2.0], [3.0]])
    friends = np.array([[1], [2], [3], [2]], dtype=np.int32)
    nearest = nobody_met(4, 2)
    introduce_friends(points, friends, 0, 4, nearest, new_meter())
    assert nearest.records[0].tolist() == [2, NOBODY]
    assert nearest.records[3].tolist() == [NOBODY, NOBODY]  # its friend's friend is itself
