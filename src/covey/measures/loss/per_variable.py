"""What each variable lost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from covey.measures.loss.variation import moments_of_both
from covey.measures.measure import Measure, Need
from covey.measures.pairs import Pair, centre_of, read_pair

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


STILL = VariableLoss(0.0, 0.0, (0.0,) * len(QUANTILES), 0.0)


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
    >>> round(loss.by_variable["0"].mean, 6), round(loss.by_variable["0"].variance, 6)
    (0.0, 20.0)
    """
    pair = read_pair(original, released, columns)
    before, after = moments_of_both(pair)
    deviations = centre_of(pair)[1]
    change = np.abs(before.correlations - after.correlations).sum(axis=1)
    others = max(len(pair.names) - 1, 1)
    losses = dict.fromkeys(pair.names, STILL)
    for j, name in enumerate(pair.names):
        if deviations[j] > 0 and before.covariances[j, j] > 0:
            kept = after.covariances[j, j] / before.covariances[j, j]
            losses[name] = VariableLoss(
                mean=float(100.0 * (after.means[j] - before.means[j]) / deviations[j]),
                variance=float(100.0 * (1.0 - kept)),
                quantiles=_quantile_shifts(pair, j, float(deviations[j])),
                correlation=float(100.0 * change[j] / others),
            )
    shares = np.abs([loss.variance for loss in losses.values()])
    return VariableLosses(float(shares.mean()), float(np.minimum(shares, 100.0).mean()), losses)


def _quantile_shifts(pair: Pair, j: int, deviation: float) -> tuple[float, ...]:
    known = pair.known[:, j]
    before, after = (
        np.quantile(values[known, j], QUANTILES) for values in (pair.original, pair.released)
    )
    return tuple(float(100.0 * shift / deviation) for shift in after - before)


PER_VARIABLE = Measure(
    name="per_variable",
    label="variance lost per variable, mean",
    meaning="Mean share of the variance that the single variables lost.",
    caveat="how variables suffered together",
    kind="loss",
    function=per_variable,
    take=lambda inputs: per_variable(inputs.numbers, inputs.numbers),
    needs=(Need.RECORDS, Need.NUMBERS),
    position=60,
)
