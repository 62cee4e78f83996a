"""Measures that judge a release, ours or another tool's."""

from covey.measures.all_measures import evaluate
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
from covey.measures.score import score

__all__ = [
    "Evaluation",
    "achieved_k",
    "category_losses",
    "distance_linkage",
    "dominance",
    "eigenvalues",
    "evaluate",
    "g_il",
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
