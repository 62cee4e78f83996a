"""The groups that column generation works with, as columns of a linear programme."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_array

from covey.types import BoolVector, FloatMatrix, FloatVector, IntVector

Groups = NDArray[np.int64]  # a group a row, filled up with −1


class Columns:
    """Groups with their SSEs, none of them twice."""

    def __init__(self, points: FloatMatrix, width: int) -> None:
        self._points = points
        self._known: set[bytes] = set()
        self.groups: Groups = np.empty((0, width), dtype=np.int64)
        self.costs: FloatVector = np.empty(0)

    def add(self, groups: Groups) -> None:
        """Add the groups that are not known yet."""
        groups = np.sort(groups, axis=1)[:, ::-1]
        fresh = np.fromiter((self._is_new(row) for row in groups), dtype=bool, count=len(groups))
        groups = np.ascontiguousarray(groups[fresh])
        self.groups = np.concatenate([self.groups, groups])
        self.costs = np.concatenate([self.costs, group_costs(self._points, groups)])

    def _is_new(self, row: IntVector) -> bool:
        name = row.tobytes()
        new = name not in self._known
        self._known.add(name)
        return new

    def __len__(self) -> int:
        return int(self.costs.size)

    def keep(self, kept: BoolVector) -> None:
        """Forget all groups but these."""
        for row in self.groups[~kept]:
            self._known.discard(row.tobytes())
        self.groups, self.costs = self.groups[kept], self.costs[kept]

    def reduced(self, prices: FloatVector) -> FloatVector:
        """Cost of each group less the prices of its members."""
        # The place after the last record is free of charge; −1 leads there.
        return np.asarray(self.costs - np.append(prices, 0.0)[self.groups].sum(axis=1))

    def matrix(self) -> Any:
        """Records in rows and groups in columns: one where the record is a member."""
        inside = self.groups >= 0
        ends = np.concatenate([[0], np.cumsum(inside.sum(axis=1))])
        members = self.groups[inside]
        shape = (self._points.shape[0], len(self))
        return csc_array((np.ones(members.size), members, ends), shape=shape)


def group_costs(points: FloatMatrix, groups: Groups) -> FloatVector:
    """SSE of each group.

    Examples
    --------
    >>> import numpy as np
    >>> group_costs(np.array([[0.0], [2.0], [4.0]]), np.array([[0, 1, -1], [0, 1, 2]]))
    array([2., 8.])
    """
    sizes = (groups >= 0).sum(axis=1)
    costs = np.empty(len(groups))
    for size in np.unique(sizes):
        chosen = sizes == size
        members = points[groups[chosen][groups[chosen] >= 0].reshape(-1, size)]
        costs[chosen] = np.square(members - members.mean(axis=1, keepdims=True)).sum(axis=(1, 2))
    return costs


def padded(groups: list[IntVector], width: int) -> Groups:
    """Groups of different sizes as rows of one array."""
    rows = np.full((len(groups), width), -1, dtype=np.int64)
    for row, group in zip(rows, groups, strict=True):
        row[: group.size] = group
    return rows
