"""The bound never exceeds the true optimum, whenever it is stopped."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy.optimize import linprog

import covey
from covey.bounds import bounding, deadline, lower_bound
from covey.bounds.bound import DISTANCES, FINISHED, STOPPED
from covey.bounds.bounding import Limits, bound_points
from covey.bounds.deadline import Deadline
from covey.bounds.distances import possible_sizes
from covey.errors import Infeasible, InvalidParameter, SchemaError
from covey.partition import Partition
from covey.scaling import standardize
from tests.exhaustive import least_sse, sse

KINDS = ("normal", "uniform", "grid", "duplicates", "clusters", "outlier", "line")


def data(kind: str, seed: int) -> tuple[np.ndarray, int]:
    """A small file and a k for it."""
    rng = np.random.default_rng([KINDS.index(kind), seed])
    k = 2 + seed % 3
    n = int(rng.integers(k, (9, 11, 12)[k - 2]))
    points = rng.normal(size=(n, int(rng.integers(1, 5))))
    if kind == "uniform":
        points = rng.uniform(size=points.shape)
    elif kind == "grid":
        points = rng.integers(0, 3, size=points.shape).astype(float)
    elif kind == "duplicates":
        points = points[rng.integers(0, max(n // 2, 1), size=n)]
    elif kind == "clusters":
        points = points * 0.1 + rng.integers(0, 2, size=(n, 1)) * 5
    elif kind == "outlier":
        points[0] *= 1e4
    elif kind == "line":
        points = 1e6 + np.outer(np.arange(n), np.ones(points.shape[1]))
    return points, k


def whole_programme(points: np.ndarray, k: int) -> float:
    """Optimum of the linear programme over every group, none of them left to be found."""
    n = len(points)
    groups = [g for s in possible_sizes(n, k) for g in combinations(range(n), int(s))]
    member = np.array([[i in g for g in groups] for i in range(n)], dtype=float)
    costs = np.array([sse(points, [g]) for g in groups])
    return float(linprog(costs, A_eq=member, b_eq=np.ones(n)).fun)


@pytest.mark.parametrize("kind", KINDS)
def test_never_above_the_optimum_and_as_good_as_the_whole_programme(kind):
    close = 0
    for seed in range(60):
        points, k = data(kind, seed)
        scores = standardize(points)
        optimum = least_sse(scores, k)
        bound = lower_bound(points, k, time_limit=None)
        assert bound.sse <= optimum * (1 + 1e-12), seed
        assert bound.finished, seed
        assert bound.sse == pytest.approx(whole_programme(scores, k), rel=2e-6, abs=1e-9), seed
        close += bound.sse >= 0.95 * optimum - 1e-9
    # Mixtures of groups may cost less than any partition, in small files often much less.
    assert close > 30


@pytest.mark.parametrize("seed", range(12))
def test_valid_and_rising_round_by_round(seed):
    points, k = data(KINDS[seed % 3], 2 + 3 * seed)
    optimum = least_sse(standardize(points), k)
    bounds = [lower_bound(points, k, time_limit=None, max_iterations=m) for m in range(8)]
    values = [bound.sse for bound in bounds]
    assert values == sorted(values)
    assert values[-1] <= optimum * (1 + 1e-12)
    assert bounds[0].method == DISTANCES


def test_valid_whenever_the_clock_runs_out(monkeypatch):
    """Every look at the clock takes a second: each limit ends somewhere else."""
    X = np.random.default_rng(0).normal(size=(60, 3))
    whole = lower_bound(X, 3, time_limit=None)
    methods = set()
    for seconds in range(0, 80, 4):
        ticks = iter(range(10**9))
        monkeypatch.setattr(deadline, "now", lambda ticks=ticks: float(next(ticks)))
        bound = lower_bound(X, 3, time_limit=float(seconds))
        assert bound.sse <= whole.sse * (1 + 1e-6)
        methods.add(bound.method)
    assert {DISTANCES, STOPPED} <= methods


def test_solved_by_hand():
    """Pairs at 0, 1 | 10, 12 | 20, 23 (k=2): SSE ½ + 2 + 4½ = 7, and no three can share better."""
    points = np.array([[0.0], [1.0], [10.0], [12.0], [20.0], [23.0]])
    bound = bound_points(points, 2, Limits(Deadline(None)))
    assert bound.method == FINISHED
    assert bound.sse == pytest.approx(7.0, rel=1e-6)
    assert bound.sse <= 7.0


def test_a_triangle_shows_what_the_programme_leaves_open():
    """Five corners with k=2: 2 + 3 is the only split, but mixtures of groups may cost less."""
    angle = 2 * np.pi * np.arange(5) / 5
    points = np.column_stack([np.cos(angle), np.sin(angle)])
    bound = bound_points(points, 2, Limits(Deadline(None)))
    assert bound.finished
    assert bound.sse < least_sse(points, 2)


def test_better_than_the_distances():
    X = np.random.default_rng(1).normal(size=(150, 4))
    cheap = lower_bound(X, 4, max_iterations=0)
    best = lower_bound(X, 4, time_limit=None)
    assert cheap.percent < best.percent
    il = covey.techniques.MDAV(k=4).fit(X).il_
    assert best.percent <= il
    assert best.percent == pytest.approx(100 * best.sse / X.size)


def test_prices_prove_the_bound_and_groups_are_groups():
    X = np.random.default_rng(2).normal(size=(80, 3))
    bound = lower_bound(X, 3, time_limit=None)
    assert bound.prices.sum() == pytest.approx(bound.sse, rel=1e-3)
    sizes = (bound.groups >= 0).sum(axis=1)
    assert set(sizes) <= {3, 4, 5}
    assert {len({i for i in row if i >= 0}) for row in bound.groups} <= {3, 4, 5}
    assert len(np.unique(bound.groups, axis=0)) == len(bound.groups)


def test_a_start_only_helps():
    X = np.random.default_rng(3).normal(size=(90, 3))
    start = covey.techniques.IAMAT(k=3).fit(X).partition_
    with_start = lower_bound(X, 3, time_limit=None, start=start)
    without = lower_bound(X, 3, time_limit=None)
    assert with_start.sse == pytest.approx(without.sse, rel=2e-6)


def test_forgetting_columns_changes_nothing(monkeypatch):
    X = np.random.default_rng(4).normal(size=(120, 3))
    whole = lower_bound(X, 3, time_limit=None)
    monkeypatch.setattr("covey.bounds.generation.MOST_COLUMNS", 4)
    forgetful = lower_bound(X, 3, time_limit=None)
    assert forgetful.finished
    assert forgetful.sse == pytest.approx(whole.sse, rel=2e-6)


def test_many_records_have_the_cheap_bound(monkeypatch):
    monkeypatch.setattr(bounding, "MOST_RECORDS", 50)
    X = np.random.default_rng(5).normal(size=(51, 3))
    bound = lower_bound(X, 3)
    assert bound.method == DISTANCES
    assert bound.iterations == 0
    assert "distances" in str(bound)


@pytest.mark.parametrize("n", [3, 4, 5])
def test_one_group_only(n):
    X = np.arange(n * 2, dtype=float).reshape(n, 2) ** 2
    bound = lower_bound(X, 3)
    assert bound.percent == pytest.approx(100.0, rel=1e-9)
    assert bound.percent <= 100.0


def test_nothing_varies():
    bound = lower_bound(np.ones((6, 2)), 3)
    assert (bound.sse, bound.percent) == (0.0, 0.0)


def test_the_same_twice_and_with_any_threads(monkeypatch):
    X = np.random.default_rng(6).normal(size=(100, 3))
    monkeypatch.setenv("COVEY_THREADS", "1")
    first = lower_bound(X, 3, time_limit=None)
    monkeypatch.setenv("COVEY_THREADS", "3")
    second = lower_bound(X, 3, time_limit=None)
    assert (first.sse, first.iterations) == (second.sse, second.iterations)
    np.testing.assert_array_equal(first.groups, second.groups)


def test_too_few_records():
    with pytest.raises(Infeasible, match="2 records are too few for one group of k=3"):
        lower_bound([[1.0], [2.0]], 3)


@pytest.mark.parametrize(
    "wrong", [{"k": 1}, {"k": 2.0}, {"k": 2, "time_limit": -1.0}, {"k": 2, "max_iterations": -1}]
)
def test_wrong_parameters(wrong):
    with pytest.raises(InvalidParameter, match="must be"):
        lower_bound([[1.0], [2.0], [3.0]], **wrong)


def test_wrong_data():
    with pytest.raises(SchemaError, match="missing values"):
        lower_bound([[1.0], [np.nan], [3.0]], 2)
    with pytest.raises(SchemaError, match="3 records but the data have 4"):
        lower_bound([[1.0], [2.0], [3.0], [4.0]], 2, start=Partition([0, 0, 0]))


def test_progress_is_told_and_may_cancel():
    class Cancelled(Exception):
        pass

    def cancel(stage: str, done: int, total: int) -> None:
        stages.append((stage, done, total))
        if stage.startswith("bound"):
            raise Cancelled

    stages: list[tuple[str, int, int]] = []
    X = np.random.default_rng(7).normal(size=(1000, 6))
    with pytest.raises(Cancelled):
        lower_bound(X, 6, progress=cancel)
    assert stages[0] == ("neighbours", 1000, 1000)
    assert stages[-1][0] == "bound, round 1"
