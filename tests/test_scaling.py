"""Standardisation, degenerate columns included."""

from __future__ import annotations

import numpy as np
import pytest

from covey.scaling import power_of_two, standardize


def test_zscore(rng):
    X = rng.normal(5, 3, size=(50, 2))
    np.testing.assert_allclose(standardize(X), (X - X.mean(axis=0)) / X.std(axis=0))


def test_range(rng):
    X = rng.normal(5, 3, size=(50, 2))
    scaled = standardize(X, "range")
    np.testing.assert_allclose(np.ptp(scaled, axis=0), 1.0)
    np.testing.assert_allclose(scaled.mean(axis=0), 0.0, atol=1e-12)


def test_none_keeps_proportions_to_the_last_bit(rng):
    X = rng.normal(5, 3, size=(50, 2))
    scaled = standardize(X, "none")
    factor = power_of_two(np.abs(X - np.median(X, axis=0)).max())
    np.testing.assert_array_equal(scaled * factor, X - np.median(X, axis=0))
    assert 0.5 <= np.abs(scaled).max() <= 1.0


def test_none_keeps_small_differences_beside_outliers(rng):
    X = np.concatenate([rng.normal(size=30), [1e17, 1e17, 1e17]])[:, None]
    scaled = standardize(X, "none")[:30, 0] * power_of_two(1e17)
    np.testing.assert_allclose(np.diff(scaled), np.diff(X[:30, 0]), atol=1e-15)


@pytest.mark.parametrize("method", ["zscore", "range", "none"])
@pytest.mark.parametrize("constant", [0.0, 0.1, 1e300, -7.7])
def test_constant_columns_are_zero(method, constant):
    """The mean of equal numbers may differ from them by rounding; that is not variation."""
    assert not standardize(np.full((7, 1), constant), method).any()


def test_large_offsets_keep_their_differences():
    X = 1e9 + 1e-3 * np.arange(10.0)[:, None]
    np.testing.assert_allclose(standardize(X), standardize(np.arange(10.0)[:, None]), atol=1e-3)


def test_extreme_magnitudes():
    np.testing.assert_allclose(standardize(np.array([[1e200], [-1e200]])), [[1.0], [-1.0]])
    np.testing.assert_allclose(standardize(np.array([[1e-200], [-1e-200]])), [[1.0], [-1.0]])


def test_power_of_two():
    assert [power_of_two(size) for size in (0.0, 0.75, 1.5, 1e-300)][:3] == [1.0, 1.0, 2.0]
    assert np.frexp(power_of_two(1e-300))[0] == 0.5
