"""What a release gives away, one measure a file."""

from covey.measures.risk.achieved_k import AchievedK, achieved_k
from covey.measures.risk.distance_linkage import distance_linkage
from covey.measures.risk.dominance import Dominance, dominance
from covey.measures.risk.interval_disclosure import IntervalRisk, interval_disclosure
from covey.measures.risk.intruder import LinkageRisk
from covey.measures.risk.l_diversity import Diversity, l_diversity
from covey.measures.risk.outlier_linkage import OutlierRisk, outlier_linkage
from covey.measures.risk.probabilistic_linkage import ProbabilisticRisk, probabilistic_linkage
from covey.measures.risk.record_linkage import record_linkage

__all__ = [
    "AchievedK",
    "Diversity",
    "Dominance",
    "IntervalRisk",
    "LinkageRisk",
    "OutlierRisk",
    "ProbabilisticRisk",
    "achieved_k",
    "distance_linkage",
    "dominance",
    "interval_disclosure",
    "l_diversity",
    "outlier_linkage",
    "probabilistic_linkage",
    "record_linkage",
]
