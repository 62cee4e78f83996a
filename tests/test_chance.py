"""Seeds: drawn from what scikit-learn would make of a random state."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.utils import check_random_state

from covey.chance import draw_seed


@pytest.mark.parametrize("number", [0, 7, np.int64(7), 2**32 - 1])
def test_a_number_gives_the_same_seed_every_time(number):
    expected = check_random_state(number).randint(2**31 - 1)
    assert draw_seed(number) == draw_seed(number) == expected


def test_a_random_state_goes_on():
    mine, theirs = np.random.RandomState(3), np.random.RandomState(3)
    drawn = [draw_seed(mine) for _ in range(3)]
    assert drawn == [theirs.randint(2**31 - 1) for _ in range(3)]
    assert len(set(drawn)) == 3


def test_none_draws_from_numpy():
    np.random.seed(5)
    drawn = draw_seed(None)
    np.random.seed(5)
    assert drawn == np.random.randint(2**31 - 1)
