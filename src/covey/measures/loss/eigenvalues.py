"""Eigenvalue difference: what a principal component analysis would see change."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from covey.measures.loss.variation import mean_ratio, moments_of_both, variation
from covey.measures.measure import Measure, Need
from covey.measures.pairs import Pair, read_pair, scores_of_both
from covey.types import FloatMatrix, FloatVector


class EigenvalueLoss(NamedTuple):
    """Mean relative change of the eigenvalues, and the eigenvalues of both, largest first."""

    percent: float
    bounded: float
    original: FloatVector
    released: FloatVector


def eigenvalues(
    original: Any, released: Any, columns: Sequence[Any] | None = None
) -> EigenvalueLoss:
    """Eigenvalue difference: 100 · mean |λ_j − λ'_j| / λ_j.

    λ are the eigenvalues of the covariance matrix of the z-scores by the original's mean and SD
    (so the original's is its correlation matrix), λ' those of the release on the same scale, both
    sorted from the largest. Eigenvalues that are 0 but for rounding count as 0.

    Examples
    --------
    >>> result = eigenvalues([[0.0], [2.0], [4.0], [6.0]], [[1.0], [1.0], [5.0], [5.0]])
    >>> round(result.percent, 6)
    20.0
    """
    pair = read_pair(original, released, columns)
    before, after = moments_of_both(Pair(*scores_of_both(pair), pair.names))
    values = [_eigenvalues(moments.covariances) for moments in (before, after)]
    ratio = mean_ratio(variation(values[0], values[1]))
    return EigenvalueLoss(100.0 * ratio.mean, 100.0 * ratio.bounded, values[0], values[1])


def _eigenvalues(covariances: FloatMatrix) -> FloatVector:
    """From the largest; what is 0 but for rounding (or negative, with missing values) is 0."""
    values = np.linalg.eigvalsh(covariances)[::-1]
    return np.where(values > 1e-12 * max(values[0], 1.0), values, 0.0)


EIGENVALUES = Measure(
    name="eigenvalues",
    label="eigenvalue difference",
    meaning="How much a principal component analysis would see change.",
    caveat="which components matter: small ones weigh as much as large ones",
    kind="loss",
    function=eigenvalues,
    take=lambda inputs: eigenvalues(inputs.numbers, inputs.numbers),
    needs=(Need.RECORDS, Need.NUMBERS),
    position=50,
)
