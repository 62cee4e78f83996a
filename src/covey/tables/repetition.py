"""Columns whose values repeat, and what does not change while they stay the same."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from covey.types import IntVector

# Neighbours inside a unit that are equal, at least; and by chance, at most.
CONSTANT, BY_CHANCE = 0.995, 0.9


def constant_inside(units: IntVector, columns: Iterable[tuple[str, IntVector]]) -> list[str]:
    """The columns that do not change while a unit stays the same; all are given as codes.

    A column that hardly changes at all says nothing and is left out.

    >>> size, age = np.array([2, 2, 3, 3]), np.array([41, 8, 37, 39])
    >>> constant_inside(np.array([0, 0, 1, 1]), [("size", size), ("age", age)])
    ['size']
    """
    order = np.argsort(units, kind="stable")
    together = np.flatnonzero(np.diff(units[order]) == 0)
    first, second = order[together], order[together + 1]
    return [
        name
        for name, codes in columns
        if together.size
        and (codes[first] == codes[second]).mean() >= CONSTANT
        and _equal_by_chance(codes) < BY_CHANCE
    ]


def _equal_by_chance(codes: IntVector) -> float:
    """How likely two records have the same value."""
    shares = np.bincount(codes) / codes.size
    return float((shares**2).sum())
