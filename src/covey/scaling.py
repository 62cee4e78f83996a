"""Putting variables on one footing before distances are taken."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from covey.parameters import OneOf
from covey.types import FloatMatrix, FloatVector

SCALINGS = ("zscore", "range", "none")
STANDARDIZE = OneOf(SCALINGS)


class Footing(NamedTuple):
    """How values become coordinates: taken from `origin` and divided by `unit`, then the same
    with `centre` and `spread`. Each has an entry for each variable.
    """

    origin: FloatVector
    unit: FloatVector
    centre: FloatVector
    spread: FloatVector

    def apply(self, values: FloatMatrix) -> FloatMatrix:
        """Coordinates of values, a column for each variable."""
        shares = (values - self.origin) / self.unit
        return np.ascontiguousarray((shares - self.centre) / self.spread)


def footing(values: FloatMatrix, method: str = "zscore") -> Footing:
    """What `standardize` does to values, to be done to others too; not for "none"."""
    return _centred(values, method)[0]


def _centred(values: FloatMatrix, method: str) -> tuple[Footing, FloatMatrix]:
    """A footing, and the values on it but for the last step, dividing by the spread."""
    shares = values - values[:1]
    # Dividing by the largest offset first keeps squares inside the range of a float.
    unit = _or_one(np.maximum(shares.max(axis=0, initial=0.0), -shares.min(axis=0, initial=0.0)))
    shares /= unit
    centre = shares.mean(axis=0)
    shares -= centre
    spread = shares.std(axis=0) if method == "zscore" else np.ptp(shares, axis=0)
    return Footing(values[0], unit, centre, _or_one(spread)), shares


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
    known, scaled = _centred(values, method)
    scaled /= known.spread
    return np.ascontiguousarray(scaled)


def power_of_two(size: float) -> float:
    """The power of two next to `size`: dividing by it loses no digit. One for zero."""
    return float(np.ldexp(1.0, int(np.frexp(size)[1]))) if size > 0 else 1.0


def _or_one(scale: FloatVector) -> FloatVector:
    return np.where(scale > 0, scale, 1.0)
