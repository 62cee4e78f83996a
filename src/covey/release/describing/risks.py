"""Risk before and after, against the limits that were set; and the records most at risk."""

from __future__ import annotations

import numpy as np

from covey import measures
from covey.measures import Evaluation
from covey.measures.pairs import Pair, read_pair
from covey.measures.risk.distance_linkage import distance_links, work_of
from covey.measures.risk.intruder import embedded
from covey.measures.risk.sampling import sample_of
from covey.release.describing.extremes import columns_of_extremes
from covey.release.release import Release
from covey.reports.content_types.internal import RecordAtRisk, Risk, ThreeQuestions
from covey.types import FloatVector

MOST_RECORDS = 20
EXTREME = 5.0  # percent


def risk_figures(evaluation: Evaluation) -> dict[str, float]:
    """Every risk that was measured, in percent."""
    figures = {risk.name: evaluation.figure(risk.name) for risk in measures.available("risk")}
    return {name: figure for name, figure in figures.items() if figure is not None}


def risk_table(release: Release) -> list[Risk]:
    """Each measure of risk before and after, and whether it keeps its limit."""
    original, evaluation = release.measure_original(), release.evaluation
    before, after = risk_figures(original), risk_figures(evaluation)
    limits = release.settings.thresholds
    return [
        {
            "measure": risk.label,
            "meaning": risk.meaning,
            "before": before.get(risk.name),
            "after": after[risk.name],
            "estimated": _estimated(risk.name, original, evaluation),
            "threshold": limits.get(risk.name),
            "passed": after[risk.name] <= limits[risk.name] if risk.name in limits else None,
        }
        for risk in measures.available("risk")
        if risk.name in after
    ]


def _estimated(name: str, original: Evaluation, released: Evaluation) -> str | None:
    """What estimates of the original and of the release rest on, in words."""
    found = {"before": original, "after": released}
    words = [
        f"{when}: {estimates[name]}"
        for when, evaluation in found.items()
        if name in (estimates := evaluation.estimates())
    ]
    return "; ".join(words) if words else None


def records_at_risk(release: Release) -> list[RecordAtRisk]:
    """The records an intruder would find most easily, by their row in the original."""
    coded = release.coded
    pair = read_pair(coded.original, coded.released, nominal=coded.nominal)
    points = embedded(pair)[0]
    distance = np.sqrt(np.square(points - points.mean(axis=0)).sum(axis=1))
    extreme = distance >= np.quantile(distance, 1 - EXTREME / 100)
    chances = 100.0 * _chances(pair, distance, exact=release.settings.exact)
    order = np.lexsort((np.arange(chances.size), -distance, -chances))[:MOST_RECORDS]
    found = [int(record) for record in order if chances[record] > 0]
    return [
        {
            "row": int(release.masked.kept[record]) + 1,
            "chance": float(chances[record]),
            "reason": _reason(bool(extreme[record])),
            "extreme_in": names,
        }
        for record, names in zip(found, columns_of_extremes(pair, found), strict=True)
    ]


def _chances(pair: Pair, distance: FloatVector, *, exact: bool) -> FloatVector:
    """Chances of a link; where there are too many records, of the most extreme ones only."""
    n = distance.size
    sample = sample_of(n, n * work_of(pair), exact=exact)
    if sample is None:
        return distance_links(pair)
    among = np.argsort(-distance, kind="stable")[: sample.size]
    chances = np.zeros(n)
    chances[among] = distance_links(pair, among=among)
    return chances


def _reason(extreme: bool) -> str:
    linked = "nearest to its own released record"
    return f"{linked}, and among the most extreme {EXTREME:g} %" if extreme else linked


def three_questions(release: Release) -> ThreeQuestions:
    """Figures for singling out, linkability and inference."""
    evaluation = release.evaluation
    classes = evaluation.achieved_k
    joint = release.technique.guarantee_ == "joint"
    diversity = evaluation.l_diversity
    return {
        "singling_out": {"smallest_class": classes.k, "records_alone": classes.unique},
        "linkability": {
            "linked_percent": evaluation.distance_linkage.percent,
            "bound_percent": 100.0 / release.achieved_k if joint else None,
        },
        "inference": {
            "interval_percent": _percent(evaluation.interval_values),
            "dominated_percent": _percent(evaluation.dominance),
            "single_value_percent": None if diversity is None else diversity.percent,
        },
    }


def _percent(part: object) -> float:
    return float(getattr(part, "percent", 0.0))
