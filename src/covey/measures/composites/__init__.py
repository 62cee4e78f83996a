"""Figures that are made of several measures, one a file."""

from covey.measures.composites.score import score

__all__ = ["score"]
