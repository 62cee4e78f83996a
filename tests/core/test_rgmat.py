"""RGMAT passes over most pairs: the same groups as by trying every pair that is drawn."""

from __future__ import annotations

import numpy as np
import pytest

from covey import core
from tests.core.plain_exchange import plain_leaf_exchanges, plain_rgmat, sse

KINDS = ("normal", "skewed", "far off", "ties", "one value")
SIZES = [(300, 140), (30, 3), (11, 3), (7, 3), (6, 3), (100, 4), (8, 4), (10, 5), (47, 8), (5, 3)]


def meter():
    return np.zeros(2, dtype=np.int64)


def points_of(kind, n, rng):
    points = rng.normal(size=(n, 3))
    if kind == "skewed":
        return np.exp(3 * points)
    if kind == "ties":
        return points.round(0)
    return {"normal": points, "far off": points + 1e6, "one value": np.full((n, 3), 7.0)}[kind]


def rgmat(points, k, mutation_rate=0.5, threads=1):
    return core.rgmat(
        points,
        k,
        crossover_rate=0.7,
        mutation_rate=mutation_rate,
        patience=5,
        max_epochs=1000,
        seed=1,
        threads=threads,
        meter=meter(),
    )


def exchanged(points, labels, close, k, seed=2, patience=10**9):
    return core.exchange_leaves(
        points,
        labels,
        close,
        k,
        rate=0.5,
        patience=patience,
        max_epochs=200,
        seed=seed,
        meter=meter(),
    )


@pytest.mark.parametrize(("n", "k"), SIZES)
@pytest.mark.parametrize("kind", KINDS)
def test_like_trying_every_pair(kind, n, k, rng):
    points = points_of(kind, n, rng)
    np.testing.assert_array_equal(rgmat(points, k), plain_rgmat(points, k, 0.7, 0.5, 5, 1000, 1))


def test_mutation_descends_and_keeps_sizes(rng):
    points = rng.normal(size=(119, 2))
    leaves, moved = rgmat(points, 8, mutation_rate=1e-9), rgmat(points, 8, mutation_rate=1.0)
    assert sse(points, moved) < sse(points, leaves)
    for labels in (leaves, moved):
        sizes = np.bincount(labels)
        assert sizes.min() >= 8
        assert sizes.max() <= 15


@pytest.mark.parametrize("threads", [2, 3])
def test_any_number_of_threads(threads, rng):
    points = rng.normal(size=(9001, 2))
    np.testing.assert_array_equal(rgmat(points, 3, threads=threads), rgmat(points, 3))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("sizes", [(3,) * 20, (3, 5, 4, 3) * 4])
def test_settled_leaves_change_nothing(kind, sizes, rng):
    """Passing over what is settled gives the exchanges of trying every pair drawn."""
    labels = rng.permutation(np.repeat(np.arange(len(sizes)), sizes))
    close = np.array([rng.permutation(len(sizes))[:5] for _ in sizes])
    points = points_of(kind, len(labels), rng)
    expected = plain_leaf_exchanges(points, labels, close, 0.5, 200, 2)
    found = exchanged(points, labels, close, 3)
    np.testing.assert_array_equal(found, expected)
    assert (found != labels).any() == (kind != "one value")
    np.testing.assert_array_equal(np.bincount(found), sizes)


def test_no_exchange_is_left(rng):
    """When every leaf is a neighbour of every other, no pair at all gains in the end."""
    points, labels = rng.normal(size=(30, 2)), rng.permutation(30) // 3
    found = exchanged(points, labels, np.tile(np.arange(10), (10, 1)), 3)
    least = sse(points, found)
    assert least < sse(points, labels)
    for x in range(30):
        for y in range(x):
            swapped = found.copy()
            swapped[x], swapped[y] = found[y], found[x]
            assert sse(points, swapped) > least - 1e-9


def test_arguments_are_checked(rng):
    points, labels = rng.normal(size=(12, 2)), np.arange(12) // 3
    close = np.zeros((4, 2), dtype=np.int64)
    with pytest.raises(ValueError, match="k must be"):
        rgmat(points, 13)
    with pytest.raises(ValueError, match="rate"):
        rgmat(points, 3, mutation_rate=1.5)
    with pytest.raises(ValueError, match="finite"):
        rgmat(np.full((12, 2), np.nan), 3)
    with pytest.raises(ValueError, match="out of range"):
        exchanged(points, labels, close + 4, 3)
    with pytest.raises(ValueError, match="out of range"):
        exchanged(points, labels + 1, close, 3)
    with pytest.raises(ValueError, match="2k - 1"):
        exchanged(points, np.zeros(12, dtype=np.int64), close, 3)
    with pytest.raises(ValueError, match="neighbour"):
        exchanged(points, labels, close[:, :0], 3)
    with pytest.raises(ValueError, match="limits"):
        exchanged(points, labels, close, 3, patience=0)
