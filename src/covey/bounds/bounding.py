"""`lower_bound`: the least loss that any partition may have."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from covey import parameters
from covey.bounds.bound import DISTANCES, FINISHED, STOPPED, LowerBound
from covey.bounds.columns import Columns
from covey.bounds.deadline import Deadline
from covey.bounds.distances import (
    Neighbours,
    distance_prices,
    nearest_neighbours,
    possible_sizes,
)
from covey.bounds.generation import Best, Generation, first_columns
from covey.bounds.pricing import Task, bound_from
from covey.errors import Infeasible, InvalidParameter, SchemaError
from covey.parameters import Maybe, Number, Parameter, Whole
from covey.partition import Partition
from covey.scaling import standardize
from covey.tables.numeric import read_numeric
from covey.types import FloatMatrix, Progress

PARAMETERS: dict[str, Parameter] = {
    "k": Whole(2),
    "time_limit": Maybe(Number(0.0, closed=True)),
    "max_iterations": Maybe(Whole(0)),
}
# Above this many records a linear programme with a row each takes too long.
MOST_RECORDS = 5_000


def lower_bound(
    X: Any,
    k: int,
    *,
    time_limit: float | None = 60.0,
    max_iterations: int | None = None,
    start: Partition | None = None,
    progress: Progress | None = None,
) -> LowerBound:
    """The least IL that any partition of X into groups of at least k records may have.

    First a cheap bound from the distances between neighbours. Then, up to 5,000 records, column
    generation: a linear programme over all groups of k to 2k − 1 records, solved by turns with
    an exact search for the groups it lacks. It may be stopped at any time: the bound is valid,
    only weaker. Rounding is allowed for.

    Parameters
    ----------
    X : array-like or data frame of shape (n_records, n_variables)
        Numeric and complete, in raw units; losses are taken on z-scores, as in IL.
    k : int
        The least size of a group.
    time_limit : float or None
        Seconds after which column generation stops; None waits until it has finished. What a
        stopped bound is depends on the machine.
    max_iterations : int, optional
        Rounds after which column generation stops, the same everywhere; 0 gives the cheap bound.
    start : Partition, optional
        A good partition, which saves some rounds.
    progress : callable, optional
        Called with (stage, done, total); what it raises ends the work.

    Returns
    -------
    LowerBound
        Its `percent` is comparable with IL.

    Examples
    --------
    Two groups of three, 1 apart each: no partition has a smaller SSE than theirs, 4.

    >>> X = [[0.0], [1.0], [2.0], [10.0], [11.0], [12.0]]
    >>> bound = lower_bound(X, k=3)
    >>> round(bound.percent, 4), bound.method
    (2.5974, 'column generation, finished')
    >>> round(Partition([0, 0, 0, 1, 1, 1]).il(X), 4)
    2.5974
    """
    values = {"k": k, "time_limit": time_limit, "max_iterations": max_iterations}
    parameters.check(PARAMETERS, values)
    points = standardize(read_numeric(X).values)
    _require_enough(points.shape[0], k, start)
    limits = Limits(Deadline(time_limit), max_iterations, progress)
    return bound_points(points, int(k), limits, start)


class Limits(NamedTuple):
    """When to stop, and whom to tell."""

    deadline: Deadline
    max_iterations: int | None = None
    progress: Progress | None = None


def bound_points(
    points: FloatMatrix, k: int, limits: Limits, start: Partition | None = None
) -> LowerBound:
    """The bound for records with coordinates on one footing, taken as they are."""
    n_records = points.shape[0]
    sizes = possible_sizes(n_records, k)
    neighbours = nearest_neighbours(points, int(sizes[-1]), limits.progress)
    task = Task(points, neighbours.sums, sizes, k)
    prices = distance_prices(neighbours.sums, sizes)
    best = Best(bound_from(prices, np.zeros(n_records), task), prices)
    if n_records > MOST_RECORDS or limits.max_iterations == 0:
        columns = Columns(points, int(sizes[-1]))
        return _described(best, task, DISTANCES, 0, columns, limits)
    return _generated(task, best, neighbours, start, limits)


def _generated(
    task: Task, best: Best, neighbours: Neighbours, start: Partition | None, limits: Limits
) -> LowerBound:
    columns = first_columns(task, neighbours, start)
    work = Generation(task, best, columns, *limits)
    work.run()
    method = FINISHED if work.finished else STOPPED if work.improved else DISTANCES
    return _described(work.best, task, method, work.rounds, columns, limits)


def _described(
    best: Best, task: Task, method: str, rounds: int, columns: Columns, limits: Limits
) -> LowerBound:
    sse = max(best.bound, 0.0)
    total = float(np.square(task.points - task.points.mean(axis=0)).sum())
    return LowerBound(
        100.0 * sse / total if total > 0 else 0.0,
        sse,
        task.k,
        task.points.shape[0],
        method,
        rounds,
        limits.deadline.elapsed,
        best.prices,
        columns.groups,
    )


def _require_enough(n_records: int, k: int, start: Partition | None) -> None:
    if n_records < k:
        raise Infeasible(
            f"{n_records} {'record is' if n_records == 1 else 'records are'} too few for one "
            f"group of k={k}. Lower k or add records."
        )
    if start is not None:
        require_partition(start, "start")
    if start is not None and start.n_records != n_records:
        raise SchemaError(
            f"The partition has {start.n_records} records but the data have {n_records}."
        )


def require_partition(partition: Any, name: str = "partition") -> None:
    """Raise unless it is one."""
    if not isinstance(partition, Partition):
        raise InvalidParameter(
            f"{name} must be a Partition; got {type(partition).__name__}. "
            "Partition.from_labels makes one of labels."
        )
