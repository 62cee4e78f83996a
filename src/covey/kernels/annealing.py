"""Annealing over cheap moves, in one part of the space at a time."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from covey.kernels.chance import below, unit
from covey.kernels.compiling import kernel
from covey.kernels.metering import stop_if_told
from covey.kernels.moving import (
    Search,
    exchange,
    exchange_cost,
    joining_cost,
    leaving_gain,
    relocate,
)
from covey.kernels.reshaping import try_dissolving, try_founding
from covey.types import IntVector

# Moves between two looks at whether somebody wants to stop.
WATCH = 4096
# One in so many moves dissolves a group or founds one.
RESHAPE = 50


@kernel
def anneal(
    search: Search,
    k: int,
    part: int,
    records: IntVector,
    free: IntVector,
    moves: int,
    hot: float,
    cold: float,
    state: NDArray[np.uint64],
    meter: IntVector,
) -> int:
    """Try `moves` moves in a part while it cools from `hot` to `cold`.

    `records` are those of the part, `free[1 : free[0] + 1]` the groups it may found. Only groups of
    the part change, so that parts can be worked at the same time. Returns how many moves were
    made.
    """
    made = 0
    cooling = (cold / hot) ** (float(WATCH) / moves)
    temperature = hot
    step = 0
    for move in range(moves):
        if move % WATCH == 0:
            stop_if_told(meter)
            if move > 0:
                temperature *= cooling
        x = records[step]
        step = step + 1 if step + 1 < records.size else 0
        if move % RESHAPE == 0:
            made += _reshape(search, k, part, x, free, temperature, state)
        else:
            made += _try_move(search, k, part, x, temperature, state)
    return made


@kernel
def _try_move(
    search: Search, k: int, part: int, x: int, temperature: float, state: NDArray[np.uint64]
) -> bool:
    """Relocate x to the group of one of its neighbours, or exchange it with a member of it."""
    share = unit(state)
    z = search.neighbours[x, int(share * search.neighbours.shape[1])]
    a, b = search.labels[x], search.labels[z]
    if a == b or search.parts[b] != part:
        return False
    chance = unit(state)
    size = search.sizes[b]
    choice = below(state, size)
    y = search.members[b, choice]
    if y == z:
        # Nobody leaves in place of x: the neighbour itself must stay.
        if search.sizes[a] <= k or size >= 2 * k - 1:
            return False
        cost = joining_cost(search, x, b) - leaving_gain(search, x)
        if not accepts(cost, temperature * search.scales[x], chance):
            return False
        relocate(search, x, b)
        return True
    cost = exchange_cost(search, x, y)
    if not accepts(cost, temperature * search.scales[x], chance):
        return False
    exchange(search, x, y)
    return True


@kernel
def accepts(cost: float, temperature: float, chance: float) -> bool:
    """Whether a move that costs so much is made; `chance` is uniform from 0 to 1."""
    return cost <= 0.0 or (cost < 40.0 * temperature and chance < math.exp(-cost / temperature))


@kernel
def _reshape(
    search: Search,
    k: int,
    part: int,
    x: int,
    free: IntVector,
    temperature: float,
    state: NDArray[np.uint64],
) -> bool:
    """Dissolve the group of x, or found one around it."""
    limit = -temperature * search.scales[x] * math.log(1.0 - unit(state))
    if search.sizes[search.labels[x]] == k:
        return try_dissolving(search, k, part, search.labels[x], free, limit)
    return try_founding(search, k, part, x, free, limit)
