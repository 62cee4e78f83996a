"""The score: loss and risk in one figure."""

from __future__ import annotations

from typing import Any

from covey.parameters import Number, require


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
