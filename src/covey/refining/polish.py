"""The final polish: the best partition that can be put together from groups met on the way.

A set-partitioning program chooses groups so that every record is in exactly one. Groups whose
reduced cost in the linear relaxation exceeds what there is to gain cannot be in a better partition,
so they are left out first: that loses nothing. Of very many, those of least reduced cost are kept.
"""

from __future__ import annotations

import time
from typing import Any, NamedTuple

import numpy as np

from covey.refining.columns import Columns
from covey.types import FloatVector, IntVector

# A gain below this share is rounding.
LEAST_GAIN = 1e-9
# A limit of branches, unlike one in seconds, gives the same answer again; most of the gain comes
# from the first (measured).
MOST_BRANCHES = 1


class Polished(NamedTuple):
    """Labels of a better partition, or None; and whether the program was solved to the end."""

    labels: IntVector | None
    finished: bool


def polish(columns: Columns, n_known: int, sse: float, most: int, seconds: float) -> Polished:
    """Look for a partition into groups of `columns` with a lower SSE than `sse`.

    The first `n_known` columns are the partition known, of that SSE; `most` is how many may be
    chosen from.
    """
    from scipy.optimize import linprog

    began = time.perf_counter()
    if sse <= 0.0:
        return Polished(None, True)
    # Tolerances of the solver are absolute: what a group costs shall be about one.
    unit = sse / n_known
    columns, sse = Columns(columns.inside, columns.costs / unit), float(n_known)
    relaxed = linprog(
        columns.costs,
        A_eq=columns.inside,
        b_eq=np.ones(columns.inside.shape[0]),
        bounds=(0, None),
        method="highs",
        options={"time_limit": seconds},
    )
    if relaxed.status != 0:
        return Polished(None, False)
    slack = sse * (1.0 - LEAST_GAIN) - relaxed.fun
    if slack <= 0.0:
        return Polished(None, True)
    reduced = columns.costs - columns.inside.T @ relaxed.eqlin.marginals
    promising = _promising(reduced, slack, n_known, most)
    few = Columns(columns.inside[:, promising], columns.costs[promising])
    return _solve(few, sse, seconds - (time.perf_counter() - began))


def _promising(reduced: FloatVector, slack: float, n_known: int, most: int) -> IntVector:
    """The columns of least reduced cost, and those known: with them there is an answer."""
    reduced = reduced.copy()
    reduced[:n_known] = -np.inf
    best = np.argsort(reduced, kind="stable")[:most]
    return np.sort(best[reduced[best] <= slack])


def _solve(columns: Columns, sse: float, seconds: float) -> Polished:
    if seconds <= 0.0:
        return Polished(None, False)
    from scipy.optimize import LinearConstraint, milp

    answer = milp(
        columns.costs,
        integrality=np.ones(columns.costs.size),
        bounds=(0, 1),
        constraints=LinearConstraint(columns.inside, 1, 1),
        options={"time_limit": seconds, "mip_rel_gap": 0.0, "node_limit": MOST_BRANCHES},
    )
    finished = answer.status == 0
    if answer.x is None or answer.fun >= sse * (1.0 - LEAST_GAIN):
        return Polished(None, finished)
    return Polished(_labels(columns.inside, answer.x), finished)


def _labels(inside: Any, chosen: Any) -> IntVector:
    picked = inside[:, np.flatnonzero(chosen > 0.5)].tocoo()
    labels = np.empty(inside.shape[0], dtype=np.int64)
    labels[picked.row] = picked.col
    return labels
