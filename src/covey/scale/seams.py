"""Repairing the seams: a second division of space that cuts elsewhere, and a search in its pools.

A technique that sees one cell cannot group records across its edges, and begins in every cell
anew. So the groups of all cells are put into pools, by a second tree whose cuts are not those of
the first, and each pool is searched for better groups. A search never makes a pool worse.
"""

from __future__ import annotations

import numpy as np

from covey.refining.improving import Settings, improve
from covey.scale.trees import Tree, grow
from covey.scaling import power_of_two
from covey.types import FloatMatrix, IntVector
from covey.watching import new_meter

# Moves per record. Chosen so that a million records in five variables lose hardly more in blocks
# than as a whole: see docs/scale.md.
EFFORT = 120.0
# Where the second tree cuts: the first cuts at the half.
SHARE = 1 / 3


def seam_tree(points: FloatMatrix, most: int) -> Tree:
    """The tree of the pools, from the points (or a sample of them) that made the cells."""
    return grow(points, most, SHARE)


def improved(points: FloatMatrix, labels: IntVector, k: int) -> IntVector:
    """Groups of a pool that lose no more than those of `labels`; both numbered from 0."""
    settings = Settings(EFFORT, polish=False)
    # Numbers that were not scaled may be huge; a power of two changes no comparison.
    offsets = points - points[0]
    points = np.ascontiguousarray(offsets / power_of_two(float(np.abs(offsets).max())))
    return improve(points, labels, k, settings, 0, new_meter()).labels
