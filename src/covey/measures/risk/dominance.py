"""Dominance: a mean over k records gives one away when that one makes up most of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from covey.measures.pairs import Pair, equal_rows, read_pair
from covey.parameters import Number, Whole, require
from covey.types import FloatMatrix


class Dominance(NamedTuple):
    """Dominated cells (a group in a variable), in percent of all cells, and their parts.

    A cell is dominated by the (n, k) rule, by the p% rule, or both.
    """

    percent: float
    n_cells: int
    by_nk_rule: int
    by_p_rule: int
    by_variable: dict[str, int]


def dominance(
    original: Any,
    released: Any,
    columns: Sequence[Any] | None = None,
    largest: int = 1,
    share: float = 85.0,
    p: float = 10.0,
) -> Dominance:
    """Check (n, k) dominance and the p% rule inside the groups of a release.

    Groups are the classes of equal released records. With contributions x₁ ≥ x₂ ≥ … (absolute
    values) to a group's total X in a variable,

    - (n, k) rule: the `largest` contributors together exceed `share` percent of X;
    - p% rule: X − x₁ − x₂ < p/100 · x₁, so the second largest, who knows his own value, can tell
      the largest to within `p` percent.

    A group of zeros is not dominated. Missing values contribute nothing.

    Examples
    --------
    95 of 100 come from one record:

    >>> dominance([[95.0], [3.0], [2.0]], [[100 / 3]] * 3).percent
    100.0
    """
    require(Whole(1), largest=largest)
    require(Number(0.0, maximum=100.0), share=share)
    require(Number(0.0, closed=True), p=p)
    pair = read_pair(original, released, columns)
    top, totals = _largest_contributions(pair, max(int(largest), 2))
    positive = totals > 0
    by_nk = positive & (top[:largest].sum(axis=0) > share / 100.0 * totals)
    by_p = positive & (totals - top[0] - top[1] < p / 100.0 * top[0])
    either = by_nk | by_p
    by_variable = {name: int(either[:, j].sum()) for j, name in enumerate(pair.names)}
    return Dominance(
        100.0 * float(either.mean()), either.size, int(by_nk.sum()), int(by_p.sum()), by_variable
    )


def _largest_contributions(pair: Pair, count: int) -> tuple[FloatMatrix, FloatMatrix]:
    """For each group and variable the largest contributions, and the total of all."""
    groups = equal_rows(pair.released)
    contributions = np.nan_to_num(np.abs(pair.original), nan=0.0)
    shape = (groups.n_groups, contributions.shape[1])
    top, totals = np.zeros((count, *shape)), np.zeros(shape)
    starts = np.cumsum(groups.sizes) - groups.sizes
    for j in range(shape[1]):
        totals[:, j] = np.bincount(groups.labels, weights=contributions[:, j])
        largest_first = np.lexsort((-contributions[:, j], groups.labels))
        ordered = contributions[largest_first, j]
        for rank in range(count):
            there = groups.sizes > rank
            top[rank, there, j] = ordered[starts[there] + rank]
    return top, totals
