"""The search for groups finds what enumeration finds, and its bound holds when cut short."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from covey.bounds import pricing
from covey.bounds.columns import group_costs
from covey.bounds.distances import nearest_neighbours, possible_sizes
from covey.bounds.pricing import Task, prove


def task_of(points: np.ndarray, k: int) -> Task:
    sizes = possible_sizes(len(points), k)
    sums = nearest_neighbours(points, int(sizes[-1])).sums
    return Task(points, sums, sizes, k)


def everything(task: Task, prices: np.ndarray) -> dict[tuple[int, ...], float]:
    """Reduced cost of every group."""
    n = len(prices)
    groups = [g for size in task.sizes for g in combinations(range(n), int(size))]
    return {
        g: float(group_costs(task.points, np.array([g]))[0] - prices[list(g)].sum()) for g in groups
    }


def stop_if_told(done: int) -> bool:
    return True


def best_by_leader(costs, prices):
    order = np.argsort(-prices, kind="stable")
    rank = np.argsort(order)
    found: dict[int, list[tuple[float, tuple[int, ...]]]] = {}
    for group, cost in costs.items():
        found.setdefault(min(int(rank[i]) for i in group), []).append((cost, group))
    return {leader: sorted(groups) for leader, groups in found.items()}


@pytest.mark.parametrize("seed", range(30))
def test_finds_what_enumeration_finds(seed, monkeypatch):
    monkeypatch.setattr(pricing, "KEPT", 4)
    rng = np.random.default_rng(seed)
    k = 2 + seed % 3
    points = rng.normal(size=(11, 3)) if seed % 2 else rng.integers(0, 4, (11, 2)).astype(float)
    task = task_of(points, k)
    prices = rng.normal(rng.uniform(0, 2), rng.uniform(0, 1), size=11)
    limit = float(rng.choice([0.0, 0.5]))
    proof = prove(task, prices, limit, 10**6, stop_if_told)
    expected = best_by_leader(everything(task, prices), prices)
    costs = [c for groups in expected.values() for c, _ in groups[:4] if c < limit]
    found = [tuple(sorted(int(i) for i in row if i >= 0)) for row in proof.groups]
    all_costs = everything(task, prices)
    assert len(set(found)) == len(found)
    np.testing.assert_allclose(sorted(all_costs[g] for g in found), sorted(costs), atol=1e-9)
    assert proof.complete
    least = sorted(min(0.0, groups[0][0]) for groups in expected.values())
    np.testing.assert_allclose(proof.bound, prices.sum() + sum(least[: 11 // k]), atol=1e-9)


@pytest.mark.parametrize("patience", [0, 1, 3, 10, 30, 100, 300])
def test_a_search_cut_short_still_bounds(patience):
    rng = np.random.default_rng(patience)
    for _ in range(10):
        task = task_of(rng.normal(size=(11, 2)), 3)
        prices = rng.uniform(0, 2, size=11)
        whole = prove(task, prices, 0.0, 10**6, stop_if_told)
        short = prove(task, prices, 0.0, patience, stop_if_told)
        assert short.bound <= whole.bound + 1e-12
        if short.complete:
            assert short.bound == whole.bound


def test_threads_do_not_matter(monkeypatch):
    rng = np.random.default_rng(1)
    task = task_of(rng.normal(size=(300, 3)), 3)
    prices = rng.uniform(0, 0.3, size=300)
    monkeypatch.setenv("COVEY_THREADS", "1")
    alone = prove(task, prices, 0.1, 1000, stop_if_told)
    monkeypatch.setenv("COVEY_THREADS", "4")
    together = prove(task, prices, 0.1, 1000, stop_if_told)
    assert alone.bound == together.bound
    np.testing.assert_array_equal(alone.groups, together.groups)


def test_stopping_ends_the_search():
    rng = np.random.default_rng(2)
    task = task_of(rng.normal(size=(400, 8)), 8)
    assert prove(task, np.full(400, 20.0), 0.0, 10**9, lambda done: False) is None


def test_what_ask_raises_comes_out():
    def cancel(done: int) -> bool:
        raise KeyboardInterrupt

    rng = np.random.default_rng(2)
    task = task_of(rng.normal(size=(400, 8)), 8)
    with pytest.raises(KeyboardInterrupt):
        prove(task, np.full(400, 20.0), 0.0, 10**9, cancel)
