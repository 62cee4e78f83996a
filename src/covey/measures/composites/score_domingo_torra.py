"""The score of Domingo-Ferrer & Torra (2001)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from covey.measures.measure import Measure

if TYPE_CHECKING:
    from covey.measures.evaluation import Evaluation


def parts_of_score(evaluation: Evaluation) -> dict[str, float]:
    """Score of Domingo-Ferrer & Torra (2001): weight·IL + (1 − weight)·DR, as they take them."""
    return {"il_domingo_torra": evaluation.weight, "dr_domingo_torra": 1 - evaluation.weight}


SCORE_DOMINGO_TORRA = Measure(
    name="score_domingo_torra",
    label="score of Domingo-Ferrer & Torra (2001), lower is better",
    meaning="Loss and risk of Domingo-Ferrer & Torra (2001), weighed against each other.",
    caveat="whether loss or risk makes it large",
    kind="score",
    function=parts_of_score,
    made_of=parts_of_score,
    sampled=True,
    printed=False,
    position=20,
)
