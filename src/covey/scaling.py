"""Putting variables on one footing before distances are taken."""

from __future__ import annotations

import numpy as np

from covey.types import FloatMatrix, FloatVector

SCALINGS = ("zscore", "range", "none")


def standardize(values: FloatMatrix, method: str = "zscore") -> FloatMatrix:
    """Centre every variable and divide it by its standard deviation or range.

    A constant variable becomes zero: it cannot tell records apart. ``"none"`` keeps the
    proportions between variables: each is taken from its median, and all are divided by one
    power of two, which changes no comparison of distances.

    Examples
    --------
    >>> import numpy as np
    >>> standardize(np.array([[1.0, 5.0], [3.0, 5.0]]))
    array([[-1.,  0.],
           [ 1.,  0.]])
    """
    if method == "none":
        offsets = values - np.median(values, axis=0)
        return np.ascontiguousarray(offsets / power_of_two(float(np.abs(offsets).max())))
    offsets = values - values[:1]
    largest = np.abs(offsets).max(axis=0, initial=0.0)
    # Dividing by the largest offset first keeps squares inside the range of a float.
    shares = offsets / _or_one(largest)
    centred = shares - shares.mean(axis=0)
    spread = centred.std(axis=0) if method == "zscore" else np.ptp(centred, axis=0)
    return np.ascontiguousarray(np.where(largest > 0, centred / _or_one(spread), 0.0))


def power_of_two(size: float) -> float:
    """The power of two next to `size`: dividing by it loses no digit. One for zero."""
    return float(np.ldexp(1.0, int(np.frexp(size)[1]))) if size > 0 else 1.0


def _or_one(scale: FloatVector) -> FloatVector:
    return np.where(scale > 0, scale, 1.0)
