"""The search over partitions, against sums that NumPy takes."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy.spatial import cKDTree

from covey.core import _baseline
from tests.core.builds import BUILDS

ROUND = {
    "sweeps": 20.0,
    "pools": 0.0,
    "hot": 0.2,
    "cold": 0.05,
    "merge_at": -1.0,
    "seed": 1,
    "n_regions": 4,
    "n_streams": 1,
    "threads": 1,
}
POOLS = {"sweeps": 0.0, "pools": 0.5}
STREAMS = {"n_regions": 1, "n_streams": 3, "merge_at": 0.01}


def sse(points, labels):
    total = 0.0
    for g in np.unique(labels):
        total += np.square(points[labels == g] - points[labels == g].mean(axis=0)).sum()
    return total


class Case:
    """Records, blocks of k of them as groups, and neighbours."""

    def __init__(self, n=600, d=3, k=3, seed=0, ties=False):
        rng = np.random.default_rng(seed)
        self.points = rng.integers(4, size=(n, d)) * 1.0 if ties else rng.normal(size=(n, d))
        self.k = k
        self.labels = np.minimum(np.arange(n) // k, n // k - 1)
        found = cKDTree(self.points).query(self.points, 13)[1][:, 1:]
        self.neighbours = np.ascontiguousarray(found.astype(np.int32))
        self.scales = np.full(n, 0.5)

    def start(self, build=_baseline, n_near=8):
        arrays = self.points, self.neighbours, n_near, self.scales
        return build.Search(*arrays, self.k, self.labels)

    def run(self, search, rounds=4, **changes):
        """The labels after every round."""
        found = []
        for number in range(rounds):
            meter = np.zeros(2, dtype=np.int64)
            work = search.run(**(ROUND | changes | {"number": number, "meter": meter}))
            assert work >= 0
            found.append(search.labels())
            sizes = np.unique(found[-1], return_counts=True)[1]
            assert sizes.sum() == len(self.points)
            assert self.k <= sizes.min()
            assert sizes.max() < 2 * self.k
        return found


CASES = [
    Case(),
    Case(n=601, k=5, d=9),
    Case(n=500, d=17, k=2),
    Case(n=300, d=33, k=4),
    Case(ties=True),
    Case(n=300, k=60, d=2),
]


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("changes", [{}, POOLS, STREAMS, STREAMS | POOLS])
def test_the_same_in_both_builds_and_on_any_number_of_threads(case, changes):
    expected = case.run(case.start(), **changes)
    for build in BUILDS:
        for threads in (1, 2, 3, 16):
            found = case.run(case.start(build), **changes, threads=threads)
            np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("changes", [{}, POOLS])
def test_what_does_not_gain_is_not_kept(case, changes):
    found = case.run(case.start(), **changes, merge_at=0.0, hot=1.0, n_regions=1)
    losses = [sse(case.points, labels) for labels in (case.labels, *found)]
    assert all(b <= a * (1 + 1e-12) for a, b in itertools.pairwise(losses))
    assert losses[-1] < losses[0]


def test_what_a_component_may_lose_is_told_in_the_scales_of_its_records():
    """A round as hot as another, but in small units, of which a loss may be as many."""
    case = Case()
    case.labels = case.run(case.start())[-1]
    before, hot = sse(case.points, case.labels), {"hot": 0.4, "cold": 0.3}
    rises = []
    for unit in (1.0, 1e-6):
        case.scales = np.full(600, 0.5 * unit)
        heat = {name: value / unit for name, value in hot.items()}
        found = case.run(case.start(), rounds=1, merge_at=1e3, n_regions=1, **heat)[0]
        rises.append(sse(case.points, found) - before)
    assert rises[0] > 1.0
    assert rises[1] < 0.01


@pytest.mark.parametrize("case", CASES)
def test_the_best_is_no_worse_than_any(case):
    search = case.start()
    least = sse(case.points, case.labels)
    for _ in range(3):
        least = min(least, sse(case.points, case.run(search, rounds=1, **STREAMS, hot=1.0)[0]))
        best = search.keep_best()
        assert sse(case.points, best) <= least * (1 + 1e-12)
        assert search.best_sse() == pytest.approx(sse(case.points, best))
        sizes = np.unique(best, return_counts=True)[1]
        assert case.k <= sizes.min()
        assert sizes.max() < 2 * case.k


def test_streams_add_up():
    """Each stream alone gains less than all of them together."""
    case = Case(n=2000)
    gentle = {"merge_at": 0.0, "sweeps": 0.2, "hot": 0.05, "n_regions": 1}
    one = case.run(case.start(), rounds=1, **gentle)[0]
    many = case.run(case.start(), rounds=1, **gentle, n_streams=8)[0]
    assert sse(case.points, many) < sse(case.points, one) < sse(case.points, case.labels)


def test_it_stops_when_told():
    case, meter = Case(), np.array([0, 1])
    with pytest.raises(_baseline.Stopped):
        case.start().run(**ROUND, number=0, meter=meter)


@pytest.mark.parametrize(
    "change",
    [
        {"k": 1},
        {"k": 4},  # groups of three
        {"k": 601},
        {"labels": np.zeros(600, dtype=np.int64)},
        {"labels": np.arange(599) // 3},
        {"labels": np.full(600, -1)},
        {"scales": np.full(600, np.nan)},
        {"scales": np.ones(3)},
        {"points": np.full((600, 3), np.inf)},
        {"points": np.ones((600, 0))},
        {"neighbours": np.full((600, 12), 600, dtype=np.int32)},
        {"neighbours": np.full((600, 12), -1, dtype=np.int32)},
        {"neighbours": np.ones((600, 0), dtype=np.int32)},
        {"n_near": 13},
        {"n_near": 0},
    ],
)
def test_what_it_cannot_search_is_refused(change):
    case = Case()
    names = "points", "neighbours", "n_near", "scales", "k", "labels"
    given = {name: getattr(case, name, 8) for name in names} | change
    with pytest.raises(ValueError, match=r"\w"):
        _baseline.Search(**given)


@pytest.mark.parametrize(
    "change",
    [
        {"sweeps": -1.0},
        {"sweeps": np.nan},
        {"hot": 0.0},
        {"cold": 0.0},
        {"n_regions": 0},
        {"n_regions": 601},
        {"n_streams": 0},
        {"n_streams": 1000},
    ],
)
def test_rounds_that_make_no_sense_are_refused(change):
    with pytest.raises(ValueError, match=r"\w"):
        Case().start().run(**(ROUND | change), number=0, meter=np.zeros(2, dtype=np.int64))


def test_more_regions_than_groups_leave_some_empty():
    case = Case(n=30)
    case.run(case.start(), n_regions=30)
