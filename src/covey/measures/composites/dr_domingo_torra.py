"""The DR of Domingo-Ferrer & Torra (2001): linkages and intervals in one figure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from covey.measures.measure import Measure

if TYPE_CHECKING:
    from covey.measures.evaluation import Evaluation


def parts_of_dr(evaluation: Evaluation) -> dict[str, float]:
    """DR of Domingo-Ferrer & Torra (2001): (DLD + PLD) / 4 + ID by values / 2."""
    return {"distance_linkage": 0.25, "probabilistic_linkage": 0.25, "interval_values": 0.5}


DR_DOMINGO_TORRA = Measure(
    name="dr_domingo_torra",
    label="linkage and intervals combined (DR of Domingo-Ferrer & Torra 2001)",
    meaning=(
        "A quarter each of distance and probabilistic linkage, and half of interval disclosure by "
        "values (Domingo-Ferrer & Torra 2001)."
    ),
    caveat="which of the three makes it large",
    kind="risk",
    function=parts_of_dr,
    made_of=parts_of_dr,
    before=True,
    sampled=True,
    limit=True,
    printed=False,
    position=20,
)
