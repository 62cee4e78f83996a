"""IL: the share of the variance that is lost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from covey.measures.measure import Measure, Need
from covey.measures.pairs import read_pair, scores_of_both


class InformationLoss(NamedTuple):
    """IL and its parts.

    `bounded` is 100·SSE / (SSE + SST): group means never lose more than everything, but other
    releases can.
    """

    percent: float
    bounded: float
    sse: float
    sst: float


def il(original: Any, released: Any, columns: Sequence[Any] | None = None) -> InformationLoss:
    """Information loss: 100·SSE / SST on z-scores.

    z-scores are taken by the mean and SD of the **original**; SSE sums the squared differences of
    both files and SST the squares of the original. A variable that does not vary in the original
    does not count; neither does a cell that is missing in the original. A cell that only the
    release misses has lost everything, as if it held the mean. Zero if nothing varies.

    Examples
    --------
    Deviations of ±1 around 0 and 10 become 0: SSE 4 of SST 104.

    >>> result = il([[-1.0], [1.0], [9.0], [11.0]], [[0.0], [0.0], [10.0], [10.0]])
    >>> round(result.percent, 4)
    3.8462
    """
    pair = read_pair(original, released, columns)
    first, second = scores_of_both(pair)
    known = ~np.isnan(pair.original)
    second = np.where(np.isnan(second), 0.0, second)
    sse = float(np.where(known, np.square(first - second), 0.0).sum())
    sst = float(np.where(known, np.square(first), 0.0).sum())
    if sst == 0:
        return InformationLoss(0.0, 0.0, sse, sst)
    return InformationLoss(100.0 * sse / sst, 100.0 * sse / (sse + sst), sse, sst)


IL = Measure(
    name="il",
    label="information loss (IL)",
    meaning="Share of the variance that disappeared inside the groups.",
    caveat="what happened to a statistic you care about",
    kind="loss",
    function=il,
    take=lambda inputs: il(inputs.numbers, inputs.numbers),
    needs=(Need.RECORDS, Need.NUMBERS),
    position=10,
)
