"""The optimal partition of numbers into groups of at least k."""

from __future__ import annotations

import numpy as np

from covey import core
from covey.scaling import power_of_two
from covey.types import FloatVector, IntVector


def optimal_labels(values: FloatVector, k: int) -> IntVector:
    """Label of each of the `values`, in any order, in an optimal partition."""
    # Squares of very large or small values would leave the range of a float.
    return core.optimal_labels(values / power_of_two(float(np.ptp(values))), k)
