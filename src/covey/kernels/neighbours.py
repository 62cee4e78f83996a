"""Exchanges at random between groups that are neighbours, until no pair of records gains.

Towards the end hardly a pair does. Once all pairs of two groups have been tried in vain they are
*settled*, and drawing one of them again is passed over until one of the groups changes. That gives
the exchanges, and the random numbers, of trying every pair that is drawn.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from covey.kernels.chance import below, draw, skip
from covey.kernels.compiling import kernel
from covey.kernels.swaps import Groups, gains, too_far, try_exchange
from covey.types import FloatMatrix, IntMatrix, IntVector

# The most vain tries that are counted before all pairs of two groups are tried.
MOST_TRIES = 30_000


class Neighbours(NamedTuple):
    """Group a exchanges with the groups `close[a * width : (a + 1) * width]`.

    It is named itself at the places `listed[first[a] : first[a + 1]]` of `close`. `tries` has, for
    each place, the vain tries left before its two groups are settled: 0 when they are. `open`
    counts those that are not.
    """

    close: IntVector
    first: IntVector
    listed: IntVector
    tries: NDArray[np.int16]
    open: IntVector


@kernel
def none_settled(close: IntMatrix, smallest: int) -> Neighbours:
    """Neighbours of groups of at least `smallest` records."""
    n_groups = close.shape[0]
    named = close.ravel()
    first = np.zeros(n_groups + 1, dtype=np.int64)
    for g in named:
        first[g + 1] += 1
    first = np.cumsum(first)
    filled = first.copy()
    listed = np.empty(named.size, dtype=np.int64)
    for place in range(named.size):
        listed[filled[named[place]]] = place
        filled[named[place]] += 1
    tries = np.full(named.size, _tries(smallest), dtype=np.int16)
    return Neighbours(named, first, listed, tries, np.full(1, named.size))


@kernel
def _tries(smallest: int) -> int:
    """As many as there are pairs: trying all of them then costs no more than was spent."""
    return min(smallest * smallest, MOST_TRIES)


@kernel
def neighbour_pass(
    rows: FloatMatrix,
    groups: Groups,
    neighbours: Neighbours,
    records: IntVector,
    rate: float,
    smallest: int,
    state: NDArray[np.uint64],
) -> bool:
    """Draw `rate` of the records; pair each with a member of a group close to its own."""
    close, tries = neighbours.close, neighbours.tries
    width = close.size // groups.sizes.size
    count = max(int(rate * records.size), 1)
    draw(state, records, count)
    improved = False
    for i in range(count):
        x = records[i]
        place = groups.labels[x] * width + below(state, width)
        if tries[place] == 0:
            skip(state)
            continue
        g = close[place]
        y = groups.members[groups.starts[g] + below(state, groups.sizes[g])]
        if not too_far(rows, x, y) and try_exchange(rows, groups, x, y, smallest):
            _open(neighbours, groups.labels[x], width, smallest)
            _open(neighbours, groups.labels[y], width, smallest)
            improved = True
        elif tries[place] > 1:
            tries[place] -= 1
        else:
            _settle(rows, groups, neighbours, place, width, smallest)
    return improved


@kernel
def _settle(
    rows: FloatMatrix,
    groups: Groups,
    neighbours: Neighbours,
    place: int,
    width: int,
    smallest: int,
) -> None:
    """Try all pairs of the two groups of `place`, and note if none of them gains."""
    if _any_gains(rows, groups, place // width, neighbours.close[place]):
        neighbours.tries[place] = _tries(smallest)
    else:
        neighbours.tries[place] = 0
        neighbours.open[0] -= 1


@kernel
def _any_gains(rows: FloatMatrix, groups: Groups, a: int, g: int) -> bool:
    for x in groups.members[groups.starts[a] : groups.starts[a] + groups.sizes[a]]:
        for y in groups.members[groups.starts[g] : groups.starts[g] + groups.sizes[g]]:
            if not too_far(rows, x, y) and gains(rows, groups, x, y):
                return True
    return False


@kernel
def _open(neighbours: Neighbours, a: int, width: int, smallest: int) -> None:
    """What was known about group a and its neighbours holds no longer."""
    for place in range(a * width, (a + 1) * width):
        _open_place(neighbours, place, smallest)
    for i in range(neighbours.first[a], neighbours.first[a + 1]):
        _open_place(neighbours, neighbours.listed[i], smallest)


@kernel
def _open_place(neighbours: Neighbours, place: int, smallest: int) -> None:
    if neighbours.tries[place] == 0:
        neighbours.open[0] += 1
    neighbours.tries[place] = _tries(smallest)
