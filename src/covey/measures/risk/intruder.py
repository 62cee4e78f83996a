"""Intruder scenarios: which variables are known, and in which combinations."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from covey.errors import DisclosureWarning, InvalidParameter
from covey.measures.pairs import Pair, column_numbers, scores_of_both
from covey.measures.risk.sampling import Sampled, estimate_of
from covey.parameters import Whole
from covey.types import FloatMatrix, FloatVector, Progress


class LinkageRisk(NamedTuple):
    """Linkage over scenarios, in percent.

    `percent` is the mean of `by_size`, which has the mean over all subsets of c variables for
    every c; `by_subset` has every subset that was tried. `sampled` says what the figures rest on
    when not all records were linked, and is None when all were.
    """

    percent: float
    by_size: dict[int, float]
    by_subset: dict[tuple[str, ...], float]
    sampled: Sampled | None = None


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
    if not isinstance(subsets, Iterable):
        raise InvalidParameter(f"subsets must be None, 'all', sizes or lists; got {subsets!r}.")
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
    stage: str,
    progress: Progress | None = None,
    of: int | None = None,
) -> LinkageRisk:
    """Apply `link` (chance of a link for each record) to every scenario and average.

    If it links a sample, `of` is the number of records that this was drawn from.
    """
    chosen = scenarios(pair.names, subsets)
    counts = Counter(map(len, chosen))
    chances: FloatVector = np.zeros(1)
    percents: dict[tuple[str, ...], float] = {}
    sizes: dict[int, list[float]] = {}
    for done, columns in enumerate(chosen):
        if progress is not None:
            progress(stage, done, len(chosen))
        links = link(pair.select(columns))
        chances = chances + links / (counts[len(columns)] * len(counts))
        percent = 100.0 * float(links.mean())
        percents[tuple(pair.names[j] for j in columns)] = percent
        sizes.setdefault(len(columns), []).append(percent)
    if progress is not None:
        progress(stage, len(chosen), len(chosen))
    by_size = {size: float(np.mean(found)) for size, found in sorted(sizes.items())}
    sampled = None if of is None else estimate_of(chances, of)
    return LinkageRisk(float(np.mean(list(by_size.values()))), by_size, percents, sampled)


def embedded(pair: Pair) -> tuple[FloatMatrix, FloatMatrix]:
    """Both files as points: z-scores by the original, and a coordinate for being missing.

    A missing value lies at the mean and 1 away, in a direction of its own, from every known one:
    distances stay distances. Different categories of a nominal variable are 1 apart.
    """
    return pair.once("points", lambda: _embedded(pair))


def _embedded(pair: Pair) -> tuple[FloatMatrix, FloatMatrix]:
    if pair.nominal:
        return _embedded_mixed(pair)
    first, second = scores_of_both(pair)
    if pair.complete:
        return np.ascontiguousarray(first), np.ascontiguousarray(second)
    return _with_gaps(first), _with_gaps(second)


def _with_gaps(scores: FloatMatrix) -> FloatMatrix:
    missing = np.isnan(scores)
    return np.ascontiguousarray(np.hstack([np.where(missing, 0.0, scores), missing.astype(float)]))


def _embedded_mixed(pair: Pair) -> tuple[FloatMatrix, FloatMatrix]:
    numbers = pair.numbers()
    parts = [_embedded(numbers)] if numbers.names else []
    parts += [_corners(pair, j) for j, name in enumerate(pair.names) if name in pair.nominal]
    first, second = zip(*parts, strict=True)
    originals = np.ascontiguousarray(np.hstack(first))
    if pair.released is pair.original:
        return originals, originals
    return originals, np.ascontiguousarray(np.hstack(second))


def _corners(pair: Pair, j: int) -> tuple[FloatMatrix, FloatMatrix]:
    """Categories as corners of a simplex with edges of length 1; missing is one of them."""
    both = np.concatenate([pair.original[:, j], pair.released[:, j]])
    found, codes = np.unique(both, return_inverse=True)
    if found.size == 2:  # one coordinate has the same distances
        corners = codes[:, None].astype(np.float64)
    else:
        corners = np.eye(found.size)[codes] * np.sqrt(0.5)
    n = pair.original.shape[0]
    return corners[:n], corners[n:]


def warn_if_misaligned(pair: Pair) -> None:
    """Warn when released records are no closer to their own originals than to all others.

    The mean of a·b over pairs of the same record is held against its mean over all pairs, in units
    of the standard deviation it would have if the rows were in random order. A release with the
    rows in order has at least √(n − 1) of them when it is exact.
    """
    pair = pair.numbers()
    if not pair.names:
        return
    complete = pair.known.all(axis=1)
    n = int(complete.sum())
    if n < 5:
        return
    first, second = (scores[complete] for scores in scores_of_both(pair))
    a, b = first - first.mean(axis=0), second - second.mean(axis=0)
    chance = float(np.sum((a.T @ a / n) * (b.T @ b / n)))
    if chance < 1e-20:  # nothing varies, but for rounding
        return
    found = float((a * b).sum(axis=1).mean()) / np.sqrt(chance / (n - 1))
    if found < min(3.0, 0.6 * np.sqrt(n - 1)):
        warnings.warn(
            "Released records are hardly closer to their own originals than to others. If the rows "
            "of the two files are not in the same order, no measure that compares records means "
            "anything.",
            DisclosureWarning,
            stacklevel=3,
        )
