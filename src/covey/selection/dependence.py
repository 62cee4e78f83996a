"""How strongly two variables depend on each other, from binned values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from covey.scaling import standardize
from covey.types import FloatMatrix, FloatVector, IntVector


class CellShares(NamedTuple):
    """Shares of the non-empty cells of a two-way table, with their marginal shares."""

    joint: FloatVector
    first: FloatVector
    second: FloatVector


def emim(cells: CellShares) -> float:
    """Expected mutual information: Σ p·log(p / (p₁·p₂)) over the non-empty cells."""
    return float((cells.joint * np.log(cells.joint / (cells.first * cells.second))).sum())


def chi2(cells: CellShares) -> float:
    """Σ (p − p₁p₂)² / (p₁p₂) over **all** cells, which is Σ p²/(p₁p₂) − 1 over the non-empty."""
    return float((cells.joint**2 / (cells.first * cells.second)).sum() - 1.0)


MEASURES: Mapping[str, Callable[[CellShares], float]] = {"emim": emim, "chi2": chi2}


def binned_weights(values: FloatMatrix, widths: FloatVector, measure: str) -> FloatMatrix:
    """Dependence of all pairs of variables; zero for one that falls into a single bin."""
    d = values.shape[1]
    codes = [_codes(values[:, j], widths[j]) for j in range(d)]
    weights = np.zeros((d, d))
    for i in range(d):
        for j in range(i + 1, d):
            if codes[i].max() > 0 and codes[j].max() > 0:
                weights[i, j] = MEASURES[measure](cell_shares(codes[i], codes[j]))
    return np.asarray(weights + weights.T)


def correlation_weights(values: FloatMatrix) -> FloatMatrix:
    """|Pearson r| of all pairs; zero for a constant variable."""
    scores = standardize(values)
    weights = np.abs(scores.T @ scores) / values.shape[0]
    np.fill_diagonal(weights, 0.0)
    return np.asarray(weights)


def freedman_diaconis(values: FloatMatrix) -> FloatVector:
    """Bin widths 2·IQR·n^(−1/3); Scott's 3.49·SD·n^(−1/3) where half the values are equal."""
    low, high = np.percentile(values, [25, 75], axis=0)
    spread = np.where(high > low, 2.0 * (high - low), 3.49 * values.std(axis=0))
    widths = spread * values.shape[0] ** (-1 / 3)
    return np.asarray(np.where(widths > 0, widths, 1.0))


def cell_shares(first: IntVector, second: IntVector) -> CellShares:
    """Two-way table of codes, non-empty cells only: never larger than the number of records."""
    n = first.size
    columns = int(second.max()) + 1
    cells, counts = np.unique(first * columns + second, return_counts=True)
    return CellShares(
        joint=counts / n,
        first=np.bincount(first)[cells // columns] / n,
        second=np.bincount(second)[cells % columns] / n,
    )


def _codes(values: FloatVector, width: float) -> IntVector:
    """Number of each value's bin, floor((x − min)/width), renumbered without gaps."""
    bins = np.floor((values - values.min()) / width)
    return np.unique(bins, return_inverse=True)[1].astype(np.int64)
