"""Whether an unassigned record has others close to it."""

from __future__ import annotations

import numpy as np

from covey.kernels.boxes import SIBLINGS, nearest_bounds
from covey.kernels.compiling import kernel
from covey.kernels.searching import ROOM, ROOT, wait
from covey.kernels.unassigned import WIDTH, Unassigned, block_distances, children, is_tree
from covey.types import FloatVector


@kernel
def has_other_near(left: Unassigned, record: int, inside: float, factor: float) -> bool:
    """Whether an unassigned record other than `record` is so near to it that its squared distance
    does not exceed `inside` when multiplied by `factor`.

    One such record settles it, which is most often in the first leaf that is looked into.
    """
    here, bounds = np.empty(WIDTH), np.empty(SIBLINGS)
    if not is_tree(left):
        return _leaf_has(left, left.first_leaf, record, inside, factor, here)
    stack, keys = np.empty(ROOM, dtype=np.int64), np.empty(ROOM)
    stack[0], keys[0] = ROOT, 0.0
    waiting = 1
    while waiting > 0:
        waiting -= 1
        node = stack[waiting]
        if factor * keys[waiting] > inside:
            continue
        if node < left.first_leaf:
            group = children(left, node)
            nearest_bounds(left.boxes, group, left.points[record], bounds)
            waiting = wait(left, group, bounds, np.inf, stack, keys, waiting)
        elif _leaf_has(left, node, record, inside, factor, here):
            return True
    return False


@kernel
def _leaf_has(
    left: Unassigned, node: int, record: int, inside: float, factor: float, here: FloatVector
) -> bool:
    first, count = (node - left.first_leaf) * left.capacity, left.counts[node]
    for begin in range(first, first + count, WIDTH):
        block_distances(left.blocks, begin // WIDTH, left.points[record], here)
        for c in range(min(WIDTH, first + count - begin)):
            if factor * here[c] <= inside and left.ids[begin + c] != record:
                return True
    return False
