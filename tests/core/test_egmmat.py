"""EGMMAT passes over most pairs: the same groups as by trying every pair that is drawn."""

from __future__ import annotations

import numpy as np
import pytest

from covey import core
from tests.core.plain_exchange import plain_egmmat, sse
from tests.core.test_rgmat import KINDS, meter, points_of


def egmmat(points, k, dome_size, rates=(0.7, 0.3), order=None, threads=1, **limits):
    limits = {"patience": 5, "max_epochs": 1000, "seed": 1} | limits
    return core.egmmat(
        points,
        np.arange(len(points)) if order is None else order,
        k,
        dome_size,
        crossover_rate=rates[0],
        mutation_rate=rates[1],
        threads=threads,
        meter=meter(),
        **limits,
    )


@pytest.mark.parametrize(
    ("n", "k", "dome_size"), [(60, 3, 12), (61, 3, 9), (50, 7, 14), (11, 5, 10)]
)
@pytest.mark.parametrize("kind", KINDS)
def test_like_trying_every_pair(kind, n, k, dome_size, rng):
    points, order = points_of(kind, n, rng), rng.permutation(n)
    found = egmmat(points, k, dome_size, order=order, max_epochs=50)
    expected = plain_egmmat(points, order, k, dome_size, (0.7, 0.3), 5, 50, 1)
    np.testing.assert_array_equal(found, expected)
    assert (found < 0).sum() == n % k
    assert set(np.bincount(found[found >= 0])) == {k}


def test_groups_begin_at_random_inside_domes(rng):
    points, order = rng.normal(size=(64, 3)), rng.permutation(64)
    begun = egmmat(points, 3, 12, order=order, max_epochs=0)
    assert (begun != egmmat(points, 3, 12, order=order, max_epochs=0, seed=2)).any()
    domes = np.minimum(np.arange(64) // 12, 4)
    for g in range(21):
        assert len(set(domes[begun[order] == g])) == 1


def test_each_series_does_its_part(rng):
    """Inside the domes, then across them; at the first rate, then at the second."""
    points = rng.normal(size=(120, 3))
    start = sse(points, egmmat(points, 3, 30, max_epochs=0))
    one_epoch = sse(points, egmmat(points, 3, 30, (0.5, 0.5), max_epochs=1))
    converged = sse(points, egmmat(points, 3, 30, (0.5, 0.5), patience=20))
    assert converged < one_epoch < start
    # Domes that are far apart have nothing to exchange.
    domes = np.repeat(np.arange(4), 30)
    labels = egmmat(points + domes[:, None] * 1000.0, 3, 30, patience=20)
    assert all(len(set(domes[labels == g])) == 1 for g in range(40))
    # The second rate alone still improves on a first that hardly draws anyone.
    little = sse(points, egmmat(points, 3, 120, (1e-9, 1e-9), patience=1))
    then_much = sse(points, egmmat(points, 3, 120, (1e-9, 0.9), patience=5))
    assert then_much < 0.8 * little


@pytest.mark.parametrize("threads", [2, 3])
def test_any_number_of_threads(threads, rng):
    points = rng.normal(size=(3001, 3))
    limits = {"patience": 3, "max_epochs": 30}
    one = egmmat(points, 3, 99, **limits)
    np.testing.assert_array_equal(egmmat(points, 3, 99, threads=threads, **limits), one)


def test_arguments_are_checked(rng):
    points = rng.normal(size=(12, 2))
    for order, message in [
        (np.zeros(12, dtype=np.int64), "twice"),
        (np.arange(12) + 1, "out of range"),
        (np.arange(11), "lengths"),
    ]:
        with pytest.raises(ValueError, match=message):
            egmmat(points, 3, 6, order=order)
    with pytest.raises(ValueError, match="multiple of k"):
        egmmat(points, 3, 7)
    with pytest.raises(ValueError, match="rate"):
        egmmat(points, 3, 6, rates=(0.0, 0.5))
    with pytest.raises(ValueError, match="limits"):
        egmmat(points, 3, 6, patience=0)
