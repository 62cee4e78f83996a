"""Random states in scikit-learn's habit, and the seeds that loops take."""

from __future__ import annotations

from typing import Any

import numpy as np

from covey.parameters import Satisfies, Whole

SEED = Whole(0, maximum=2**32 - 1)
RANDOM_STATE = Satisfies(
    f"None, a numpy RandomState or {SEED.allowed}",
    lambda value: value is None or isinstance(value, np.random.RandomState) or SEED.allows(value),
)


def draw_seed(random_state: Any) -> int:
    """A seed for the compiled loops; the same one every time when `random_state` is a number."""
    if random_state is None:
        return int(np.random.randint(2**31 - 1))
    if not isinstance(random_state, np.random.RandomState):
        random_state = np.random.RandomState(random_state)
    return int(random_state.randint(2**31 - 1))
