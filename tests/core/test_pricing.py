"""The least reduced cost below every leader, against all groups of k to 2k − 1 records."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from covey.core import _baseline, price_groups
from covey.watching import new_meter, tell_to_stop


def near_sums(points, width):
    """Sums of the 0, 1, … least squared distances from each record to others."""
    squares = np.square(points[:, None] - points[None]).sum(axis=2)
    return np.cumsum(np.sort(squares, axis=1)[:, :width], axis=1)


def found(points, prices, k, work=price_groups, **changes):
    sizes = np.arange(k, min(2 * k - 1, len(points)) + 1)
    how = {"limit": 0.0, "patience": 10**6, "kept": 3, "threads": 1, "meter": new_meter()}
    return work(points, prices, near_sums(points, int(sizes[-1])), sizes, **how | changes)


def reduced_cost(points, prices, group):
    members = points[list(group)]
    return np.square(members - members.mean(axis=0)).sum() - prices[list(group)].sum()


def by_leader(points, prices, k):
    """Reduced costs of all groups, in order, by the first of their records."""
    costs = [[] for _ in points]
    for size in range(k, 2 * k):
        for group in combinations(range(len(points)), size):
            costs[group[0]].append((reduced_cost(points, prices, group), group))
    return [sorted(groups) for groups in costs]


def example(seed):
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(12, 3)) if seed % 2 else rng.integers(0, 4, (12, 2)).astype(float)
    prices = np.sort(rng.normal(rng.uniform(0, 2), rng.uniform(0, 1), size=12))[::-1]
    return points, np.ascontiguousarray(prices), 2 + seed % 3


@pytest.mark.parametrize("seed", range(24))
def test_least_reduced_cost_of_all_groups(seed):
    points, prices, k = example(seed)
    lower, complete, groups = found(points, prices, k)
    expected = by_leader(points, prices, k)
    least = [min(0.0, costs[0][0]) if costs else 0.0 for costs in expected]
    assert complete
    np.testing.assert_allclose(lower, least, atol=1e-12)
    kept = [cost for costs in expected for cost, _ in costs[:3] if cost < 0.0]
    costs = [reduced_cost(points, prices, row[row >= 0]) for row in groups]
    np.testing.assert_allclose(costs, kept, atol=1e-12)


@pytest.mark.parametrize("patience", [0, 1, 5, 30])
@pytest.mark.parametrize("seed", range(8))
def test_bounds_hold_when_cut_short(seed, patience):
    points, prices, k = example(seed)
    whole = found(points, prices, k)[0]
    lower, complete, _ = found(points, prices, k, patience=patience)
    assert (lower <= whole + 1e-12).all()
    assert not complete or (lower == whole).all()


def test_the_same_for_any_threads_and_machine(rng):
    points, prices = rng.normal(size=(300, 4)), np.sort(rng.uniform(0, 0.8, size=300))[::-1].copy()
    one = found(points, prices, 4, patience=300)
    for other in (
        found(points, prices, 4, patience=300, threads=3),
        found(points, prices, 4, patience=300, work=_baseline.price_groups),
    ):
        np.testing.assert_array_equal(one[0], other[0])
        assert one[1] == other[1]
        np.testing.assert_array_equal(one[2], other[2])


def test_counts_leaders_and_stops_when_told(rng):
    points, prices, meter = rng.normal(size=(40, 2)), np.zeros(40), new_meter()
    found(points, prices, 3, meter=meter)
    assert meter[0] == 40
    tell_to_stop(meter)
    with pytest.raises(Exception, match="stopped"):
        found(points, np.full(40, 9.0), 3, meter=meter)


@pytest.mark.parametrize("wrong", [{"kept": 0}, {"kept": 10**6}])
def test_wrong_amounts(wrong, rng):
    with pytest.raises(ValueError, match="amounts"):
        found(rng.normal(size=(9, 2)), np.zeros(9), 3, **wrong)


def test_wrong_arrays(rng):
    points = rng.normal(size=(9, 2))
    with pytest.raises(ValueError, match="lengths"):
        found(points, np.zeros(8), 3)
    with pytest.raises(ValueError, match="must be finite"):
        found(points, np.full(9, np.nan), 3)
    means = {"limit": 0.0, "patience": 9, "kept": 1, "threads": 1, "meter": new_meter()}
    for size in (1, 5):
        with pytest.raises(ValueError, match="sizes"):
            price_groups(points, np.zeros(9), near_sums(points, 3), np.array([size]), **means)
