"""Improving partitions: a search for groups of least loss, and a final polish."""

from covey.refining.improving import Improvement, Settings, improve
from covey.refining.refine import refine

__all__ = ["Improvement", "Settings", "improve", "refine"]
