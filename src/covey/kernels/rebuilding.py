"""Large neighbourhoods: a few neighbouring groups are taken apart and built anew."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from covey.kernels.chance import below, unit
from covey.kernels.compiling import kernel
from covey.kernels.metering import stop_if_told
from covey.kernels.moving import Search, join, leave
from covey.kernels.pooling import (
    MOST_GROUPS,
    Pool,
    descend,
    gather,
    new_pool,
    pooled_sse,
    settle,
    take_in,
)
from covey.types import IntVector

# A pool of m records takes as long as about m²/8 moves (measured).
MOVES_PER_PAIR = 1.0 / 8.0
STRIDE = 32


@kernel
def rebuild(
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
    """Rebuild pools of a part, for as long as `moves` moves take, cooling from `hot` to `cold`.

    Arguments are those of `covey.kernels.annealing.anneal`.
    """
    pool = new_pool(k)
    made, spent = 0, 0.0
    # Records lie in space order: going through them in strides keeps what is near in the cache,
    # and a random stride keeps rounds from pairing the same groups.
    step = below(state, records.size)
    while spent < moves:
        stop_if_told(meter)
        temperature = hot * (cold / hot) ** (spent / moves)
        step = (step + 1 + below(state, STRIDE)) % records.size
        x = records[step]
        limit = -temperature * search.scales[x] * math.log(1.0 - unit(state))
        gather(search, part, x, 2 + below(state, MOST_GROUPS - 1), pool)
        made += _rebuild_pool(search, k, pool, free, limit, state)
        spent += 1.0 + MOVES_PER_PAIR * pool.extent[0] * pool.extent[0]
    return made


@kernel
def _rebuild_pool(
    search: Search, k: int, pool: Pool, free: IntVector, limit: float, state: NDArray[np.uint64]
) -> bool:
    before = settle(pool, pool.extent[1])
    n_groups = _sampled_count(k, pool, free, state)
    _build(pool, k, n_groups, state)
    descend(pool, k, n_groups)
    if pooled_sse(pool, n_groups) - before >= limit:
        return False
    _put_back(search, pool, n_groups, free)
    return True


@kernel
def _sampled_count(k: int, pool: Pool, free: IntVector, state: NDArray[np.uint64]) -> int:
    """As many groups as before, or one more or less where sizes k to 2k − 1 allow it."""
    count, n_groups = pool.extent[0], pool.extent[1]
    choice = below(state, 4)
    if choice == 0 and (n_groups + 1) * k <= count and free[0] > 0:
        return int(n_groups + 1)
    if choice == 1 and (n_groups - 1) * (2 * k - 1) >= count:
        return int(n_groups - 1)
    return int(n_groups)


@kernel
def _build(pool: Pool, k: int, n_groups: int, state: NDArray[np.uint64]) -> None:
    """Randomised greedy: a seed and the k − 1 records nearest to the growing group, in turn."""
    pool.homes[: pool.extent[0]] = -1
    pool.sizes[:n_groups] = 0
    pool.inner[:n_groups] = 0.0
    pool.ties[: pool.extent[0], :n_groups] = 0.0
    for c in range(n_groups):
        take_in(pool, _seed(pool, pool.extent[0] - c * k, state), c)
        for _ in range(k - 1):
            take_in(pool, _closest(pool, c), c)
    for i in range(pool.extent[0]):
        if pool.homes[i] < 0:
            take_in(pool, i, _cheapest(pool, k, n_groups, i))


@kernel
def _seed(pool: Pool, homeless: int, state: NDArray[np.uint64]) -> int:
    """A random record without a home, or the one farthest from it."""
    skip = below(state, homeless)
    far = below(state, 2) == 0
    chosen = 0
    for i in range(pool.extent[0]):
        if pool.homes[i] < 0:
            if skip == 0:
                chosen = i
                break
            skip -= 1
    if not far:
        return chosen
    best = chosen
    for i in range(pool.extent[0]):
        if pool.homes[i] < 0 and pool.squares[chosen, i] > pool.squares[chosen, best]:
            best = i
    return best


@kernel
def _closest(pool: Pool, c: int) -> int:
    best, best_tie = -1, np.inf
    for i in range(pool.extent[0]):
        if pool.homes[i] < 0 and pool.ties[i, c] < best_tie:
            best, best_tie = i, pool.ties[i, c]
    return best


@kernel
def _cheapest(pool: Pool, k: int, n_groups: int, i: int) -> int:
    best, best_cost = -1, np.inf
    for c in range(n_groups):
        size = pool.sizes[c]
        if size < 2 * k - 1:
            cost = (pool.inner[c] + pool.ties[i, c]) / (size + 1) - pool.inner[c] / size
            if cost < best_cost:
                best, best_cost = c, cost
    return best


@kernel
def _put_back(search: Search, pool: Pool, n_groups: int, free: IntVector) -> None:
    """Give the groups of the search the members they have in the pool."""
    if n_groups > pool.extent[1]:
        pool.groups[n_groups - 1] = free[free[0]]
        free[0] -= 1
    for i in range(pool.extent[0]):
        leave(search, pool.records[i])
    for i in range(pool.extent[0]):
        join(search, pool.records[i], pool.groups[pool.homes[i]])
    if n_groups < pool.extent[1]:
        free[0] += 1
        free[free[0]] = pool.groups[n_groups]
