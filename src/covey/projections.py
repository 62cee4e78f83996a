"""Ways to turn the variables of a record into one number to sort by."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

import numpy as np

from covey.errors import InvalidParameter
from covey.scaling import standardize
from covey.types import FloatMatrix, FloatVector

Quantifier: TypeAlias = Callable[[FloatVector], FloatVector]

QUANTIFIERS: Mapping[str, Quantifier] = {
    "linear": lambda share: share,
    "square": lambda share: share * share,
    "root": np.sqrt,
    "most": lambda share: np.clip((share - 0.3) / 0.5, 0.0, 1.0),
    "at least half": lambda share: np.clip(2.0 * share, 0.0, 1.0),
}


def first_component(values: FloatMatrix) -> FloatVector:
    """First principal component of the z-scores; its largest loading is positive."""
    scores = standardize(values)
    _, vectors = np.linalg.eigh(scores.T @ scores)
    loadings = vectors[:, -1]
    sign = np.sign(loadings[np.argmax(np.abs(loadings))])
    return np.asarray(scores @ (sign * loadings))


def sum_of_zscores(values: FloatMatrix, scale: str = "sd") -> FloatVector:
    """Sum of (x − mean) / scale; ``"variance"`` divides by the variance instead of its root.

    Examples
    --------
    >>> import numpy as np
    >>> sum_of_zscores(np.array([[0.0, 10.0], [2.0, 30.0]]))
    array([-2.,  2.])
    """
    scores = standardize(values)
    if scale == "sd":
        return np.asarray(scores.sum(axis=1))
    deviations = values.std(axis=0)
    return np.asarray((scores / np.where(deviations > 0, deviations, 1.0)).sum(axis=1))


def first_variable(values: FloatMatrix) -> FloatVector:
    """The first of the variables, on its own."""
    return values[:, 0]


def as_line(coordinates: FloatMatrix) -> FloatVector:
    """One number per record of one variable: its value, or the first component of its categories.

    A second coordinate tells only where the value is missing; the first is the mean there, so that
    gaps come to lie beside each other.
    """
    return coordinates[:, 0] if coordinates.shape[1] <= 2 else first_component(coordinates)


def sugeno(values: FloatMatrix, quantifier: Quantifier) -> FloatVector:
    """Sugeno integral: max over i of min(Q(i/v), i-th largest of the scaled values).

    Examples
    --------
    >>> import numpy as np
    >>> sugeno(np.array([[0.0, 0.0], [4.0, 3.0], [10.0, 10.0]]), QUANTIFIERS["linear"])
    array([0. , 0.4, 1. ])
    """
    largest_first = _unit_largest_first(values)
    measure = quantifier(_shares(values.shape[1]))
    return np.asarray(np.minimum(measure, largest_first).max(axis=1))


def choquet(values: FloatMatrix, quantifier: Quantifier) -> FloatVector:
    """Choquet integral with respect to the measure Q(|A|/v) that the Sugeno integral uses.

    It is the OWA whose i-th weight is Q(i/v) − Q((i−1)/v).
    """
    steps = np.diff(quantifier(_shares(values.shape[1])), prepend=0.0)
    return owa(values, steps)


def owa(values: FloatMatrix, weights: FloatVector) -> FloatVector:
    """Ordered weighted average: `weights` apply to the largest value first.

    Examples
    --------
    >>> import numpy as np
    >>> owa(np.array([[0.0, 0.0], [4.0, 3.0], [10.0, 10.0]]), np.array([1.0, 0.0]))
    array([0. , 0.4, 1. ])
    """
    return np.asarray(_unit_largest_first(values) @ weights)


def wowa(values: FloatMatrix, weights: FloatVector, quantifier: Quantifier) -> FloatVector:
    """Weighted OWA: `weights` say how much each variable counts, Q how much each rank does."""
    unit = _unit(values)
    order = np.argsort(-unit, axis=1, kind="stable")
    reached = np.minimum(np.cumsum(weights[order], axis=1), 1.0)
    steps = np.diff(quantifier(reached), axis=1, prepend=0.0)
    return np.asarray((np.take_along_axis(unit, order, axis=1) * steps).sum(axis=1))


def as_quantifier(quantifier: str | Quantifier) -> Quantifier:
    """A quantifier by name, or a function with Q(0) = 0, Q(1) = 1 that never falls."""
    function = QUANTIFIERS[quantifier] if isinstance(quantifier, str) else quantifier
    reached = np.asarray(function(np.linspace(0.0, 1.0, 101)), dtype=np.float64)
    ends = reached.shape == (101,) and reached[0] == 0 and reached[-1] == 1
    if not ends or (np.diff(reached) < 0).any():
        raise InvalidParameter(
            "quantifier must take an array of shares to an array, with Q(0)=0, Q(1)=1, "
            "and never fall."
        )
    return function


def as_weights(weights: Sequence[float] | None, n_variables: int) -> FloatVector:
    """Weights that sum to one, one for each variable of a block; equal if not given."""
    if weights is None:
        return np.full(n_variables, 1.0 / n_variables)
    array = np.asarray(weights, dtype=np.float64)
    if array.shape != (n_variables,) or not np.isfinite(array).all() or (array < 0).any():
        raise InvalidParameter(
            f"weights must be {n_variables} numbers of at least 0, one for each variable of a "
            f"block; got {list(weights)!r}."
        )
    if array.sum() == 0:
        raise InvalidParameter("weights must not all be 0.")
    return np.asarray(array / array.sum())


def _shares(n_variables: int) -> FloatVector:
    return np.arange(1, n_variables + 1) / n_variables


def _unit_largest_first(values: FloatMatrix) -> FloatMatrix:
    """Variables scaled to 0..1, each record's values sorted from the largest."""
    return -np.sort(-_unit(values), axis=1)


def _unit(values: FloatMatrix) -> FloatMatrix:
    """(x − min) / (max − min): equal values stay equal. Zero for a constant variable."""
    spread = np.ptp(values, axis=0)
    return np.asarray((values - values.min(axis=0)) / np.where(spread > 0, spread, 1.0))
