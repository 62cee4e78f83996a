"""Column generation: prices from a linear programme, groups from the prices, and so on.

The bound is a function of the prices of the records. It is best where the linear programme over
*all* groups has its prices; the programme over the known groups has others, which the search for
groups worth more than they cost corrects. Prices are tried between the best ones so far and those
of the programme, because the latter swing widely (Wentges 1997, doi:10.1016/S0969-6016(97)00001-4).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from covey.bounds.columns import Columns, Groups, padded
from covey.bounds.deadline import Deadline
from covey.bounds.distances import Neighbours
from covey.bounds.master import Solution, solve
from covey.bounds.pricing import Proof, Task, prove
from covey.kernels.halving import halved
from covey.types import FloatVector, Progress

PRECISION = 1e-6  # finished when bound and programme differ by less, relatively
SMOOTHING = 0.5
PATIENCE = 50_000
NEARLY = 0.05  # from this relative difference on, groups that are not quite worth it come too
MOST_COLUMNS = 40  # for each record; above it half of them are forgotten


class Best(NamedTuple):
    """The best bound so far, and the prices that prove it."""

    bound: float
    prices: FloatVector


class Generation:
    """Column generation from a first bound on; `run` improves `best` until it ends."""

    def __init__(
        self, task: Task, best: Best, deadline: Deadline, iterations: int | None, progress: Progress | None
    ) -> None:
        self.task, self.best = task, best
        self.columns = Columns(task.points, int(task.sizes[-1]))
        self.iterations = 0
        self.finished = False
        self._deadline, self._most, self._progress = deadline, iterations, progress
        self._patience = PATIENCE

    def run(self) -> None:
        """Round after round, until the bound is as good as it gets or time is up."""
        while self._may_go_on():
            solution = solve(self.columns, self._deadline.left)
            if solution is None or not self._improve(solution):
                return
            self._forget(solution)

    def _may_go_on(self) -> bool:
        enough = self._most is not None and self.iterations >= self._most
        return not enough and not self._deadline.passed

    def _improve(self, solution: Solution) -> bool:
        """Search at prices closer and closer to the solution's; whether to solve again."""
        weight = SMOOTHING
        while not self._is_closed(solution) and self._may_go_on():
            centre = self.best.prices
            proof = self._round(weight * centre + (1 - weight) * solution.prices, solution)
            if proof is None:
                return False
            before = len(self.columns)
            self.columns.add(proof.groups)
            if (self.columns.reduced(solution.prices)[before:] < -PRECISION * np.abs(solution.prices).mean()).any():
                return True
            if weight == 0.0 and proof.complete:
                return False
            if not proof.complete:
                self._patience *= 4
            weight = weight / 2 if weight > 0.2 else 0.0
        return False
