"""RGMAT and EGMMAT: seeds, sizes and descent."""

from __future__ import annotations

import threading
import time

import numpy as np
import pytest

from covey import core
from covey.tables.embedding import embed_numbers
from covey.techniques import EGMMAT, RGMAT


@pytest.mark.parametrize("cls", [RGMAT, EGMMAT])
class TestSeeds:
    def test_same_seed_same_groups(self, cls, rng):
        X = rng.normal(size=(150, 4))
        assert cls(random_state=5).fit(X).partition_ == cls(random_state=5).fit(X).partition_

    def test_other_seed_other_groups(self, cls, rng):
        X = rng.normal(size=(150, 4))
        assert cls(random_state=5).fit(X).partition_ != cls(random_state=6).fit(X).partition_

    def test_random_state_objects(self, cls, rng):
        X = rng.normal(size=(60, 3))
        state = np.random.RandomState(3)
        first, second = cls(random_state=state).fit(X), cls(random_state=state).fit(X)
        assert first.partition_ != second.partition_
        assert cls(random_state=np.random.RandomState(3)).fit(X).partition_ == first.partition_
        cls(random_state=None).fit(X)


def test_patience_pays(rng):
    X = rng.normal(size=(300, 4))
    losses = [RGMAT(patience=p, leaf_swaps=False).fit(X).il_ for p in (1, 20)]
    assert losses[1] < losses[0]


def test_leaf_swaps_pay(rng):
    X = rng.normal(size=(300, 4))
    assert RGMAT().fit(X).il_ < RGMAT(leaf_swaps=False).fit(X).il_


def test_no_two_records_of_neighbouring_leaves_want_to_change_places(rng):
    """After 200 idle passes hardly any exchange is left that lowers the SSE."""
    X = rng.normal(size=(60, 2))
    technique = RGMAT(k=3, standardize="none", random_state=1).fit(X)
    base = technique.partition_.sse(X)
    labels = technique.labels_.copy()
    gains = 0
    for x in range(60):
        for y in range(x):
            swapped = labels.copy()
            swapped[x], swapped[y] = labels[y], labels[x]
            gains += _sse(X, swapped) < base - 1e-9
    assert gains == 0


def _sse(X, labels):
    means = np.array([X[labels == g].mean(axis=0) for g in range(labels.max() + 1)])
    return float(np.square(X - means[labels]).sum())


def plain_domes(points, size):
    """Farthest from the mean of the rest, with its nearest; what is left is the last dome."""
    left, domes = list(range(len(points))), []
    while len(left) >= 2 * size:
        mean = points[left].mean(axis=0)
        seed = max(left, key=lambda i: (np.square(points[i] - mean).sum(), -i))
        near = sorted(left, key=lambda i: (i != seed, np.square(points[i] - points[seed]).sum(), i))
        domes.append(near[:size])
        left = [i for i in left if i not in domes[-1]]
    return [*domes, left]


@pytest.mark.parametrize(("n", "size"), [(60, 6), (61, 12), (40, 18), (11, 6)])
def test_domes(n, size, rng):
    points = rng.normal(size=(n, 3))
    order = list(core.domes(points, size, len(points), 1, np.zeros(2, dtype=np.int64)))
    for dome in plain_domes(points, size):
        found, order = order[: len(dome)], order[len(dome) :]
        assert sorted(found) == sorted(dome)
    assert order == []


def test_rates_matter(rng):
    X = rng.normal(size=(240, 3))
    literal = {"patience": 1, "max_epochs": 3, "leaf_swaps": False}
    low, high = (RGMAT(crossover_rate=rate, **literal).fit(X).il_ for rate in (0.01, 1.0))
    assert high < low
    few, many = (RGMAT(mutation_rate=rate, max_epochs=2).fit(X).il_ for rate in (0.01, 1.0))
    assert many < few


def test_dome_size_is_a_multiple_of_k_and_at_least_2k(rng):
    X = rng.normal(size=(100, 3))
    same = [EGMMAT(k=3, dome_size=size).fit(X).partition_ for size in (1, 5, 6, 7, 8)]
    assert all(partition == same[0] for partition in same)


def test_fixed_size_groups_but_for_the_rest(rng):
    sizes = EGMMAT(k=4).fit(rng.normal(size=(103, 3))).partition_.sizes
    assert sizes.sum() == 103
    assert (sizes == 4).sum() >= sizes.size - 3


@pytest.fixture(scope="module")
def many():
    """Enough records for several branches and domes."""
    return np.random.default_rng(11).normal(size=(9001, 3))


QUICK = {"patience": 2, "max_epochs": 30, "random_state": 3}


@pytest.mark.parametrize("cls", [RGMAT, EGMMAT])
class TestThreads:
    def test_labels_do_not_depend_on_their_number(self, cls, many, monkeypatch):
        found = []
        for count in ("1", "2", "3"):
            monkeypatch.setenv("COVEY_THREADS", count)
            found.append(cls(**QUICK).fit(many).labels_)
        np.testing.assert_array_equal(found[1], found[0])
        np.testing.assert_array_equal(found[2], found[0])

    @pytest.mark.parametrize("count", ["1", "3"])
    def test_all_of_them_stop(self, cls, count, many, monkeypatch):
        """Work without end, which a callback that raises ends."""
        monkeypatch.setenv("COVEY_THREADS", count)
        endless = cls(patience=10**9, max_epochs=10**9)
        told = []

        def stop(stage, done, total):
            told.append(time.perf_counter())
            raise KeyError("enough")

        embedding = embed_numbers(many, None)
        with pytest.raises(KeyError, match="enough"):
            endless.fit_embedded(embedding, embedding, many, progress=stop)
        assert time.perf_counter() - told[0] < 5  # a second on a quiet machine
        assert not [thread for thread in threading.enumerate() if thread.name.startswith("covey")]
