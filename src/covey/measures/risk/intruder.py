"""Intruder scenarios: which variables are known, and in which combinations."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from covey.errors import DisclosureWarning, InvalidParameter
from covey.measures.pairs import Pair, column_numbers, scores_of_both
from covey.parameters import Whole
from covey.types import FloatMatrix, FloatVector

Progress: TypeAlias = Callable[[str, int, int], None]


class LinkageRisk(NamedTuple):
    """Linkage over scenarios, in percent.

    `percent` is the mean of `by_size`, which has the mean over all subsets of c variables for
    every c; `by_subset` has every subset that was tried.
    """

    percent: float
    by_size: dict[int, float]
    by_subset: dict[tuple[str, ...], float]


def scenarios(names: Sequence[str], subsets: Any) -> list[tuple[int, ...]]:
    """Subsets of the keys, by number, that the intruder knows.

    `subsets` is None (all keys), "all" (every subset that is not empty), numbers (all subsets of
    these sizes), or lists of columns.
    """
    d = len(names)
    if subsets is None:
        return [tuple(range(d))]
    if isinstance(subsets, str):
        if subsets != "all":
            raise InvalidParameter(f"subsets must be None, 'all', sizes or lists; got {subsets!r}.")
        subsets = range(1, d + 1)
    chosen: list[tuple[int, ...]] = []
    for entry in subsets:
        chosen += _of_size(d, entry) if _is_number(entry) else [tuple(column_numbers(entry, names))]
    if not chosen or not all(chosen):
        raise InvalidParameter("subsets must name at least one variable each.")
    return chosen


def _is_number(entry: Any) -> bool:
    return isinstance(entry, (int, np.integer))


def _of_size(d: int, size: Any) -> Iterable[tuple[int, ...]]:
    if not Whole(1).allows(size) or int(size) > d:
        raise InvalidParameter(f"a subset has 1 to {d} variables; got {size!r}.")
    return combinations(range(d), int(size))


def over_scenarios(
    pair: Pair,
    subsets: Any,
    link: Callable[[Pair], FloatVector],
    progress: Progress | None = None,
) -> LinkageRisk:
    """Apply `link` (chance of a link for each record) to every scenario and average."""
    chosen = scenarios(pair.names, subsets)
    percents: dict[tuple[str, ...], float] = {}
    sizes: dict[int, list[float]] = {}
    for done, columns in enumerate(chosen):
        if progress is not None:
            progress("linkage", done, len(chosen))
        links = link(pair.select(columns))
        percent = 100.0 * float(links.mean())
        percents[tuple(pair.names[j] for j in columns)] = percent
        sizes.setdefault(len(columns), []).append(percent)
        if len(columns) == len(pair.names):
            warn_if_misaligned(pair, links)
    if progress is not None:
        progress("linkage", len(chosen), len(chosen))
    by_size = {size: float(np.mean(found)) for size, found in sorted(sizes.items())}
    return LinkageRisk(float(np.mean(list(by_size.values()))), by_size, percents)


def embedded(pair: Pair) -> tuple[FloatMatrix, FloatMatrix]:
    """Both files as points: z-scores by the original, and a coordinate for being missing.

    A missing value lies at the mean and 1 away, in a direction of its own, from every known one:
    distances stay distances.
    """
    first, second = scores_of_both(pair)
    if pair.complete:
        return np.ascontiguousarray(first), np.ascontiguousarray(second)
    return _with_gaps(first), _with_gaps(second)


def _with_gaps(scores: FloatMatrix) -> FloatMatrix:
    missing = np.isnan(scores)
    return np.ascontiguousarray(np.hstack([np.where(missing, 0.0, scores), missing.astype(float)]))


def warn_if_misaligned(pair: Pair, links: FloatVector) -> None:
    """Warn when released rows are farther from their own originals than from random ones."""
    first, second = embedded(pair)
    own = np.square(first - second).sum(axis=1).mean()
    # Shifted by half the file: as good as chance when rows are aligned, and no worse when not.
    other = np.square(first - np.roll(second, len(second) // 2, axis=0)).sum(axis=1).mean()
    if len(first) >= 10 and other > 0 and own > 0.9 * other and links.mean() < 0.5:
        warnings.warn(
            "Released records are hardly closer to their own originals than to others. If the rows "
            "of the two files are not in the same order, no measure that compares records means "
            "anything.",
            DisclosureWarning,
            stacklevel=5,
        )
