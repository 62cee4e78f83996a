"""Dominance: a mean over k records gives one away when that one makes up most of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from covey.measures.measure import Measure, Need
from covey.measures.pairs import Pair, read_pair
from covey.parameters import Number, Whole, require
from covey.partition import Partition
from covey.types import BoolVector, FloatMatrix

# Sums that agree this closely are equal: rounding must not decide.
TIE = 1e-9


class Dominance(NamedTuple):
    """Dominated cells (a group in a variable), in percent of all cells, and their parts.

    A cell is dominated by the (n, k) rule, by the p% rule, or both. Cells without a released value
    do not count. `cells_by_variable` has all cells of a variable, `by_variable` the dominated ones.
    """

    percent: float
    n_cells: int
    by_nk_rule: int
    by_p_rule: int
    by_variable: dict[str, int]
    cells_by_variable: dict[str, int]


class _Ranked(NamedTuple):
    """By group and variable: the largest contributions, all of them, and all but two."""

    top: FloatMatrix
    totals: FloatMatrix
    rest: FloatMatrix


def dominance(
    original: Any,
    released: Any,
    columns: Sequence[Any] | None = None,
    nominal: Sequence[Any] = (),
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

    A group of zeros is not dominated. Missing values contribute nothing, and a group whose value
    was not released has none that could be dominated. Columns in `nominal` hold
    codes of categories: they tell groups apart, but have no contributions.

    Examples
    --------
    95 of 100 come from one record:

    >>> dominance([[95.0], [3.0], [2.0]], [[100 / 3]] * 3).percent
    100.0
    """
    require(Whole(1), largest=largest)
    require(Number(0.0, maximum=100.0), share=share)
    require(Number(0.0, closed=True), p=p)
    everything = read_pair(original, released, columns, nominal)
    pair = everything.numbers()
    groups = everything.classes
    ranked = _ranked(pair, groups, max(int(largest), 2))
    released = ~np.isnan(pair.released[everything.first_of_class])  # members of a group are equal
    positive = released & (ranked.totals > 0)
    slack = 1.0 + TIE
    by_nk = positive & (ranked.top[:largest].sum(axis=0) > share / 100.0 * ranked.totals * slack)
    by_p = positive & (ranked.rest * slack < p / 100.0 * ranked.top[0])
    either = by_nk | by_p
    n_cells = int(released.sum())
    return Dominance(
        percent=100.0 * float(either.sum()) / max(n_cells, 1),
        n_cells=n_cells,
        by_nk_rule=int(by_nk.sum()),
        by_p_rule=int(by_p.sum()),
        by_variable=_counts(either, pair.names),
        cells_by_variable=_counts(released, pair.names),
    )


def _counts(cells: BoolVector, names: Sequence[str]) -> dict[str, int]:
    return {name: int(cells[:, j].sum()) for j, name in enumerate(names)}


def _ranked(pair: Pair, groups: Partition, count: int) -> _Ranked:
    """Contributions of each group in each variable, summed from the largest."""
    contributions = np.nan_to_num(np.abs(pair.original), nan=0.0)
    shape = (groups.n_groups, contributions.shape[1])
    top, totals, rest = np.zeros((count, *shape)), np.zeros(shape), np.zeros(shape)
    starts = np.cumsum(groups.sizes) - groups.sizes
    for j in range(shape[1]):
        largest_first = np.lexsort((-contributions[:, j], groups.labels))
        ordered = contributions[largest_first, j]
        totals[:, j] = np.add.reduceat(ordered, starts)
        for rank in range(count):
            there = groups.sizes > rank
            top[rank, there, j] = ordered[starts[there] + rank]
        for rank in range(2):
            ordered[starts[groups.sizes > rank] + rank] = 0.0
        rest[:, j] = np.add.reduceat(ordered, starts)
    return _Ranked(top, totals, rest)


DOMINANCE = Measure(
    name="dominance",
    label="dominated group means",
    meaning="Group means to which one record contributes nearly everything.",
    caveat="who contributed",
    kind="risk",
    function=dominance,
    take=lambda inputs: dominance(inputs.pair, inputs.pair, nominal=inputs.without_zero),
    needs=(Need.RECORDS, Need.GROUPS, Need.AMOUNTS),
    limit=True,
    position=90,
)
