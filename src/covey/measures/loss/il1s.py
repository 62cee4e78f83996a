"""IL1s: how far values moved, in standard deviations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from covey.measures.loss.variation import mean_ratio
from covey.measures.measure import Measure, Need
from covey.measures.pairs import centre_of, read_pair


class ScaledLoss(NamedTuple):
    """IL1s; `by_variable` is its mean in each variable, in percent; `bounded` by r / (1 + r)."""

    percent: float
    bounded: float
    by_variable: dict[str, float]


def il1s(original: Any, released: Any, columns: Sequence[Any] | None = None) -> ScaledLoss:
    """IL1s: 100 / (n·p) · ΣΣ |x − y| / (√2·S_j), S_j the original's SD (n − 1 in the divisor).

    Unlike M1 of G_IL it does not explode at values close to 0. A variable that does not vary in
    the original counts as 0; cells missing in either file do not count.

    Examples
    --------
    S = √2 and every value moved by 1: each term is 1 / 2.

    >>> round(il1s([[0.0], [2.0]], [[1.0], [1.0]]).percent, 6)
    50.0
    """
    pair = read_pair(original, released, columns)
    known = np.maximum((~np.isnan(pair.original)).sum(axis=0), 2)
    deviation = centre_of(pair)[1] * np.sqrt(known / (known - 1))
    scale = np.where(deviation > 0, np.sqrt(2.0) * deviation, np.inf)
    ratios = np.where(pair.known, np.abs(pair.original - pair.released) / scale, np.nan)
    total = mean_ratio(ratios)
    by_variable = {name: 100.0 * mean_ratio(ratios[:, j]).mean for j, name in enumerate(pair.names)}
    return ScaledLoss(100.0 * total.mean, 100.0 * total.bounded, by_variable)


IL1S = Measure(
    name="il1s",
    label="values moved, in SDs (IL1s)",
    meaning="How far values moved on average, in standard deviations.",
    caveat="whether the statistics moved with them",
    kind="loss",
    function=il1s,
    take=lambda inputs: il1s(inputs.numbers, inputs.numbers),
    needs=(Need.RECORDS, Need.NUMBERS),
    position=40,
)
