"""Microaggregation techniques, one file each, named as in the literature.

Every module of this folder is found by itself, when a technique is first asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from covey.capabilities import Guarantee, TechniqueInfo
from covey.partition import Block
from covey.technique import Technique
from covey.techniques.registry import available, default, get, register, registered

# For editors and type checkers, and for `import *`; `python -m benchmarks.registry` writes it.
# <techniques>
if TYPE_CHECKING:
    from covey.techniques.egmmat import EGMMAT
    from covey.techniques.iamat import IAMAT
    from covey.techniques.individual_ranking import IndividualRanking
    from covey.techniques.mdav import MDAV
    from covey.techniques.near_optimal import NearOptimal
    from covey.techniques.optimal_univariate import OptimalUnivariate
    from covey.techniques.projected import Projected
    from covey.techniques.rgmat import RGMAT
    from covey.techniques.vmdav import VMDAV

__all__ = [
    "EGMMAT",
    "IAMAT",
    "MDAV",
    "RGMAT",
    "VMDAV",
    "IndividualRanking",
    "NearOptimal",
    "OptimalUnivariate",
    "Projected",
]
# </techniques>
__all__ += [
    "Block",
    "Guarantee",
    "Technique",
    "TechniqueInfo",
    "available",
    "default",
    "get",
    "register",
    "registered",
]


def __getattr__(name: str) -> Any:
    """A technique by the name of its class."""
    found = registered().get(name.lower())
    if found is None or found.__name__ != name:
        raise AttributeError(f"module 'covey.techniques' has no attribute {name!r}")
    return found


def __dir__() -> list[str]:
    return sorted({*__all__, *(cls.__name__ for cls in registered().values())})
