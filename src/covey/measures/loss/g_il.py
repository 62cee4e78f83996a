"""G_IL: five statistics that users compute, averaged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from covey.measures.loss.variation import Ratio, mean_ratio, moments_of_both, variation
from covey.measures.measure import Measure, Need
from covey.measures.pairs import Pair, read_pair


class GeneralLoss(NamedTuple):
    """G_IL and its parts m1..m5 (ratios, not percent).

    `bounded` averages the parts with every ratio r replaced by r / (1 + r), and half of m5.
    """

    percent: float
    bounded: float
    m1: float
    m2: float
    m3: float
    m4: float
    m5: float


class FiveRatios(NamedTuple):
    """Changes of cells, means, variances, covariances and correlations."""

    cells: Ratio
    means: Ratio
    variances: Ratio
    covariances: Ratio
    correlations: Ratio


def g_il(original: Any, released: Any, columns: Sequence[Any] | None = None) -> GeneralLoss:
    """General information loss (Oommen & Fayyoumi 2010): 100·(M1 + … + M5) / 5.

    M1 to M4 are mean variations |a − b| / |a| (by |b| where a = 0 ≠ b; 0 where both are 0, which
    stays in the divisor) of M1 all cells, M2 the means, M3 the variances, M4 the covariances over
    i ≤ j, diagonal **included**. M5 is the mean |r − r'| of the correlations over i < j.

    Cells that are missing in either file do not count. A variable that does not vary has
    correlation 0 with all others. With one variable M5 is 0.

    M1 to M4 are unbounded: one value close to 0 can outweigh a file. See `bounded`.

    Examples
    --------
    >>> result = g_il([[1.0], [3.0], [4.0], [8.0]], [[2.0], [2.0], [6.0], [6.0]])
    >>> round(result.m1, 4), round(result.m2, 4), round(result.m3, 4)
    (0.5208, 0.0, 0.3846)
    """
    ratios = five_ratios(read_pair(original, released, columns))
    return GeneralLoss(
        20.0 * sum(ratio.mean for ratio in ratios),
        20.0 * sum(ratio.bounded for ratio in ratios),
        *(ratio.mean for ratio in ratios),
    )


def five_ratios(pair: Pair, *, relative_correlations: bool = False) -> FiveRatios:
    """The five changes that G_IL and the IL of Domingo-Ferrer & Torra average."""
    before, after = moments_of_both(pair)
    with_diagonal = np.triu_indices(len(pair.names))
    above = np.triu_indices(len(pair.names), 1)
    if relative_correlations:
        correlations = mean_ratio(variation(before.correlations[above], after.correlations[above]))
    else:
        change = np.abs(before.correlations - after.correlations)[above]
        mean = float(change.mean()) if change.size else 0.0
        correlations = Ratio(mean, mean / 2.0)
    return FiveRatios(
        mean_ratio(variation(pair.original, pair.released)),
        mean_ratio(variation(before.means, after.means)),
        mean_ratio(variation(np.diag(before.covariances), np.diag(after.covariances))),
        mean_ratio(variation(before.covariances[with_diagonal], after.covariances[with_diagonal])),
        correlations,
    )


G_IL = Measure(
    name="g_il",
    label="general information loss (G_IL)",
    meaning=(
        "Mean relative change of values, means, variances and covariances, and of correlations "
        "(Oommen & Fayyoumi 2010). It divides by values that may be near zero and can be huge."
    ),
    caveat="which of the five moved; it is unbounded, and values near 0 dominate M1",
    kind="loss",
    function=g_il,
    take=lambda inputs: g_il(inputs.numbers, inputs.numbers),
    needs=(Need.RECORDS, Need.NUMBERS),
    position=20,
)
