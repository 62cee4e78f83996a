"""Moves that change the number of groups: dissolve one, found one."""

from __future__ import annotations

import numpy as np

from covey.kernels.compiling import kernel
from covey.kernels.moving import (
    Search,
    group_sse,
    join,
    joining_cost,
    leave,
    leaving_gain,
    relocate,
)
from covey.types import IntVector

# A record of a dissolved group looks at the groups of so many neighbours in the part.
LOOKS = 12


@kernel
def try_dissolving(
    search: Search, k: int, part: int, g: int, free: IntVector, limit: float
) -> bool:
    """Send every member of g to its best group nearby, if all that costs less than `limit`."""
    size = search.sizes[g]
    before = search.members[g, :size].copy()
    cost = -group_sse(search, g)
    moved = 0
    for x in before:
        target = _best_home(search, k, part, g, x)
        if target < 0:
            break
        cost += joining_cost(search, x, target)
        relocate(search, x, target)
        moved += 1
        if cost >= limit:
            break
    if moved == size and cost < limit:
        free[0] += 1
        free[free[0]] = g
        return True
    for x in before[:moved]:
        relocate(search, x, g)
    return False


@kernel
def _best_home(search: Search, k: int, part: int, without: int, x: int) -> int:
    best, best_cost = -1, np.inf
    looks = 0
    for z in search.neighbours[x]:
        g = search.labels[z]
        if g == without or search.parts[g] != part or search.sizes[g] >= 2 * k - 1:
            continue
        cost = joining_cost(search, x, g)
        if cost < best_cost:
            best, best_cost = g, cost
        looks += 1
        if looks >= LOOKS:
            break
    return best


@kernel
def try_founding(search: Search, k: int, part: int, x: int, free: IntVector, limit: float) -> bool:
    """Found a group of x and its nearest records that their groups can spare."""
    if free[0] == 0:
        return False
    g = free[free[0]]
    origins = np.empty(k, dtype=np.int64)
    gain = _enlist(search, x, g, origins, leaving_gain(search, x))
    for z in search.neighbours[x]:
        if search.sizes[g] == k:
            break
        a = search.labels[z]
        if a != g and search.parts[a] == part and search.sizes[a] > k:
            gain = _enlist(search, z, g, origins, gain + leaving_gain(search, z))
    size = search.sizes[g]
    if size == k and group_sse(search, g) - gain < limit:
        free[0] -= 1
        return True
    for i in range(size - 1, -1, -1):
        relocate(search, search.members[g, i], origins[i])
    return False


@kernel
def _enlist(search: Search, x: int, g: int, origins: IntVector, gain: float) -> float:
    """Move x to the new group g, remembering where it came from; pass `gain` on."""
    origins[search.sizes[g]] = search.labels[x]
    leave(search, x)
    join(search, x, g)
    return gain
