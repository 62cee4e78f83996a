"""Every loop that uses threads gives the same on 1, 2, 3 and 16 of them."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest

from tests.core.border import CASES
from tests.core.builds import BUILDS

N, D, K = 1500, 4, 3


def _grid(rng: np.random.Generator) -> np.ndarray:
    """Points of which many tie."""
    return rng.integers(0, 7, size=(N, D)).astype(float)


def _larger(name: str, points: np.ndarray) -> dict[str, Any]:
    """The case of the border, with so many records that threads share them."""
    case = {key: value for key, value in CASES[name]().items() if key != "threads"}
    n_groups = N // K
    labels = np.minimum(np.arange(N) // K, n_groups - 1)
    more = {
        "points": points,
        "order": np.arange(N),
        "labels": labels,
        "originals": points,
        "first": points,
        "rows": points[:n_groups],
        "second": points[:n_groups],
        "sizes": np.bincount(labels),
        "own": labels,
        "members": np.arange(N),
        "starts": np.append(np.arange(n_groups) * K, N),
        "records": np.arange(0, N, 2),
        "weights": np.arange(2.0**D),
        "agree": np.full(D, 2.0**D),
        "disagree": -np.ones(D),
        "columns": points[:n_groups].T.copy(),
        "by_rank": np.argsort(points[:n_groups], axis=0, kind="stable").T.copy(),
        "ranks": np.sort(points[:n_groups], axis=0).T.copy(),
        "prices": np.linspace(0.2, 0.05, N),
        "near": np.zeros((N, 5)),
        "values": points,
        "original": points,
        "released": np.roll(points, 1, axis=0),
        "orders": np.argsort(np.roll(points, 1, axis=0), axis=0, kind="stable").T.copy(),
        "reaches": np.array([0, 15, 200, 600]),
        "codes": points[:, 0].astype(np.int64),
    }
    case |= {key: more[key] for key in case if key in more}
    if name in {"group_diversity", "group_means"}:
        case |= {"labels": labels, "n_groups": n_groups}
    if name == "price_groups":
        case |= {"sizes": np.array([K, K + 1]), "patience": 50, "limit": 0.0}
    return case


def _flat(found: Any) -> np.ndarray:
    parts = found if isinstance(found, tuple) else (found,)
    return np.concatenate([np.ravel(part).astype(float) for part in parts])


THREADED = [name for name, case in CASES.items() if "threads" in case() and "." not in name]


@pytest.mark.parametrize("core", BUILDS, ids=lambda core: core.__name__)
@pytest.mark.parametrize("name", THREADED)
def test_threads_do_not_matter(name, core, rng):
    for points in (rng.normal(size=(N, D)), _grid(rng)):
        case = _larger(name, points)
        one, *others = (
            _flat(getattr(core, name)(**case, threads=threads)) for threads in (1, 2, 3, 16)
        )
        for other in others:
            np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("core", BUILDS, ids=lambda core: core.__name__)
def test_threads_do_not_matter_to_a_search(core, rng):
    points = rng.normal(size=(N, D))
    meter = np.zeros(2, dtype=np.int64)
    neighbours, _ = core.approximate_neighbours(
        points, 16, trees=4, leaf=40, rounds=1, friends=8, seed=1, threads=2, meter=meter
    )
    labels = np.minimum(np.arange(N) // K, N // K - 1)
    found = []
    for threads in (1, 2, 3, 16):
        search = core.Search(points, neighbours, 8, np.ones(N), K, labels)
        for number in range(3):
            round_ = CASES["Search.run"]() | {"number": number, "n_regions": 8, "threads": threads}
            search.run(**round_)
            search.keep_best()
        found.append((search.best_sse(), search.labels().tolist()))
    assert all(each == found[0] for each in found)


@pytest.mark.parametrize("core", BUILDS, ids=lambda core: core.__name__)
def test_time_in_shared_loops_is_counted(core, rng):
    points = rng.normal(size=(N, D))
    shared, began = core.shared_seconds(), time.thread_time()
    core.iamat(**_larger("iamat", points), threads=1)
    shared, took = core.shared_seconds() - shared, time.thread_time() - began
    assert 0.0 < shared < took


@pytest.mark.parametrize("core", BUILDS, ids=lambda core: core.__name__)
def test_a_loop_of_one_turn_is_not_shared(core, rng):
    points = rng.normal(size=(N, D))
    labels = np.minimum(np.arange(N) // K, N // K - 1)
    neighbours = np.zeros((N, 8), dtype=np.int32)
    search = core.Search(points, neighbours, 8, np.ones(N), K, labels)
    shared = core.shared_seconds()
    search.run(**(CASES["Search.run"]() | {"n_regions": 1, "n_streams": 1, "threads": 1}))
    assert core.shared_seconds() == shared
