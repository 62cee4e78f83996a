"""Benchmark files of the literature, and synthetic data."""

from covey.datasets.benchmarks import load_census, load_eia, load_tarragona
from covey.datasets.survey import make_survey
from covey.datasets.trees import TreeData, make_dependence_tree

__all__ = [
    "TreeData",
    "load_census",
    "load_eia",
    "load_tarragona",
    "make_dependence_tree",
    "make_survey",
]
