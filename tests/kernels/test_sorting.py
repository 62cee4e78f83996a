"""The order by bits is the stable order by comparison."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from covey.kernels.sorting import stable_order


@settings(deadline=None)  # the first call compiles
@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), max_size=60))
def test_any_floats(values):
    numbers = np.array(values, dtype=np.float64)
    np.testing.assert_array_equal(stable_order(numbers), np.argsort(numbers, kind="stable"))


@pytest.mark.parametrize("levels", [1, 2, 1000])
def test_many_ties(rng, levels):
    numbers = rng.integers(-levels, levels, 5000) / 3.0
    np.testing.assert_array_equal(stable_order(numbers), np.argsort(numbers, kind="stable"))


def test_zeros_of_both_signs_keep_their_order():
    assert stable_order(np.array([0.0, -0.0, 0.0, -1.0])).tolist() == [3, 0, 1, 2]


def test_the_values_stay_as_they_are(rng):
    numbers = rng.normal(size=100)
    before = numbers.copy()
    stable_order(numbers)
    np.testing.assert_array_equal(numbers, before)
