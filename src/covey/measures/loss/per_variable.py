"""What each variable lost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from covey.measures.loss.variation import moments_of_both
from covey.measures.pairs import Pair, mean_and_deviation, read_pair

QUANTILES = (0.05, 0.25, 0.50, 0.75, 0.95)


class VariableLoss(NamedTuple):
    """Changes in one variable, in percent.

    `mean` and the `quantiles` (5, 25, 50, 75 and 95 %) in units of the original's SD, `variance`
    as the share that is gone (negative if it grew), `correlation` as the mean |r − r'| with the
    other variables.
    """

    mean: float
    variance: float
    quantiles: tuple[float, ...]
    correlation: float


class VariableLosses(NamedTuple):
    """Losses by variable; the headline is the mean |change of variance|.

    `bounded` cuts each variable's share off at 100.
    """

    percent: float
    bounded: float
    by_variable: dict[str, VariableLoss]


def per_variable(
    original: Any, released: Any, columns: Sequence[Any] | None = None
) -> VariableLosses:
    """Bias of the mean, variance, quantiles and correlations, variable by variable.

    A variable that does not vary in the original shows 0 everywhere. Cells missing in either file
    do not count.

    Examples
    --------
    >>> loss = per_variable([[1.0], [3.0], [5.0], [7.0]], [[2.0], [2.0], [6.0], [6.0]])
    >>> loss.by_variable["0"].mean, loss.by_variable["0"].variance
    (0.0, 20.0)
    """
    pair = read_pair(original, released, columns)
    before, after = moments_of_both(pair)
    change = np.abs(before.correlations - after.correlations).sum(axis=1)
    others = max(len(pair.names) - 1, 1)
    losses: dict[str, VariableLoss] = {}
    for j, name in enumerate(pair.names):
        losses[name] = VariableLoss(
            *_location(pair, j, before.means[j], after.means[j]),
            100.0 * float(change[j]) / others,
        )._replace(variance=_share_gone(before.covariances[j, j], after.covariances[j, j]))
    shares = np.abs([loss.variance for loss in losses.values()])
    return VariableLosses(float(shares.mean()), float(np.minimum(shares, 100.0).mean()), losses)


def _location(
    pair: Pair, j: int, before: float, after: float
) -> tuple[float, float, tuple[float, ...]]:
    """Shift of the mean and of the quantiles in SDs; the variance is filled in later."""
    known = pair.known[:, j]
    deviation = float(mean_and_deviation(pair.original[:, [j]])[1][0])
    if deviation == 0 or not known.any():
        return 0.0, 0.0, (0.0,) * len(QUANTILES)
    shifts = np.quantile(pair.released[known, j], QUANTILES) - np.quantile(
        pair.original[known, j], QUANTILES
    )
    quantiles = tuple(float(100.0 * shift / deviation) for shift in shifts)
    return float(100.0 * (after - before) / deviation), 0.0, quantiles


def _share_gone(before: float, after: float) -> float:
    return float(100.0 * (before - after) / before) if before > 0 else 0.0
