"""Column generation: prices from a linear programme, groups from the prices, and so on.

The bound depends on the prices of the records. It is best at the prices of the linear programme
over *all* groups. The programme over the known groups has others; the search for groups that are
worth more than they cost corrects it. Its prices swing widely, so the search takes prices between
them and the best ones so far (Wentges 1997, doi:10.1016/S0969-6016(97)00001-4).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from covey.bounds.columns import Columns, padded
from covey.bounds.deadline import Deadline
from covey.bounds.distances import Neighbours
from covey.bounds.master import Solution, solve
from covey.bounds.pricing import Proof, Task, prove
from covey.core import mdav
from covey.core.trees import scan_below
from covey.partition import Partition
from covey.threads import thread_count
from covey.types import FloatVector, Progress
from covey.watching import new_meter

PRECISION = 1e-6  # relative difference of bound and programme that ends the work
FIRST_WEIGHT = 0.5
NO_WEIGHT = 0.1  # below this weight the best prices so far no longer count
PATIENCE = 2_000  # branches below one leader; more where that was not enough
MOST_PATIENCE = 10**9
NEARLY = 0.05  # from this difference on, groups that are not quite worth it are taken too
TAME = 3.0  # prices are at most so many times those from distances at first
MOST_COLUMNS = 40  # a record; above it half of them are forgotten
FIRST_SIZES = 3


class Best(NamedTuple):
    """The best bound so far, and the prices that prove it."""

    bound: float
    prices: FloatVector


class Generation:
    """Column generation from a first bound on: `run` improves `best` until it ends."""

    def __init__(
        self,
        task: Task,
        best: Best,
        columns: Columns,
        deadline: Deadline,
        most_rounds: int | None = None,
        progress: Progress | None = None,
    ) -> None:
        self.best, self.columns = best, columns
        self.rounds, self.finished, self.improved = 0, False, False
        self._task, self._deadline, self._progress = task, deadline, progress
        self._most_rounds, self._patience = most_rounds, PATIENCE
        self._weight, self._first = FIRST_WEIGHT, best.prices
        # Groups of equal records cost what rounding leaves.
        self._nothing = 1e-12 * float(np.square(task.points - task.points.mean(axis=0)).sum())

    def run(self) -> None:
        """Round after round, until the bound is as good as it gets or the time is up."""
        while self._may_go_on():
            solution = solve(self.columns, self._deadline.left)
            if solution is None or not self._improve(solution):
                return
            self._forget(solution)

    def _may_go_on(self) -> bool:
        enough = self._most_rounds is not None and self.rounds >= self._most_rounds
        return not (self.finished or enough or self._deadline.passed)

    def _improve(self, solution: Solution) -> bool:
        """Search at prices closer and closer to the solution's; whether to solve again."""
        weight = self._weight
        self._compare(solution)
        while self._may_go_on():
            proof = self._search(solution, weight)
            if proof is None:
                return False
            if self._add(proof, solution):
                return True
            if weight == 0.0 and (proof.complete or self._patience > MOST_PATIENCE):
                return False
            weight = weight / 2 if weight > NO_WEIGHT else 0.0
        return False

    def _search(self, solution: Solution, weight: float) -> Proof | None:
        prices = weight * self.best.prices + (1.0 - weight) * self._tamed(solution, weight)
        proof = prove(self._task, prices, self._margin(solution), self._patience, self._ask)
        if proof is not None:
            self.rounds += 1
            better = proof.bound > self.best.bound
            if better:
                self.best, self.improved = Best(proof.bound, prices), True
            elif not proof.complete:
                self._patience *= 2
            self._weight = adapted(weight, better)
            self._compare(solution)
        return proof

    def _tamed(self, solution: Solution, weight: float) -> FloatVector:
        """Prices of the solution, cut to a range that doubles from round to round.

        The first programmes know few groups and ask absurd prices, at which searches take long.
        """
        if weight == 0.0 or self._is_near(solution):
            return solution.prices
        most = TAME * 2.0**self.rounds * (self._first + self._first.mean())
        return np.clip(solution.prices, -most, most)

    def _is_near(self, solution: Solution) -> bool:
        return solution.cost - self.best.bound < NEARLY * solution.cost

    def _compare(self, solution: Solution) -> None:
        difference = solution.cost - self.best.bound
        self.finished = difference <= PRECISION * solution.cost + self._nothing

    def _margin(self, solution: Solution) -> float:
        """Groups are taken up to this reduced cost: the difference, for each group."""
        difference = solution.cost - self.best.bound
        each = max(difference, 0.0) * self._task.k / solution.prices.size
        return each if self._is_near(solution) else 0.0

    def _add(self, proof: Proof, solution: Solution) -> bool:
        """Add what was found; whether the programme gets better by it."""
        before = len(self.columns)
        self.columns.add(proof.groups)
        little = PRECISION * solution.cost / solution.prices.size
        return bool((self.columns.reduced(solution.prices)[before:] < -little).any())

    def _forget(self, solution: Solution) -> None:
        """Forget the groups that are worth least when there are too many."""
        most = MOST_COLUMNS * solution.prices.size
        if len(self.columns) > most:
            reduced = self.columns.reduced(self.best.prices)
            kept = reduced <= np.partition(reduced, most // 2)[most // 2]
            kept[: solution.used.size] |= solution.used
            self.columns.keep(kept)

    def _ask(self, done: int) -> bool:
        if self._progress is not None:
            self._progress(f"bound, round {self.rounds + 1}", done, self._task.points.shape[0])
        return not self._deadline.passed


def adapted(weight: float, better: bool) -> float:
    """Weight of the best prices in the next round: a longer step after one that was better."""
    return max(0.2, 1.2 * weight - 0.2) if better else min(0.95, 0.3 + 0.7 * weight)


def first_columns(task: Task, neighbours: Neighbours, start: Partition | None) -> Columns:
    """Every record with its nearest; the groups of MDAV, which cover all; those of `start`."""
    width = int(task.sizes[-1])
    columns = Columns(task.points, width)
    for size in task.sizes[:FIRST_SIZES]:
        around = neighbours.records[:, :size]
        own = (around == np.arange(len(around))[:, None]).any(axis=1)
        columns.add(padded(list(around[own]), width))
    columns.add(padded(list(_covering(task).groups()), width))
    if start is not None:
        columns.add(padded([g for g in start.groups() if g.size <= width], width))
    return columns


def _covering(task: Task) -> Partition:
    """Groups of MDAV; fewer than k records that are left over join the last."""
    means = scan_below(task.points), thread_count(), new_meter()
    labels = mdav(task.points, task.k, True, False, *means)
    labels[labels < 0] = labels.max()
    return Partition(labels)
