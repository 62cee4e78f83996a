"""Records in the order of a tree of medians, against one written in NumPy."""

from __future__ import annotations

import numpy as np
import pytest

from covey.core import _baseline, median_order
from covey.watching import new_meter


def halves(points, leaf):
    """The records of each leaf, from the lower end of every split to the upper."""
    nodes = [np.arange(len(points))]
    while len(points) // len(nodes) > leaf:
        nodes = [half for node in nodes for half in halved(points, node)]
    return nodes


def halved(points, records):
    if records.size < 2:
        return records[:0], records
    side = np.argmax(np.ptp(points[records], axis=0))
    order = records[np.lexsort([records, points[records, side]])]
    return order[: records.size // 2], order[records.size // 2 :]


@pytest.mark.parametrize("leaf", [1, 5, 16])
@pytest.mark.parametrize("n", [1, 2, 3, 50, 1000])
@pytest.mark.parametrize("ties", [False, True])
def test_leaves_are_those_of_the_reference(n, leaf, ties, rng):
    points = rng.integers(0, 4, (n, 3)).astype(float) if ties else rng.normal(size=(n, 3))
    order = median_order(points, leaf, 1, new_meter())
    expected = halves(points, leaf)
    ends = np.cumsum([part.size for part in expected])
    for part, end in zip(expected, ends, strict=True):
        assert set(order[end - part.size : end]) == set(part)


def test_the_same_for_any_threads_and_machine(rng):
    points = rng.integers(0, 9, (5000, 4)).astype(float)
    one = median_order(points, 16, 1, new_meter())
    np.testing.assert_array_equal(median_order(points, 16, 3, new_meter()), one)
    np.testing.assert_array_equal(_baseline.median_order(points, 16, 2, new_meter()), one)
    assert sorted(one) == list(range(5000))


def test_wrong_input():
    with pytest.raises(ValueError, match="leaf"):
        median_order(np.zeros((3, 1)), 0, 1, new_meter())
    with pytest.raises(ValueError, match="finite"):
        median_order(np.array([[np.inf], [1.0]]), 1, 1, new_meter())
