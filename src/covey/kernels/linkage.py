"""Who is linked to whom by distance. Ties share the link, so the order of records never decides."""

from __future__ import annotations

import numpy as np

from covey.kernels.compiling import kernel
from covey.kernels.kdtree import KDTree, count_closer
from covey.kernels.unassigned import squared_distance
from covey.types import FloatMatrix, FloatVector, IntVector

# Room for two nodes a level: more levels than any file has.
STACK = 128


@kernel
def link_to_originals(
    tree: KDTree,
    originals: FloatMatrix,
    rows: FloatMatrix,
    members: IntVector,
    starts: IntVector,
    nearest: int,
    share_ties: bool,
) -> FloatVector:
    """For each record the chance that its original is among the `nearest` to its released row.

    `rows` are the distinct released rows; row g belongs to `members[starts[g]:starts[g + 1]]`.
    `tree` holds the originals.
    """
    links = np.zeros(originals.shape[0])
    stack = np.empty(STACK, dtype=np.int64)
    for g in range(rows.shape[0]):
        group = members[starts[g] : starts[g + 1]]
        radius = -1.0
        while True:
            radius = _next_distance(originals, group, rows[g], radius)
            if radius == np.inf:
                break
            closer = count_closer(tree, rows[g], radius, nearest, stack)
            if closer.inside >= nearest:
                break
            chance = min(1.0, (nearest - closer.inside) / closer.tied) if share_ties else 1.0
            for record in group:
                if squared_distance(originals, record, rows[g]) == radius:
                    links[record] = chance
    return links


@kernel
def _next_distance(
    originals: FloatMatrix, group: IntVector, row: FloatVector, beyond: float
) -> float:
    """Least distance of a member from the row that exceeds `beyond`; inf if there is none."""
    least = np.inf
    for record in group:
        distance = squared_distance(originals, record, row)
        if beyond < distance < least:
            least = distance
    return least


@kernel
def link_to_released(
    tree: KDTree, originals: FloatMatrix, rows: FloatMatrix, labels: IntVector
) -> FloatVector:
    """For each record the chance that the nearest released record is its own.

    `tree` holds the distinct released rows, weighted by how many records share them.
    """
    links = np.zeros(originals.shape[0])
    stack = np.empty(STACK, dtype=np.int64)
    for i in range(originals.shape[0]):
        radius = squared_distance(rows, labels[i], originals[i])
        closer = count_closer(tree, originals[i], radius, 1, stack)
        if closer.inside == 0:
            links[i] = 1.0 / closer.tied
    return links
