"""The optimal partition of the line against exhaustive search and a plain programme."""

from __future__ import annotations

import numpy as np
import pytest

from covey.core.univariate import optimal_labels

from ..exhaustive import least_sse


def sse(values, labels):
    """SSE by groups; the offset of all values is taken off first, which is exact."""
    values = values - values.min()
    return sum(
        np.square(values[labels == g] - values[labels == g].mean()).sum() for g in np.unique(labels)
    )


def plain_programme(values, k):
    """Least SSE by an O(nk) programme in exact-enough arithmetic (extended precision)."""
    x = np.sort(values).astype(np.longdouble)
    best = np.full(x.size + 1, np.inf, dtype=np.longdouble)
    best[0] = 0
    for end in range(k, x.size + 1):
        low = max(end - 2 * k + 1, 0)
        window = x[low:end][::-1] - x[end - 1]
        sizes = np.arange(1, window.size + 1)
        costs = np.cumsum(window**2) - np.cumsum(window) ** 2 / sizes
        starts = end - sizes[k - 1 :]
        best[end] = (best[starts] + costs[k - 1 :]).min()
    return float(best[-1])


def inputs(rng, n):
    kind = rng.integers(4)
    if kind == 0:
        return rng.normal(size=n)
    if kind == 1:
        return rng.integers(0, 6, n).astype(float)
    if kind == 2:
        return rng.lognormal(0, 3, n)
    return np.repeat(rng.normal(size=n), 2)[:n]


@pytest.mark.parametrize("k", [2, 3, 4])
def test_equals_exhaustive_search(k):
    """Contiguous groups are not assumed: the search is over all partitions."""
    rng = np.random.default_rng(k)
    for _ in range(60):
        values = inputs(rng, int(rng.integers(k, 10)))
        labels = optimal_labels(values, k)
        assert np.bincount(labels).min() >= k
        assert sse(values, labels) == pytest.approx(
            least_sse(values[:, None], k), rel=1e-9, abs=1e-12
        )


def contiguous_optimum(values, k):
    """Least SSE over all ways to cut the sorted values into groups of k to 2k − 1."""
    x = np.sort(values)
    if x.size == 0:
        return 0.0
    return min(
        (
            np.square(x[:size] - x[:size].mean()).sum() + contiguous_optimum(x[size:], k)
            for size in range(k, min(2 * k, x.size + 1))
            if x.size == size or x.size - size >= k
        ),
        default=np.inf,
    )


def test_equals_all_cuts_on_thousands_of_inputs():
    rng = np.random.default_rng(0)
    for _ in range(3000):
        k = int(rng.integers(2, 6))
        values = inputs(rng, int(rng.integers(k, 13)))
        labels = optimal_labels(values, k)
        expected = contiguous_optimum(values, k)
        assert sse(values, labels) == pytest.approx(expected, rel=1e-9, abs=1e-12)
        assert np.bincount(labels).min() >= k


# Groups of ten and more take another route.
@pytest.mark.parametrize("k", [2, 3, 9, 10, 11, 20, 100])
@pytest.mark.parametrize("kind", ["normal", "ties", "heavy tail", "offset"])
def test_equals_the_plain_programme_at_ten_thousand(k, kind, rng):
    n = 10_000
    values = {
        "normal": lambda: rng.normal(size=n),
        "ties": lambda: rng.integers(0, 500, n).astype(float),
        "heavy tail": lambda: rng.pareto(0.8, n),
        "offset": lambda: 1e9 + 1e-3 * rng.integers(0, 2000, n),
    }[kind]()
    expected = plain_programme(values, k)
    assert sse(values, optimal_labels(values, k)) == pytest.approx(expected, rel=1e-9, abs=1e-300)


def test_a_far_outlier_costs_no_precision(rng):
    """Small differences before 1e12: prefix sums over the whole file would lose them."""
    small = rng.normal(size=500) * 1e-3
    labels = optimal_labels(np.concatenate([small, [1e12, 1e12 + 1, 1e12 + 2]]), 3)
    assert set(labels[500:]) == {labels.max()}
    assert sse(small, labels[:500]) == pytest.approx(plain_programme(small, 3), rel=1e-9)


def test_group_sizes(rng):
    for k in (2, 5, 120):
        sizes = np.bincount(optimal_labels(rng.normal(size=1000), k))
        assert k <= sizes.min()
        assert sizes.max() < 2 * k
