"""Putting variables on one footing before distances are taken."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from covey.types import FloatMatrix, FloatVector

SCALINGS = ("zscore", "range", "none")


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
    offsets = values - values[:1]
    # Dividing by the largest offset first keeps squares inside the range of a float.
    unit = _or_one(np.abs(offsets).max(axis=0, initial=0.0))
    shares = offsets / unit
    centre = shares.mean(axis=0)
    centred = shares - centre
    spread = centred.std(axis=0) if method == "zscore" else np.ptp(centred, axis=0)
    return Footing(values[0], unit, centre, _or_one(spread))


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
    return footing(values, method).apply(values)


def power_of_two(size: float) -> float:
    """The power of two next to `size`: dividing by it loses no digit. One for zero."""
    return float(np.ldexp(1.0, int(np.frexp(size)[1]))) if size > 0 else 1.0


def _or_one(scale: FloatVector) -> FloatVector:
    return np.where(scale > 0, scale, 1.0)
