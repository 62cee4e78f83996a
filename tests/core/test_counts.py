"""Counts of intervals, of confidential values and of mixtures, beside plain NumPy."""

from __future__ import annotations

import numpy as np
import pytest

from tests.core.builds import BUILDS

every_build = pytest.mark.parametrize("core", BUILDS, ids=lambda core: core.__name__)


def _with_gaps(values: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    return np.where(rng.random(values.shape) < 0.2, np.nan, values)


def _within(original: np.ndarray, released: np.ndarray, reach: int) -> np.ndarray:
    """Cells whose original lies within so many places of the released column."""
    inside = np.zeros(original.shape, dtype=bool)
    for j in range(original.shape[1]):
        order = np.argsort(released[:, j], kind="stable")
        known = released[order, j][: int((~np.isnan(released[:, j])).sum())]
        for place, record in enumerate(order[: known.size]):
            low = known[max(place - reach, 0)]
            high = known[min(place + reach, known.size - 1)]
            inside[record, j] = low <= original[record, j] <= high
    return inside


@every_build
@pytest.mark.parametrize("gaps", [False, True])
def test_intervals_hold_what_they_should(core, gaps, rng):
    for _ in range(10):
        original = rng.integers(0, 9, size=(60, 3)).astype(float)
        released = rng.permuted(original, axis=0)
        if gaps:
            original, released = _with_gaps(original, rng), _with_gaps(released, rng)
        orders = np.argsort(released, axis=0, kind="stable").T.copy()
        reaches = np.array([0, 2, 2, 7, 30, 100])
        missing = np.isnan(original)
        inside = [_within(original, released, int(reach)) for reach in reaches]
        values = [int((cells & ~missing).sum()) for cells in inside]
        records = [
            int(((cells | missing).all(axis=1) & ~missing.all(axis=1)).sum()) for cells in inside
        ]
        for by_record, expected in ((True, records), (False, values)):
            added = core.count_disclosed(original, released, orders, reaches, by_record, 2)
            assert np.cumsum(added).tolist() == expected


@every_build
def test_orders_must_have_missing_values_last(core):
    released = np.array([[np.nan], [1.0]])
    with pytest.raises(ValueError, match="missing values must come last"):
        core.count_disclosed(released, released, np.array([[0, 1]]), np.array([0]), True, 1)


@every_build
def test_confidential_values_of_groups(core, rng):
    labels = rng.permutation(np.concatenate([np.arange(50), rng.integers(0, 50, size=450)]))
    codes = rng.integers(-3, 4, size=500)
    distinct, entropy = core.group_diversity(labels, codes, 50, 2)
    for group in range(50):
        counts = np.unique(codes[labels == group], return_counts=True)[1]
        shares = counts / counts.sum()
        assert distinct[group] == counts.size
        assert entropy[group] == pytest.approx(-(shares * np.log(shares)).sum(), abs=1e-12)


@every_build
def test_a_round_of_the_mixture(core, rng):
    """More patterns than one thread takes at once."""
    n, n_low, n_high = 20_000, 8, 4
    low, high = rng.integers(0, n_low, n), rng.integers(0, n_high, n)
    shares = rng.dirichlet(np.ones(n))
    matches = rng.random(n_low), rng.random(n_high)
    others = rng.random(n_low), rng.random(n_high)
    match = matches[0][low] * matches[1][high]
    either = match + others[0][low] * others[1][high]
    belonging = shares * match / either
    expected = np.concatenate(
        [
            [(shares * np.log(either)).sum()],
            np.bincount(low, belonging, n_low),
            np.bincount(high, belonging, n_high),
        ]
    )
    found = core.mixture_round(low, high, shares, *matches, *others, 3)
    np.testing.assert_allclose(found, expected, rtol=1e-10)
