"""Groups met on the way: each distinct one once, with its SSE."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from covey.types import FloatMatrix, FloatVector, IntVector


class Columns(NamedTuple):
    """Candidate groups: column j of `inside` marks the records of group j, of SSE `costs[j]`."""

    inside: Any
    costs: FloatVector


def distinct_groups(
    points: FloatMatrix, partitions: Iterable[IntVector], more: Iterable[IntVector] = ()
) -> Columns:
    """The groups of all partitions, and `more` given by their records."""
    n = points.shape[0]
    # Two groups are taken as one when the sums of their records' random words agree.
    words = np.random.default_rng(0).integers(2**62, size=(n,))
    seen: set[int] = set()
    members: list[IntVector] = []
    for groups in (*map(_groups_of, partitions), list(more)):
        for group in groups:
            key = int(words[group].sum())
            if key not in seen:
                seen.add(key)
                members.append(group)
    return Columns(_incidence(members, n), _costs(points, members))


def _groups_of(labels: IntVector) -> list[IntVector]:
    order = np.argsort(labels, kind="stable")
    edges = np.flatnonzero(np.diff(labels[order])) + 1
    return np.split(order, edges)


def _incidence(members: list[IntVector], n: int) -> Any:
    from scipy.sparse import csc_array

    ends = np.cumsum([0, *(group.size for group in members)])
    rows = np.concatenate(members)
    return csc_array((np.ones(rows.size), rows, ends), shape=(n, len(members)))


def _costs(points: FloatMatrix, members: list[IntVector]) -> FloatVector:
    return np.array(
        [np.square(points[group] - points[group].mean(axis=0)).sum() for group in members]
    )
