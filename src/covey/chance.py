"""Random states in scikit-learn's habit, and the seeds that kernels take."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from covey.parameters import Satisfies, Whole

RANDOM_STATE = Satisfies(
    "None, a whole number of at least 0 or a numpy RandomState",
    lambda value: (
        value is None or isinstance(value, np.random.RandomState) or Whole(0).allows(value)
    ),
)


def draw_seed(random_state: Any) -> int:
    """A seed for kernels; the same one every time when `random_state` is a number."""
    return int(check_random_state(random_state).randint(2**31 - 1))
