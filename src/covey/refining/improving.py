"""From a partition to a better one: split, search, polish."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from covey.refining.budget import Budget
from covey.refining.columns import distinct_groups
from covey.refining.layout import Layout, lay_out
from covey.refining.polish import Polished, polish
from covey.refining.regions import ONE_OF_MANY, round_shapes
from covey.refining.search import Found, PartitionSearch
from covey.refining.splitting import split_large
from covey.refining.tally import Tally, abandoned_when_told
from covey.threads import in_parallel, thread_count
from covey.types import FloatMatrix, IntVector
from covey.watching import tell_to_stop

# Moves per record when nothing else is said: a thousand records take about two seconds on two
# cores.
DEFAULT_EFFORT = 100_000.0
# Moves in all that the default effort stays below: a few seconds on two cores for ten variables, of
# which a move costs as much as so many more.
MOST_MOVES = 1.6e8
FIXED_COST, USUAL_VARIABLES = 10, 10
# Up to so many records a search ends with a set-partitioning program. Its size is limited, so that
# it takes seconds; one that takes so many is given up.
POLISH_UP_TO = 2_000
POLISH_SECONDS = 600.0
# Groups for the program to choose from, at most. Groups that are given, such as those of a lower
# bound, would crowd out those that were met, so there may be more then (measured).
MOST_GROUPS_MET = 3_000
MOST_GROUPS = 5_000
# The program gains most from small groups, and from groups of searches that know nothing of each
# other; with larger groups one long search is better (measured).
CHAINS = 8
CHAINS_UP_TO_K = 4
LEAST_EFFORT_OF_CHAIN = 1_000.0


class Settings(NamedTuple):
    """How much is done: `effort` moves per record or `seconds`, and whether to polish.

    `groups` are further candidates for the polish, each given by its records.
    """

    effort: float | None = None
    seconds: float | None = None
    polish: bool | str = "auto"
    groups: Sequence[IntVector] = ()


class Improvement(NamedTuple):
    """Labels, and how they came about.

    `finished` is None without a polish, else whether its program was solved to the end.
    """

    labels: IntVector
    search_seconds: float
    polish_seconds: float
    finished: bool | None


def default_effort(n_records: int, n_variables: int) -> float:
    """Moves per record for a file of this size."""
    dearer = (FIXED_COST + n_variables) / (FIXED_COST + USUAL_VARIABLES)
    return float(round(min(DEFAULT_EFFORT, MOST_MOVES / n_records / max(dearer, 1.0)))) or 1.0


def wants_polish(asked: bool | str, n_records: int) -> bool:
    """Whether a file of this size is polished; "auto" means if it is small."""
    return n_records <= POLISH_UP_TO if asked == "auto" else bool(asked)


def improve(
    points: FloatMatrix,
    labels: IntVector,
    k: int,
    settings: Settings,
    seed: int,
    meter: IntVector,
    begin: float = 0.0,
) -> Improvement:
    """A partition into groups of k to 2k − 1 records, at least as good as `labels`.

    `meter` already counts a share of `begin`.
    """
    began = time.perf_counter()
    labels = split_large(points, labels, k)
    if labels.max() == 0:
        return Improvement(labels, 0.0, 0.0, None)
    layout = lay_out(points, k, meter)
    tally = Tally(meter, labels.size, begin)
    polishing = wants_polish(settings.polish, labels.size)
    found = _searched(layout, labels[layout.order], k, settings, seed, tally, polishing)
    searched = time.perf_counter()
    best, finished = found.labels, None
    if polishing:
        answer = _polished(layout, found, settings, meter)
        finished = answer.finished
        best = found.labels if answer.labels is None else answer.labels
    in_order = np.empty_like(best)
    in_order[layout.order] = best
    numbered = np.unique(in_order, return_inverse=True)[1].astype(np.int64)
    return Improvement(numbered, searched - began, time.perf_counter() - searched, finished)


def _searched(
    layout: Layout,
    labels: IntVector,
    k: int,
    settings: Settings,
    seed: int,
    tally: Tally,
    polishing: bool,
) -> Found:
    n = labels.size
    effort, seconds = settings.effort, settings.seconds
    if effort is None and seconds is None:
        effort = default_effort(n, layout.points.shape[1])
    if not (polishing and k <= CHAINS_UP_TO_K and _enough_for_chains(effort)):
        budget = Budget(effort, seconds, n)
        search = PartitionSearch(layout, labels, k, budget, round_shapes(n, k), seed, tally)
        return search.run("kept" if polishing else None)
    each = None if effort is None else effort / CHAINS
    allowed = None if seconds is None else seconds * min(thread_count(), CHAINS) / CHAINS

    def run(chain: int) -> Found:
        budget = Budget(each, allowed, n)
        share = Shared(tally, CHAINS)
        search = PartitionSearch(layout, labels, k, budget, ONE_OF_MANY, seed + chain, share)
        return search.run("tried")

    return _best_of(in_parallel(run, range(CHAINS), partial(tell_to_stop, tally.meter)))


def _enough_for_chains(effort: float | None) -> bool:
    return effort is None or effort >= CHAINS * LEAST_EFFORT_OF_CHAIN


class Shared(Tally):
    """The tally of one of several searches that go on at the same time."""

    def __init__(self, whole: Tally, n_searches: int) -> None:
        self.meter = whole.meter
        self._whole = whole
        self._n_searches = n_searches

    def add(self, share: float) -> None:
        self._whole.add(share / self._n_searches)


def _best_of(found: list[Found]) -> Found:
    """The best, the first of equals; with what all of them met."""
    best = min(found, key=lambda one: one.sse)
    visited = [labels for one in found for labels in (one.labels, *one.visited)]
    return Found(best.labels, best.sse, visited)


def _polished(layout: Layout, found: Found, settings: Settings, meter: IntVector) -> Polished:
    rank = np.empty_like(layout.order)
    rank[layout.order] = np.arange(rank.size)
    more = [rank[np.asarray(group)] for group in settings.groups]
    columns = distinct_groups(layout.points, [found.labels, *found.visited], more)
    n_known = np.unique(found.labels).size
    most = MOST_GROUPS if more else MOST_GROUPS_MET
    return abandoned_when_told(
        meter, lambda: polish(columns, n_known, found.sse, most, POLISH_SECONDS)
    )
