"""Records that are left over."""

from __future__ import annotations

import numpy as np

from covey.core.remainder import densest_group, join_nearest, means_and_sizes


def test_ties_go_to_the_lowest_group():
    points = np.array([[0.0], [0.0], [2.0], [2.0], [1.0]])
    labels = np.array([0, 0, 1, 1, -1])
    join_nearest(points, labels, 0)
    assert labels[4] == 0


def test_means_do_not_move_meanwhile():
    """If the first newcomer moved the mean, the second would go the other way."""
    points = np.array([[0.0], [0.0], [10.0], [10.0], [4.9], [5.4]])
    labels = np.array([0, 0, 1, 1, -1, -1])
    join_nearest(points, labels, 0)
    assert list(labels[4:]) == [0, 1]


def test_full_groups_take_nobody_unless_all_are_full():
    points = np.array([[0.0], [0.0], [9.0], [9.0], [1.0], [1.0]])
    labels = np.array([0, 0, 1, 1, -1, -1])
    join_nearest(points, labels, 3)
    assert list(labels[4:]) == [0, 1]
    full = np.array([0, 0, 1, 1, -1, -1])
    join_nearest(points, full, 2)
    assert list(full[4:]) == [0, 0]


def test_densest_group_counts_sizes():
    points = np.array([[0.0], [2.0], [0.0], [2.0], [10.0], [12.1]])
    assert densest_group(points, np.array([0, 0, 0, 0, 1, 1])) == 0


def test_means_leave_out_the_unassigned():
    means, sizes = means_and_sizes(np.array([[1.0], [3.0], [99.0]]), np.array([0, 0, -1]))
    np.testing.assert_array_equal(means, [[2.0]])
    np.testing.assert_array_equal(sizes, [2])
