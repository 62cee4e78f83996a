"""The search itself: rounds of annealing, then of rebuilding, over parts of the space."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from covey.kernels.annealing import anneal
from covey.kernels.chance import stream
from covey.kernels.moving import Search, fill_groups, total_sse
from covey.kernels.rebuilding import rebuild
from covey.refining.budget import Budget
from covey.refining.layout import Layout, new_search
from covey.refining.parts import Part, cut
from covey.refining.tally import Tally
from covey.threads import in_parallel
from covey.types import IntVector
from covey.watching import tell_to_stop

# From this share of the work on, the partitions met are good enough to remember.
LATE = 0.5
MOST_VISITED = 500
# Moves per record up to which a search starts as cool as is of use (measured).
SHORT = 100.0


class Stage(NamedTuple):
    """What one engine does until `end`, a share of all work, while it cools."""

    engine: Callable[..., int]
    end: float
    hot: float
    cold: float


class Found(NamedTuple):
    """The best partition met, its SSE, and partitions met on the way."""

    labels: IntVector
    sse: float
    visited: list[IntVector]


class Round(NamedTuple):
    """Work of one round on every part: `share` of the whole, `effort` moves per record."""

    engine: Callable[..., int]
    number: int
    share: float
    hot: float
    cold: float
    effort: float


def plan(effort: float) -> tuple[Stage, ...]:
    """Annealing first, then rebuilding; a short search must not boil away a good start."""
    heat = (effort / SHORT) ** 0.5
    return (
        Stage(anneal, 0.3, _between(0.1, 0.1 * heat, 1.0), 0.06),
        Stage(rebuild, 1.0, _between(0.1, 0.05 * heat, 0.3), 0.02),
    )


def _between(least: float, value: float, most: float) -> float:
    return min(max(value, least), most)


def search_partitions(
    layout: Layout,
    labels: IntVector,
    k: int,
    budget: Budget,
    seed: int,
    tally: Tally,
    remember: bool,
) -> Found:
    """Improve `labels`, of the records in space order; the answer is never worse.

    With `remember`, partitions met late in the search are kept for a final polish.
    """
    search = new_search(layout, labels, k)
    best, best_sse = labels.copy(), float(total_sse(search))
    visited: list[IntVector] = []
    rng = np.random.RandomState(seed)
    stages = plan(budget.expected_effort)
    number, begin = 0, 0.0
    while begin < 1.0:
        end = budget.share_after(number + 1)
        work = _round(stages, number, begin, end, budget.effort_of_round)
        _work_parts(search, k, cut(search, k, budget.n_parts, rng), work, seed, tally)
        fill_groups(search)
        sse = float(total_sse(search))
        if sse < best_sse:
            best, best_sse = search.labels.copy(), sse
        if remember and begin >= LATE and len(visited) < MOST_VISITED:
            visited.append(search.labels.copy())
        number, begin = number + 1, end
    return Found(best, best_sse, visited)


def _round(
    stages: tuple[Stage, ...], number: int, begin: float, end: float, effort: float
) -> Round:
    since = 0.0
    for stage in stages:
        if begin < stage.end:
            break
        since = stage.end
    hot, cold = (
        stage.hot * (stage.cold / stage.hot) ** ((share - since) / (stage.end - since))
        for share in (begin, min(end, stage.end))
    )
    return Round(stage.engine, number, end - begin, hot, cold, effort)


def _work_parts(
    search: Search, k: int, parts: list[Part], work: Round, seed: int, tally: Tally
) -> None:
    """One round: every part on its own, with random numbers of its own."""

    def run(part: Part) -> None:
        moves = int(work.effort * part.records.size) + 1
        chance = stream(seed, (work.number << 32) + part.number)
        records, free = part.records, part.free
        work.engine(
            *(search, k, part.number, records, free, moves, work.hot, work.cold, chance),
            tally.meter,
        )
        tally.add(work.share / len(parts))

    in_parallel(run, parts, partial(tell_to_stop, tally.meter))
