"""Candidates: releases that were tried, with their loss and risk."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from covey import measures, techniques
from covey.errors import InvalidParameter
from covey.measures import Evaluation
from covey.measures.registry import comparable
from covey.parameters import OneOf, Whole, require
from covey.technique import Technique

# Settings that are only for the reports about a release.
UNUSED = ("rules", "thresholds")


class Candidate(NamedTuple):
    """A technique with its k, what drives the grouping, and what came of it.

    `risk` and `score` are None when the risk was not measured (see `tune`).
    """

    technique: str
    k: int
    driving: tuple[str, ...] | None
    loss: float
    risk: float | None
    score: float | None
    achieved_k: int
    guarantee: str
    seconds: float
    parameters: dict[str, Any]

    @property
    def name(self) -> str:
        """The technique, k and the driving variables in words."""
        driven = "" if self.driving is None else f", driven by {', '.join(self.driving)}"
        return f"{self.technique} k={self.k}{driven}"


def check_measures(loss: str, risk: str) -> None:
    """Refuse names of measures that candidates cannot be ranked by."""
    require(OneOf(tuple(comparable("loss"))), loss=loss)
    require(OneOf(tuple(comparable("risk"))), risk=risk)


def label_of(measure: str) -> str:
    """The words for a measure."""
    return measures.get(measure).label


def figure(evaluation: Evaluation, measure: str) -> float:
    """The figure of a measure, in percent."""
    return known_figure(evaluation.figure(measure), measure)


def known_figure(found: float | None, measure: str) -> float:
    """The figure itself; raises if it could not be measured."""
    if found is None:
        raise InvalidParameter(
            f"{measure!r} cannot be measured on these data; choose another measure."
        )
    return found


def refuse_varied(roles: dict[str, Any]) -> None:
    """What a search varies cannot be given once for all candidates."""
    for name in ("technique", "parameters", "settings"):
        if name in roles:
            raise InvalidParameter(
                f"{name} is not one for all candidates: give techniques=[...], as instances when "
                "they have parameters of their own."
            )


def refuse_unused(roles: dict[str, Any]) -> None:
    """What is for the reports about one release says nothing to a comparison of many."""
    for name in UNUSED:
        if roles.get(name):
            raise InvalidParameter(
                f"{name} have no effect on a comparison. Give them to protect, or to tune."
            )


def sizes_to_try(k: Any) -> list[int]:
    """K as a list of different sizes, from the smallest."""
    given = [k] if Whole(2).allows(k) else list(k) if isinstance(k, Sequence | range) else []
    if not given or not all(Whole(2).allows(size) for size in given):
        raise InvalidParameter(f"k must be a list of whole numbers of at least 2; got {k!r}.")
    return sorted({int(size) for size in given})


def techniques_to_try(given: Sequence[str | Technique] | None) -> list[str | Technique]:
    """Names and instances; by default every technique with a joint guarantee for many variables."""
    if given is None:
        return [info.name for info in techniques.available() if info.is_comparable]
    given = [given] if isinstance(given, str | Technique) else given
    listed = isinstance(given, Sequence) and len(given) > 0
    if not listed or not all(isinstance(one, str | Technique) for one in given):
        raise InvalidParameter("techniques must be a list of names or techniques.")
    for technique in given:
        if isinstance(technique, str):
            techniques.get(technique)
    return list(given)


def pareto_front(candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates that no other one dominates, from the least loss."""
    measured = [c for c in candidates if c.risk is not None]
    return sorted(
        (c for c in measured if not any(dominates(other, c) for other in measured)),
        key=lambda c: (c.loss, c.risk),
    )


def dominates(first: Candidate, second: Candidate) -> bool:
    """Whether one is at least as good in loss and in risk, and better in one of them."""
    if first.risk is None or second.risk is None:
        return False
    as_good = first.loss <= second.loss and first.risk <= second.risk
    return as_good and (first.loss, first.risk) != (second.loss, second.risk)
