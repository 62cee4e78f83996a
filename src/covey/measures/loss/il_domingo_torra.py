"""The IL of Domingo-Ferrer & Torra (2001), which averages five losses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from covey.measures.loss.g_il import five_ratios
from covey.measures.measure import Measure, Need
from covey.measures.pairs import read_pair
from covey.parameters import OneOf, require


class DomingoTorraLoss(NamedTuple):
    """IL of Domingo-Ferrer & Torra and its parts (ratios, not percent); `bounded` as in G_IL."""

    percent: float
    bounded: float
    il1: float
    il2: float
    il3: float
    il4: float
    il5: float


def il_domingo_torra(
    original: Any,
    released: Any,
    columns: Sequence[Any] | None = None,
    correlations: str = "absolute",
) -> DomingoTorraLoss:
    """Information loss of Domingo-Ferrer & Torra (2001): 100·(IL1 + … + IL5) / 5.

    The statistics of `g_il` in the order of Nin & Torra (2008): IL1 cells, IL2 means,
    IL3 covariances, IL4 variances, IL5 correlations.

    Parameters
    ----------
    original, released : array-like or data frame
        The same records in the same order, in raw units.
    columns : list, optional
        The columns to compare; all if not given.
    correlations : {"absolute", "relative"}, default="absolute"
        IL5 as mean |r − r'|, or as mean variation |r − r'| / |r|.

    Examples
    --------
    >>> table = [[1.0, 5.0], [3.0, 2.0], [4.0, 9.0], [8.0, 7.0]]
    >>> il_domingo_torra(table, table).percent
    0.0
    """
    require(OneOf(("absolute", "relative")), correlations=correlations)
    ratios = five_ratios(
        read_pair(original, released, columns), relative_correlations=correlations == "relative"
    )
    in_order = (
        ratios.cells,
        ratios.means,
        ratios.covariances,
        ratios.variances,
        ratios.correlations,
    )
    return DomingoTorraLoss(
        20.0 * sum(ratio.mean for ratio in in_order),
        20.0 * sum(ratio.bounded for ratio in in_order),
        *(ratio.mean for ratio in in_order),
    )


IL_DOMINGO_TORRA = Measure(
    name="il_domingo_torra",
    label="IL of Domingo-Ferrer & Torra (2001)",
    meaning="The five statistics of G_IL again (Domingo-Ferrer & Torra 2001).",
    caveat="more than `g_il`",
    kind="loss",
    function=il_domingo_torra,
    take=lambda inputs: il_domingo_torra(inputs.numbers, inputs.numbers),
    needs=(Need.RECORDS, Need.NUMBERS),
    repeats="g_il",
    position=30,
)
