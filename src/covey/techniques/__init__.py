"""Microaggregation techniques, one file each, named as in the literature."""

from covey.technique import Block, Technique, TechniqueInfo
from covey.techniques.egmmat import EGMMAT
from covey.techniques.iamat import IAMAT
from covey.techniques.individual_ranking import IndividualRanking
from covey.techniques.mdav import MDAV
from covey.techniques.near_optimal import NearOptimal
from covey.techniques.optimal_univariate import OptimalUnivariate
from covey.techniques.projected import Projected
from covey.techniques.registry import available, default, get, register
from covey.techniques.rgmat import RGMAT
from covey.techniques.vmdav import VMDAV

__all__ = [
    "EGMMAT",
    "IAMAT",
    "MDAV",
    "RGMAT",
    "VMDAV",
    "Block",
    "IndividualRanking",
    "NearOptimal",
    "OptimalUnivariate",
    "Projected",
    "Technique",
    "TechniqueInfo",
    "available",
    "default",
    "get",
    "register",
]
