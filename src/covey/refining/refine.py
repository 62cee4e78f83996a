"""`refine`: a better partition from any partition."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from covey.chance import RANDOM_STATE, draw_seed
from covey.errors import InvalidParameter, SchemaError
from covey.parameters import K, Maybe, Number, NumberOrWord, OneOf, Parameter, check
from covey.partition import Partition
from covey.progress import Stage
from covey.refining.improving import Settings, improve
from covey.refining.windows import WINDOWS, improve_in_windows
from covey.scaling import STANDARDIZE
from covey.scaling import standardize as put_on_one_footing
from covey.tables.numeric import read_numeric
from covey.types import IntVector
from covey.watching import new_meter, watched

MOVES = Number(0.0, maximum=1e9)
EFFORT = Maybe(MOVES)
TIME_LIMIT = Maybe(Number(0.0, maximum=1e9))
POLISH = OneOf(("auto", True, False))

_DECLARED: dict[str, Parameter] = {
    "k": K,
    "effort": Maybe(NumberOrWord(MOVES, OneOf((WINDOWS,)))),
    "time_limit": TIME_LIMIT,
    "polish": POLISH,
    "standardize": STANDARDIZE,
    "random_state": RANDOM_STATE,
}


def refine(
    X: Any,
    partition: Partition,
    k: int,
    *,
    effort: float | str | None = None,
    time_limit: float | None = None,
    polish: bool | str = "auto",
    groups: Any = None,
    standardize: str = "zscore",
    random_state: Any = 0,
    progress: Any = None,
) -> Partition:
    """A partition of least loss that a search from `partition` finds; never a worse one.

    Loss is the SSE of the variables as `standardize` puts them on one footing; with z-scores, that
    is IL.

    Parameters
    ----------
    X : array-like or data frame of shape (n_records, n_variables)
        Numeric and complete, in raw units.
    partition : Partition
        Where to start. Every group must have at least k records.
    k : int
        Smallest group size. Groups of the result have k to 2k − 1 records.
    effort : float or "windows", optional
        Moves per record; if neither it nor `time_limit` is given, 100,000, and fewer from 1,600
        records on, so that it takes a few seconds. The same effort and seed give the same
        groups, for any number of threads. "windows" makes the best exchanges and relocations
        inside small windows of the space instead of a search: seconds for a million records, but
        a smaller gain. It takes no `time_limit` and has no polish.
    time_limit : float, optional
        Seconds for the search, a final polish apart. What is found then depends on the machine and
        cannot be repeated. With `effort` too, whichever comes first.
    polish : {"auto", True, False}, default="auto"
        Whether to choose the best of all groups met by a set-partitioning program at the end;
        "auto" does so up to 2,000 records.
    groups : array of int or list of arrays, optional
        Further groups for the program to choose from, each given by the indices of its records
        (−1 means none): the `groups` of a `LowerBound`. They are of use only with a polish, which
        "auto" means then for any number of records.
    standardize : {"zscore", "range", "none"}, default="zscore"
        How variables are put on one footing before distances are taken.
    random_state : int, RandomState or None, default=0
        Seed of the search.
    progress : callable, optional
        Called with (stage, records done, records in all); when it raises, the search ends.

    Examples
    --------
    >>> from covey import Partition, refine
    >>> X = [[1.0], [9.0], [2.0], [11.0], [10.0]]
    >>> refine(X, Partition([0, 0, 1, 1, 1]), k=2).labels
    array([0, 1, 0, 1, 1])
    """
    check(_DECLARED, locals())
    table = read_numeric(X)
    _require_start(partition, k, table.values.shape[0])
    points = put_on_one_footing(table.values, standardize)
    meter, n = new_meter(), partition.n_records
    given = _given_groups(groups, int(k), n)
    if given and polish is False:
        raise InvalidParameter("groups are for the polish, but polish is False.")
    seed = draw_seed(random_state)
    with watched(meter, progress, 0, n):
        if isinstance(effort, str):
            _require_windows_alone(time_limit, polish, groups)
            labels = improve_in_windows(points, partition.labels, int(k), seed, meter)
        else:
            settings = Settings(effort, time_limit, True if given else polish, given)
            labels = improve(points, partition.labels, int(k), settings, seed, meter).labels
    if progress is not None:
        progress(Stage.GROUPING, n, n)
    better = Partition.from_labels(labels)
    better.require(k)
    return better


def _require_windows_alone(time_limit: float | None, polish: bool | str, groups: Any) -> None:
    """Refuse what only a search can use."""
    unused = {
        "time_limit": time_limit,
        "polish": True if polish is True else None,
        "groups": groups,
    }
    for name, value in unused.items():
        if value is not None:
            raise InvalidParameter(
                f'{name} is for a search, but effort is "{WINDOWS}". Leave one of them out.'
            )


def _given_groups(groups: Any, k: int, n_records: int) -> list[IntVector]:
    """Groups as arrays of indices, checked, without those too large for a best partition."""
    if groups is not None and not isinstance(groups, Sequence | np.ndarray):
        raise InvalidParameter("groups must be lists of record indices.")
    found = []
    for row in () if groups is None else groups:
        records = np.asarray(row)
        if records.ndim != 1 or records.dtype.kind not in "iu" or (records < -1).any():
            raise InvalidParameter("groups must be lists of record indices.")
        records = records[records >= 0]
        if records.size < k or np.unique(records).size < records.size:
            raise InvalidParameter(f"groups must have at least k={k} records each, none twice.")
        if records.max() >= n_records:
            raise InvalidParameter(
                f"groups name record {int(records.max())}; the data have records 0 to "
                f"{n_records - 1}."
            )
        if records.size < 2 * k:
            found.append(records.astype(np.int64))
    return found


def _require_start(partition: Partition, k: int, n_records: int) -> None:
    if not isinstance(partition, Partition):
        raise InvalidParameter(
            f"partition must be a Partition; got {type(partition).__name__}. "
            "Partition.from_labels makes one of labels."
        )
    if partition.n_records != n_records:
        raise SchemaError(
            f"The partition has {partition.n_records} records but the data have {n_records}."
        )
    if partition.sizes.min() < k:
        raise InvalidParameter(
            f"partition has a group of {int(partition.sizes.min())} records where k={k}; "
            "lower k or start from groups of at least k."
        )
