"""Putting variables on one footing before distances are taken."""

from __future__ import annotations

import numpy as np

from covey.errors import SchemaError
from covey.types import FloatMatrix, FloatVector

SCALINGS = ("zscore", "range", "none")


def standardize(values: FloatMatrix, method: str = "zscore") -> FloatMatrix:
    """Centre every variable and divide it by its standard deviation or range.

    A constant variable becomes zero: it cannot tell records apart. ``"none"`` only centres,
    which changes no distance and keeps precision when values share a large offset.

    Examples
    --------
    >>> import numpy as np
    >>> standardize(np.array([[1.0, 5.0], [3.0, 5.0]]))
    array([[-1.,  0.],
           [ 1.,  0.]])
    """
    offsets = values - values[:1]
    if not np.isfinite(offsets).all():
        raise SchemaError("Values beyond about 1e307 cannot be compared; rescale the data first.")
    largest = np.abs(offsets).max(axis=0, initial=0.0)
    # Dividing by the largest offset first keeps squares inside the range of a float.
    shares = offsets / _or_one(largest)
    centred = shares - shares.mean(axis=0)
    if method == "none":
        return np.ascontiguousarray(centred * largest)
    spread = centred.std(axis=0) if method == "zscore" else np.ptp(centred, axis=0)
    return np.ascontiguousarray(np.where(largest > 0, centred / _or_one(spread), 0.0))


def _or_one(scale: FloatVector) -> FloatVector:
    return np.where(scale > 0, scale, 1.0)
