"""Random states in scikit-learn's habit, and the seeds that loops take."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from covey.parameters import Satisfies, Whole

SEED = Whole(0, maximum=2**32 - 1)
RANDOM_STATE = Satisfies(
    f"None, a numpy RandomState or {SEED.allowed}",
    lambda value: value is None or isinstance(value, np.random.RandomState) or SEED.allows(value),
)


def draw_seed(random_state: Any) -> int:
    """A seed for the compiled loops; the same one every time when `random_state` is a number."""
    return int(check_random_state(random_state).randint(2**31 - 1))
