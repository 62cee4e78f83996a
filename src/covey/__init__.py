"""Covey: microaggregation for people who must release microdata.

Every name below is imported on first use, so that ``import covey`` costs little and
compiles nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from covey import (
        bounds,
        datasets,
        errors,
        measures,
        release,
        selection,
        sources,
        techniques,
    )
    from covey.bounds import certify, lower_bound
    from covey.measures import evaluate
    from covey.partition import Partition
    from covey.refining.refine import refine
    from covey.release import compare, inspect, protect, tune

__version__ = "0.1.0"

__all__ = [
    "Partition",
    "bounds",
    "certify",
    "compare",
    "datasets",
    "errors",
    "evaluate",
    "inspect",
    "lower_bound",
    "measures",
    "protect",
    "refine",
    "release",
    "selection",
    "sources",
    "techniques",
    "tune",
]

_MEMBERS = {
    "Partition": "covey.partition",
    "certify": "covey.bounds",
    "compare": "covey.release",
    "evaluate": "covey.measures",
    "inspect": "covey.release",
    "lower_bound": "covey.bounds",
    "protect": "covey.release",
    "refine": "covey.refining",
    "tune": "covey.release",
}


def __getattr__(name: str) -> Any:
    if name in _MEMBERS:
        return getattr(import_module(_MEMBERS[name]), name)
    if name in __all__:
        return import_module(f"covey.{name}")
    raise AttributeError(f"module 'covey' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
