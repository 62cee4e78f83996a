"""The score: loss and risk in one figure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from covey.measures.measure import Measure
from covey.parameters import Number, require

if TYPE_CHECKING:
    from covey.measures.evaluation import Evaluation


def score(loss: Any, risk: Any, weight: float = 0.5) -> float:
    """weight·loss + (1 − weight)·risk, both in percent; lower is better.

    Takes numbers or results that have `.percent`. With G_IL and G_DR it is the scoring index SI of
    Oommen & Fayyoumi (2010), with the IL and DR of Domingo-Ferrer & Torra (2001) their score.

    Examples
    --------
    >>> score(30.0, 10.0)
    20.0
    """
    require(Number(0.0, maximum=1.0, closed=True), weight=weight)
    return weight * _percent(loss) + (1 - weight) * _percent(risk)


def _percent(value: Any) -> float:
    return float(getattr(value, "percent", value))


def parts_of_si(evaluation: Evaluation) -> dict[str, float]:
    """The scoring index SI of Oommen & Fayyoumi (2010): weight·G_IL + (1 − weight)·G_DR."""
    return {"g_il": evaluation.weight, "g_dr": 1 - evaluation.weight}


SCORE = Measure(
    name="score",
    label="score (G_IL and G_DR), lower is better",
    meaning="General loss and general risk, weighed against each other (Oommen & Fayyoumi 2010).",
    caveat="whether loss or risk makes it large",
    kind="score",
    function=parts_of_si,
    made_of=parts_of_si,
    sampled=True,
    position=10,
)
