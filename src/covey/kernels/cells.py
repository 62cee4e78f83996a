"""Finding the cell of a record in a tree of cuts."""

from __future__ import annotations

import numpy as np

from covey.kernels.compiling import kernel
from covey.types import FloatMatrix, FloatVector, IntVector


@kernel
def find_leaves(
    points: FloatMatrix, sides: IntVector, cuts: FloatVector, lower: IntVector, upper: IntVector
) -> IntVector:
    """The node at which each point ends; a point on a cut lies above it."""
    found = np.empty(points.shape[0], dtype=np.int64)
    for i in range(points.shape[0]):
        node = 0
        while sides[node] >= 0:
            below = points[i, sides[node]] < cuts[node]
            node = lower[node] if below else upper[node]
        found[i] = node
    return found
