"""The search itself: annealing, then reheating and rebuilding what the first pass left.

At first the whole partition cools. Then rounds start from the best partition so far: one warms it
up and cools it again, the next takes small pools of groups apart and builds them anew. Groups
before and after a round are linked where they share records, and each connected component is
decided on its own: what gained is kept, whatever happened elsewhere.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from covey.core import Search
from covey.refining.budget import Budget
from covey.refining.layout import Layout
from covey.refining.regions import RoundShape
from covey.refining.tally import Tally
from covey.threads import thread_count
from covey.types import IntVector

# Temperatures, as shares of what records around are apart (measured).
HOT, COLD, COLD_OF_SHORT = 0.3, 0.06, 0.08
# Moves per record from which on a search reheats: before, annealing alone gains more (measured).
REHEATS_FROM = 1_500.0
# What the first pass takes of all moves, by how many moves per record there are at least.
SHARES = ((5_000.0, 0.4), (REHEATS_FROM, 0.75), (40.0, 0.95), (0.0, 1.0))
# A short search must not lose a good start by heating it: so many moves per record bear `HOT`.
BEARS_HEAT = 50.0
# The first pass is cut into rounds, so that the seams between regions move.
ROUNDS, FEWEST_SWEEPS = 100, 10.0
# A reheating round: moves per record, and its temperatures. With so many rounds that each gains
# little, it pays that they end colder (measured).
SWEEPS_OF_REHEAT, REHEAT, RECOOL = 100.0, 0.16, 0.08
COLDER_FROM, COLDER_RECOOL = 10_000.0, 0.06
# A rebuilding round: pools per record, and where their temperature begins.
POOLS, POOLS_OF_SHORT = 1.0, 0.1
POOL_HEAT, POOL_HEAT_OF_SHORT = 0.5, 0.05
JITTER = 0.3
# A component may lose so much at first, in mean scales of its records; nothing in the last tenth.
MERGE_HEAT, MERGE_ENDS = 0.3, 0.9
# Neighbours whose groups a move looks at.
FEWEST_NEAR, NEAR_BEYOND_K = 12, 6
# Partitions to remember for a final program.
MOST_VISITED = 500
KEEP_AS_THEY_ARE = -1.0
ROUNDING = 1e-9


class Found(NamedTuple):
    """The best partition met, its SSE, and partitions met on the way."""

    labels: IntVector
    sse: float
    visited: list[IntVector]


class PartitionSearch:
    """One search from `labels`, of the records in space order."""

    def __init__(
        self,
        layout: Layout,
        labels: IntVector,
        k: int,
        budget: Budget,
        shapes: tuple[RoundShape, RoundShape],
        seed: int,
        tally: Tally,
    ) -> None:
        n_near = min(max(FEWEST_NEAR, NEAR_BEYOND_K + k), layout.neighbours.shape[1])
        self._groups = Search(layout.points, layout.neighbours, n_near, layout.scales, k, labels)
        self._budget, self._tally, self._seed = budget, tally, seed
        self._number = 0
        self._told = 0.0
        self._cooling, self._reheating = shapes
        self._jitter = np.random.RandomState(seed)
        self.visited: list[IntVector] = []

    def run(self, remember: str | None) -> Found:
        """Search until the budget is spent; the answer is never worse than the start.

        For a final program partitions of the later rounds can be remembered: as they were "kept",
        or as they were "tried", before the merge, which are more.
        """
        effort = self._budget.expected_effort
        share = next(share for least, share in SHARES if effort >= least)
        self._cool(share, COLD_OF_SHORT if effort < REHEATS_FROM else COLD)
        best = self._reheat(share, effort >= REHEATS_FROM, remember)
        return Found(best, self._groups.best_sse(), self.visited)

    def _cool(self, until: float, cold: float) -> None:
        """The first pass, which ends at a share of all work."""
        hot = max(HOT * min(self._budget.expected_effort / BEARS_HEAT, 1.0), cold)
        begin = self._budget.share
        while until - begin > ROUNDING:
            sweeps = self._budget.sweeps_for(until / ROUNDS)
            if self._cooling.n_regions > 1:
                sweeps = max(sweeps, FEWEST_SWEEPS)
            sweeps = min(sweeps, self._budget.sweeps_for(until - begin))
            end = min(begin + self._budget.share_of(sweeps), until)
            warm, cool = (hot * (cold / hot) ** (share / until) for share in (begin, end))
            work = self._round(self._cooling, warm, cool, sweeps=sweeps)
            begin = self._told_share(self._budget.spend_sweeps(sweeps, work))

    def _reheat(self, since: float, is_long: bool, remember: str | None) -> IntVector:
        """Rounds from the best so far; returns the best."""
        spent = {"sweeps": 0.0, "pools": 0.0}
        recool = COLDER_RECOOL if self._budget.expected_effort >= COLDER_FROM else RECOOL
        best = self._groups.keep_best()
        share = self._budget.share
        while 1.0 - share > ROUNDING:
            done = (share - since) / (1.0 - since)
            kind = min(spent, key=spent.__getitem__) if is_long else "pools"
            heat = math.exp(self._jitter.uniform(-JITTER, JITTER))
            merge_at = 0.0
            if is_long:
                merge_at = MERGE_HEAT * max(0.0, 1.0 - done / MERGE_ENDS)
            if kind == "sweeps":
                work = self._round(
                    self._reheating, REHEAT * heat, recool, merge_at, sweeps=SWEEPS_OF_REHEAT
                )
            else:
                hot, pools = (POOL_HEAT, POOLS) if is_long else (POOL_HEAT_OF_SHORT, POOLS_OF_SHORT)
                work = self._round(self._reheating, hot * heat, 0.0, merge_at, pools=pools)
            spent[kind] += work
            share = self._told_share(self._budget.spend(work))
            best = self._groups.keep_best()
            if remember and len(self.visited) < MOST_VISITED:
                groups = self._groups
                self.visited.append(groups.tried() if remember == "tried" else groups.labels())
        return best

    def _told_share(self, share: float) -> float:
        self._tally.add(share - self._told)
        self._told = share
        return share

    def _round(
        self,
        shape: RoundShape,
        hot: float,
        cold: float,
        merge_at: float = KEEP_AS_THEY_ARE,
        sweeps: float = 0.0,
        pools: float = 0.0,
    ) -> float:
        work = self._groups.run(
            sweeps=sweeps,
            pools=pools,
            hot=hot,
            cold=cold,
            merge_at=merge_at,
            seed=self._seed,
            number=self._number,
            n_regions=shape.n_regions,
            n_streams=shape.n_streams,
            threads=thread_count(),
            meter=self._tally.meter,
        )
        self._number += 1
        return work
