"""One value for a whole group: what every member is given.

A group's value comes from the members that have one and is given to all members, so a missing
value cannot break the group apart. A value that fewer than `min_contributors` members stand
behind would be theirs, so it is missing for the whole group. A category that fewer than so many
records of the file have would point at them, so no group is given it. The median of numbers is the
value of one member, so the mean of the `min_contributors` middle ones stands for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from covey.tables.categories import plain_values
from covey.tables.variables import Variable
from covey.types import BoolVector, FloatVector, IntVector

# Sums of weights that agree to so many digits are equal: rounding must not decide.
DIGITS = 9


class Groups(NamedTuple):
    """The group of each record, how many groups there are, and the weight of each record."""

    labels: IntVector
    n_groups: int
    weights: FloatVector | None = None


class Overall(NamedTuple):
    """How many records of the file have each category, and the weight of these records."""

    counts: IntVector
    weight: FloatVector


def overall_of(variable: Variable, weights: FloatVector | None) -> Overall:
    """The categories of all records of a file."""
    known = variable.known
    codes, size = variable.values[known].astype(np.int64), variable.n_categories
    weight = None if weights is None else weights[known]
    counts = np.bincount(codes, minlength=size)
    return Overall(counts, np.bincount(codes, weights=weight, minlength=size).astype(np.float64))


def aggregate(
    variable: Variable, groups: Groups, min_contributors: int, overall: Overall | None = None
) -> FloatVector:
    """The released float of each record; NaN where a group has too few known values.

    `overall` is about the whole file, when the records are only some of it.
    """
    known, least = variable.known, min_contributors
    labels = groups.labels[known]
    weights = None if groups.weights is None else groups.weights[known]
    inside = Groups(labels, groups.n_groups, weights)
    values = variable.values[known]
    if variable.is_category:
        overall = overall_of(variable, groups.weights) if overall is None else overall
        shared = _shared_category(variable, values.astype(np.int64), inside, overall, least)
    elif variable.is_ordered_number:
        shared = middle_values(values, inside, max(least, 1))
    else:
        shared = means(values, inside)
    if variable.is_whole:
        shared = np.rint(shared)
    contributors = np.bincount(labels, minlength=groups.n_groups)
    shared[contributors < max(least, 1)] = np.nan
    return np.asarray(shared[groups.labels])


def _shared_category(
    variable: Variable, codes: IntVector, groups: Groups, overall: Overall, least: int
) -> FloatVector:
    """The mode or lower median of each group; NaN where fewer than `least` records have it."""
    if variable.n_categories == 0:
        return np.full(groups.n_groups, np.nan)
    rare = overall.counts < least
    if variable.kind == "nominal":
        return _modes(codes, groups, ~rare, overall.weight)
    shared = _lower_medians(codes, groups, variable.n_categories)
    shared[rare[np.nan_to_num(shared).astype(np.int64)]] = np.nan
    return shared


def means(values: FloatVector, groups: Groups) -> FloatVector:
    """Mean of each group; NaN for a group without records.

    Means are taken as offsets from a member, so that equal values keep their value to the last
    bit and large values lose no digits.
    """
    anchors = np.full(groups.n_groups, np.nan)
    anchors[groups.labels[::-1]] = values[::-1]
    offsets = values - anchors[groups.labels]
    weights = np.ones(values.size) if groups.weights is None else _shares(groups)
    totals = np.bincount(groups.labels, weights=offsets * weights, minlength=groups.n_groups)
    weight = np.bincount(groups.labels, weights=weights, minlength=groups.n_groups)
    return np.asarray(anchors + totals / np.where(weight > 0, weight, 1.0))


def _shares(groups: Groups) -> FloatVector:
    """Weights as shares of the largest of their group: products stay inside the floats."""
    assert groups.weights is not None
    largest = np.zeros(groups.n_groups)
    np.maximum.at(largest, groups.labels, groups.weights)
    return np.asarray(groups.weights / largest[groups.labels])


def middle_values(values: FloatVector, groups: Groups, least: int) -> FloatVector:
    """The median of each group as `least` members have it; NaN for a group of fewer.

    If `least` members share the lower median, it is that value. Else it is the plain mean of
    `least` members: the lower median, the next above, the next below and so on in turn, or those
    that are left at an end of the group. Weights decide which member is the lower median: the
    first one, by value and then by weight, with at least half of the weight at or below it.
    """
    weights = np.ones(values.size) if groups.weights is None else _shares(groups)
    order = np.lexsort((weights, values, groups.labels))
    ordered, labels, n_groups = values[order], groups.labels[order], groups.n_groups
    sizes = np.bincount(labels, minlength=n_groups)
    starts = np.cumsum(sizes) - sizes
    middles = starts + (sizes - 1) // 2
    if groups.weights is not None:
        middles = starts + _weighted_middles(weights[order], starts, sizes)
    medians = np.full(n_groups, np.nan)
    medians[sizes > 0] = ordered[middles[sizes > 0]]
    shared = np.bincount(labels, weights=ordered == medians[labels], minlength=n_groups) >= least
    last = np.maximum(starts + sizes - least, starts)
    place = np.arange(ordered.size) - np.clip(middles - (least - 1) // 2, starts, last)[labels]
    around = (place >= 0) & (place < least)
    found = means(ordered[around], Groups(labels[around], n_groups))
    return np.where(sizes < least, np.nan, np.where(shared, medians, found))


def _weighted_middles(weights: FloatVector, starts: IntVector, sizes: IntVector) -> IntVector:
    """The place in its group of the first member with half of the weight at or below it.

    Place by place, so that the weights of one group are never added to another's.
    """
    steps = range(int(sizes.max(initial=0)))
    total, below = np.zeros(sizes.size), np.zeros(sizes.size)
    found = np.full(sizes.size, -1, dtype=np.int64)
    for step in steps:
        there = np.flatnonzero(sizes > step)
        total[there] += weights[starts[there] + step]
    for step in steps:
        there = np.flatnonzero((sizes > step) & (found < 0))
        below[there] += weights[starts[there] + step]
        found[there[np.round(2 * below[there] - total[there], DIGITS) >= 0]] = step
    return found


def emptied_cells(before: Any, after: Any, names: Sequence[str]) -> dict[str, int]:
    """How many cells of each released column had a value in a table and have none in its release.

    This is the one place that counts them.
    """
    import pyarrow.compute as pc

    found = {}
    for name in (name for name in names if name in after.column_names):
        was, now = plain_values(before[name]), plain_values(after[name])
        count = int(pc.sum(pc.and_(was.is_valid(), now.is_null())).as_py() or 0)
        if count:
            found[name] = count
    return found


class _Counts(NamedTuple):
    """The categories found in each group, ordered by group and category, with their weight."""

    group: IntVector
    category: IntVector
    weight: FloatVector


def _counts(codes: IntVector, groups: Groups, n_categories: int) -> _Counts:
    cells, where = np.unique(groups.labels * n_categories + codes, return_inverse=True)
    shares = None if groups.weights is None else _shares(groups)
    weight = np.bincount(where, weights=shares, minlength=cells.size)
    return _Counts(cells // n_categories, cells % n_categories, weight.astype(np.float64))


def _modes(
    codes: IntVector, groups: Groups, common: BoolVector, overall: FloatVector
) -> FloatVector:
    """Most frequent of the `common` categories; NaN for a group that has none of them.

    Ties go to the category that is most frequent in the file, then to the first.
    """
    counts = _counts(codes, groups, common.size)
    kept = common[counts.category]
    counts = _Counts(counts.group[kept], counts.category[kept], counts.weight[kept])
    overall = np.round(overall / max(float(overall.max(initial=0.0)), 1e-300), DIGITS)
    weight = np.round(counts.weight, DIGITS)
    order = np.lexsort((counts.category, -overall[counts.category], -weight, counts.group))
    return _first_of_each(counts.group[order], counts.category[order], groups.n_groups)


def _lower_medians(codes: IntVector, groups: Groups, n_categories: int) -> FloatVector:
    """The first category with at least half of the weight at or below it."""
    counts = _counts(codes, groups, n_categories)
    total = np.bincount(counts.group, weights=counts.weight, minlength=groups.n_groups)
    below = np.zeros(groups.n_groups)
    chosen = np.full(groups.n_groups, np.nan)
    # Category by category, so that the weights of one group are never added to another's.
    by_category = np.argsort(counts.category, kind="stable")
    ends = np.searchsorted(counts.category[by_category], np.arange(n_categories), side="right")
    for category, cells in enumerate(np.split(by_category, ends[:-1])):
        group = counts.group[cells]
        below[group] += counts.weight[cells]
        enough = np.round(2 * below[group] - total[group], DIGITS) >= 0
        chosen[group[enough & np.isnan(chosen[group])]] = category
    return chosen


def _first_of_each(group: IntVector, category: IntVector, n_groups: int) -> FloatVector:
    chosen = np.full(n_groups, np.nan)
    chosen[group[::-1]] = category[::-1]
    return chosen
