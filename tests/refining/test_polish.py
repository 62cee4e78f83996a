"""The set-partitioning program: the best partition of the groups it is given."""

from __future__ import annotations

import numpy as np
import pytest

from covey.refining.columns import distinct_groups
from covey.refining.polish import polish

POINTS = np.array([[0.0], [1.0], [5.0], [6.0], [20.0], [21.0]])


def test_the_best_groups_of_two_partitions():
    first, second = np.array([0, 0, 1, 2, 1, 2]), np.array([0, 1, 2, 2, 0, 1])
    more = [np.array([4, 5])]
    columns = distinct_groups(POINTS, [first, second], more)
    assert columns.costs.size == 7
    answer = polish(columns, 3, 1e3, 100, 10.0)
    assert answer.finished
    assert [set(np.flatnonzero(answer.labels == answer.labels[i])) for i in (0, 2, 4)] == [
        {0, 1},
        {2, 3},
        {4, 5},
    ]


def test_equal_groups_are_kept_once():
    labels = np.array([0, 0, 1, 1, 2, 2])
    assert distinct_groups(POINTS, [labels, labels[::-1].copy()]).costs == pytest.approx([0.5] * 3)


def test_nothing_better_is_no_answer():
    labels = np.array([0, 0, 1, 1, 2, 2])
    assert polish(distinct_groups(POINTS, [labels]), 3, 1.5, 100, 10.0).labels is None


def test_without_time_there_is_no_answer():
    labels = np.array([0, 0, 1, 1, 2, 2])
    answer = polish(distinct_groups(POINTS, [labels]), 3, 9.0, 100, 1e-9)
    assert answer.labels is None
    assert not answer.finished


def test_of_too_many_groups_those_known_and_the_most_promising_stay():
    known, better = np.array([0, 1, 0, 1, 2, 2]), np.array([0, 0, 1, 1, 2, 2])
    useless = [np.array([0, 5]), np.array([1, 4])]
    columns = distinct_groups(POINTS, [known, better], useless)
    assert columns.costs.size == 7
    before = columns.costs[:3].sum()
    answer = polish(columns, 3, before, 5, 10.0)
    assert {*answer.labels[:2]} != {*answer.labels[2:4]}
    assert answer.labels[0] == answer.labels[1]
    # With room for the groups that are known only, there is nothing to choose.
    assert polish(columns, 3, before, 3, 10.0).labels is None
