"""G_DR: record linkage and interval disclosure in one figure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from covey.measures.measure import Measure

if TYPE_CHECKING:
    from covey.measures.evaluation import Evaluation


def parts_of_g_dr(evaluation: Evaluation) -> dict[str, float]:
    """General disclosure risk of Oommen & Fayyoumi (2010): (RLD + ID) / 2.

    RLD alone when all variables are nominal: there are no intervals then.
    """
    if evaluation.interval is None:
        return {"record_linkage": 1.0}
    return {"record_linkage": 0.5, "interval": 0.5}


G_DR = Measure(
    name="g_dr",
    label="general disclosure risk (G_DR)",
    meaning="Mean of record linkage and interval disclosure (Oommen & Fayyoumi 2010).",
    caveat="which of the two makes it large",
    kind="risk",
    function=parts_of_g_dr,
    made_of=parts_of_g_dr,
    before=True,
    sampled=True,
    limit=True,
    printed=False,
    position=10,
)
