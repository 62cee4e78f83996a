"""Mean variation, and the statistics of two files that it compares."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from covey.measures.pairs import Pair, varies
from covey.types import BoolVector, FloatMatrix, FloatVector

# Means and covariances this small beside the values they come from are rounding: zero.
ROUNDING = 1e-12


class Moments(NamedTuple):
    """Means, and covariances and correlations of all pairs of variables."""

    means: FloatVector
    covariances: FloatMatrix
    correlations: FloatMatrix


class Ratio(NamedTuple):
    """Mean of ratios r ≥ 0, and of r / (1 + r), which never exceeds 1."""

    mean: float
    bounded: float


# Ratios beyond this are cut off: their sums must stay floats.
LARGEST = 1e200


def variation(original: NDArray[np.float64], released: NDArray[np.float64]) -> NDArray[np.float64]:
    """|a − b| / |a|; |a − b| / |b| where a = 0 ≠ b; 0 where both are 0.

    Examples
    --------
    >>> import numpy as np
    >>> variation(np.array([2.0, 0.0, 0.0]), np.array([3.0, 5.0, 0.0]))
    array([0.5, 1. , 0. ])
    """
    base = np.where(original != 0, np.abs(original), np.abs(released))
    with np.errstate(over="ignore"):
        ratios = np.abs(original - released) / np.where(base == 0, 1.0, base)
    return np.asarray(np.minimum(ratios, LARGEST))


def mean_ratio(ratios: NDArray[np.float64]) -> Ratio:
    """Mean of the ratios that are known; zero if there is none."""
    known = ratios[~np.isnan(ratios)]
    if known.size == 0:
        return Ratio(0.0, 0.0)
    return Ratio(float(known.mean()), float((known / (1.0 + known)).mean()))


def moments_of_both(pair: Pair) -> tuple[Moments, Moments]:
    """Moments of the two files over the records known in both, pair of variables by pair."""
    return pair.once("moments", lambda: _moments_of_both(pair))


def _moments_of_both(pair: Pair) -> tuple[Moments, Moments]:
    before = _moments(pair.original, pair.known)
    same = pair.released is pair.original
    return before, before if same else _moments(pair.released, pair.known)


def _moments(values: FloatMatrix, known: BoolVector) -> Moments:
    counts = np.maximum(known.sum(axis=0), 1)
    means = np.where(known, values, 0.0).sum(axis=0) / counts
    centred = np.where(known, values - means, 0.0)
    weights = known.astype(np.float64)
    pairs = np.maximum(weights.T @ weights, 1.0)
    sums = centred.T @ weights
    covariances = (centred.T @ centred) / pairs - (sums / pairs) * (sums.T / pairs)
    # Entry (i, j): the variance of i over the records in which j is known too.
    variances = np.square(centred).T @ weights / pairs - np.square(sums / pairs)
    moving = varies(values, known)
    variances = np.where(moving[:, None], np.maximum(variances, 0.0), 0.0)
    scale = np.sqrt(variances * variances.T)
    real = (scale > 0) & (np.abs(covariances) > ROUNDING * scale)
    covariances = np.where(real, covariances, 0.0)
    correlations = np.where(scale > 0, covariances / np.where(scale > 0, scale, 1.0), 0.0)
    largest = np.where(known, np.abs(values), 0.0).max(axis=0, initial=0.0)
    means = np.where(np.abs(means) > ROUNDING * largest, means, 0.0)
    return Moments(means, covariances, np.clip(correlations, -1.0, 1.0))
