"""Projections against their definitions and each other."""

from __future__ import annotations

import numpy as np
import pytest

from covey.projections import (
    QUANTIFIERS,
    as_quantifier,
    choquet,
    first_component,
    owa,
    sugeno,
    wowa,
)


def unit(X):
    return (X - X.min(axis=0)) / np.ptp(X, axis=0)


@pytest.mark.parametrize("name", QUANTIFIERS)
def test_quantifiers_are_quantifiers(name):
    as_quantifier(name)


@pytest.mark.parametrize("name", QUANTIFIERS)
def test_choquet_is_the_owa_of_the_quantifiers_steps(name, rng):
    X = rng.normal(size=(30, 5))
    steps = np.diff(QUANTIFIERS[name](np.arange(6) / 5))
    np.testing.assert_allclose(choquet(X, QUANTIFIERS[name]), owa(X, steps))


def test_linear_choquet_is_the_mean(rng):
    X = rng.normal(size=(30, 5))
    np.testing.assert_allclose(choquet(X, QUANTIFIERS["linear"]), unit(X).mean(axis=1))


def test_wowa_with_equal_weights_is_the_choquet_integral(rng):
    X = rng.normal(size=(30, 4))
    equal = np.full(4, 0.25)
    for quantifier in QUANTIFIERS.values():
        np.testing.assert_allclose(wowa(X, equal, quantifier), choquet(X, quantifier), atol=1e-12)


def test_wowa_with_linear_quantifier_is_the_weighted_mean(rng):
    X = rng.normal(size=(30, 3))
    weights = np.array([0.5, 0.3, 0.2])
    np.testing.assert_allclose(wowa(X, weights, QUANTIFIERS["linear"]), unit(X) @ weights)


def test_integrals_lie_between_least_and_largest(rng):
    X = rng.normal(size=(40, 4))
    low, high = unit(X).min(axis=1), unit(X).max(axis=1)
    for quantifier in QUANTIFIERS.values():
        for integral in (sugeno, choquet):
            values = integral(X, quantifier)
            assert (values >= low - 1e-12).all()
            assert (values <= high + 1e-12).all()


def test_component_of_one_variable_is_that_variable(rng):
    x = rng.normal(size=(20, 1))
    np.testing.assert_allclose(first_component(x), (x[:, 0] - x.mean()) / x.std())


def test_component_of_constant_data():
    np.testing.assert_array_equal(first_component(np.full((5, 2), 3.0)), np.zeros(5))


def test_equal_scaled_values_stay_equal(rng):
    """On 0..10 in four variables the integral takes few values; rounding must not add any."""
    X = rng.integers(0, 11, size=(200, 4)).astype(float)
    X[0], X[1] = 0, 10
    exact = (X - X.min(axis=0)) / (X.max(axis=0) - X.min(axis=0))
    largest_first = -np.sort(-exact, axis=1)
    expected = np.minimum(np.arange(1, 5) / 4, largest_first).max(axis=1)
    np.testing.assert_array_equal(sugeno(X, QUANTIFIERS["linear"]), expected)
