"""Standardisation, degenerate columns included."""

from __future__ import annotations

import numpy as np
import pytest

from covey.errors import SchemaError
from covey.scaling import standardize


def test_zscore(rng):
    X = rng.normal(5, 3, size=(50, 2))
    np.testing.assert_allclose(standardize(X), (X - X.mean(axis=0)) / X.std(axis=0))


def test_range(rng):
    X = rng.normal(5, 3, size=(50, 2))
    scaled = standardize(X, "range")
    np.testing.assert_allclose(np.ptp(scaled, axis=0), 1.0)
    np.testing.assert_allclose(scaled.mean(axis=0), 0.0, atol=1e-12)


def test_none_only_centres(rng):
    X = rng.normal(5, 3, size=(50, 2))
    np.testing.assert_allclose(standardize(X, "none"), X - X.mean(axis=0))


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


def test_beyond_what_floats_hold():
    with np.errstate(over="ignore"), pytest.raises(SchemaError, match="1e307"):
        standardize(np.array([[1.7e308], [-1.7e308]]))
