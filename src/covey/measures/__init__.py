"""Measures that judge a release, ours or another tool's."""

from covey.measures.all_measures import evaluate
from covey.measures.composites import score
from covey.measures.evaluation import Evaluation
from covey.measures.loss import (
    category_losses,
    eigenvalues,
    g_il,
    il,
    il1s,
    il_domingo_torra,
    per_variable,
)
from covey.measures.measure import Measure, Need
from covey.measures.registry import available, get
from covey.measures.risk import (
    achieved_k,
    distance_linkage,
    dominance,
    interval_disclosure,
    l_diversity,
    outlier_linkage,
    probabilistic_linkage,
    record_linkage,
)

__all__ = [
    "Evaluation",
    "Measure",
    "Need",
    "achieved_k",
    "available",
    "category_losses",
    "distance_linkage",
    "dominance",
    "eigenvalues",
    "evaluate",
    "g_il",
    "get",
    "il",
    "il1s",
    "il_domingo_torra",
    "interval_disclosure",
    "l_diversity",
    "outlier_linkage",
    "per_variable",
    "probabilistic_linkage",
    "record_linkage",
    "score",
]
