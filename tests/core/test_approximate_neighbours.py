"""Approximate neighbours against all distances: exact in one leaf, nearly so in many."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from covey.core import _baseline, approximate_neighbours
from covey.watching import new_meter, tell_to_stop


def found(points, count, work=approximate_neighbours, **changes):
    how = {"trees": 5, "leaf": max(256, 8 * count), "rounds": 1, "friends": 15, "seed": 0}
    how |= {"threads": 1, "meter": new_meter()} | changes
    return work(np.ascontiguousarray(points), count, **how)


def brute(points, count):
    """Records and squared distances of the true neighbours; of equals those of lowest number."""
    squares = np.zeros((len(points), len(points)))
    for column in points.T:  # summed one variable after the other, as ties must stay ties
        squares += np.square(column[:, None] - column[None])
    np.fill_diagonal(squares, np.inf)
    order = np.argsort(squares, axis=1, kind="stable")[:, :count]
    return order, np.take_along_axis(squares, order, axis=1)


DATA = {
    "normal": lambda rng, n, d: rng.normal(size=(n, d)),
    "grid": lambda rng, n, d: rng.integers(0, 3, (n, d)).astype(float),
    "constant": lambda rng, n, d: np.full((n, d), 7.0),
    "far from the origin": lambda rng, n, d: rng.normal(size=(n, d)) + 1e7,
    "heavy tails": lambda rng, n, d: rng.standard_cauchy(size=(n, d)),
    "huge": lambda rng, n, d: rng.normal(size=(n, d)) * 1e140,
    "tiny": lambda rng, n, d: rng.normal(size=(n, d)) * 1e-140,
}


@pytest.mark.parametrize("data", DATA)
@pytest.mark.parametrize(("n", "d", "count"), [(2, 1, 1), (40, 3, 6), (100, 9, 15), (128, 20, 60)])
def test_one_leaf_is_everybody(data, n, d, count, rng):
    points = DATA[data](rng, n, d)
    records, squares = found(points, count, trees=2, leaf=2 * n)
    true_records, true_squares = brute(points, count)
    np.testing.assert_array_equal(records, true_records)
    np.testing.assert_array_equal(squares, true_squares)


@pytest.mark.parametrize(
    ("d", "least_recall", "most_excess"), [(5, 0.98, 1.002), (10, 0.9, 1.02), (30, 0.6, 1.05)]
)
def test_most_are_the_true_neighbours(d, least_recall, most_excess, rng):
    points = rng.normal(size=(3000, d))
    records, squares = found(points, 15)
    true_records, true_squares = brute(points, 15)
    hits = (records[:, :, None] == true_records[:, None, :]).any(axis=2)
    assert hits.mean() > least_recall
    assert (squares >= true_squares).all()
    assert squares.mean() < most_excess * true_squares.mean()


@pytest.mark.parametrize("data", DATA)
def test_lists_are_in_order_and_true(data, rng):
    points = DATA[data](rng, 2000, 10)
    records, squares = found(points, 15)
    assert records.min() >= 0
    assert records.max() < 2000
    assert (records != np.arange(2000)[:, None]).all()
    assert (np.diff(np.sort(records, axis=1), axis=1) > 0).all()
    apart = np.square(points[records] - points[:, None])
    np.testing.assert_allclose(squares, apart.sum(axis=2), rtol=1e-12)
    ahead = (squares[:, :-1] < squares[:, 1:]) | (
        (squares[:, :-1] == squares[:, 1:]) & (records[:, :-1] < records[:, 1:])
    )
    assert ahead.all()


def test_neighbours_of_neighbours_only_help(rng):
    points = rng.normal(size=(2000, 12))
    sums = [found(points, 15, rounds=rounds)[1].sum(axis=1) for rounds in range(4)]
    assert all((after <= before).all() for before, after in pairwise(sums))
    assert sums[1].sum() < 0.99 * sums[0].sum()


@pytest.mark.parametrize("data", DATA)
def test_the_same_for_any_threads_and_machine(data, rng):
    points = DATA[data](rng, 3000, 10)
    one = found(points, 20)
    for change in ({"threads": 3}, {"work": _baseline.approximate_neighbours}):
        other = found(points, 20, **change)
        np.testing.assert_array_equal(one[0], other[0])
        np.testing.assert_array_equal(one[1], other[1])


def test_values_whose_squares_overflow(rng):
    records, squares = found(rng.normal(size=(500, 9)) * 1e300, 15)
    assert records.min() >= 0
    assert records.max() < 500
    assert np.isinf(squares).any()


def test_stops_when_told(rng):
    meter = new_meter()
    tell_to_stop(meter)
    with pytest.raises(Exception, match="stopped"):
        found(rng.normal(size=(1000, 9)), 15, meter=meter)


@pytest.mark.parametrize(
    "wrong",
    [{"count": 0}, {"count": 50}, {"leaf": 9}, {"trees": 0}, {"rounds": -1}, {"friends": 0}],
)
def test_wrong_amounts(wrong, rng):
    asked = {"count": 4} | wrong
    with pytest.raises(ValueError, match=r"amounts|filled|so many"):
        found(rng.normal(size=(50, 3)), **asked)


def test_values_must_be_finite():
    with pytest.raises(ValueError, match="finite"):
        found(np.array([[1.0], [np.nan], [2.0]]), 1)
