"""RGMAT and EGMMAT: seeds, sizes and descent."""

from __future__ import annotations

import numpy as np
import pytest

from covey.kernels.rgmat import left_size
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


@pytest.mark.parametrize(
    ("n", "k", "expected"),
    [
        (30, 3, 12),
        (12, 3, 6),
        (11, 3, 3),
        (6, 3, 3),
        (7, 3, 3),
        (100, 4, 48),
        (8, 4, 4),
        (10, 5, 5),
    ],
)
def test_left_size(n, k, expected):
    """A multiple of 2 and k up to n/2; of k alone when n < 4k and k is odd."""
    assert left_size(n, k) == expected


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


def test_dome_size_is_a_multiple_of_k_and_at_least_2k(rng):
    X = rng.normal(size=(100, 3))
    same = [EGMMAT(k=3, dome_size=size).fit(X).partition_ for size in (1, 5, 6, 7, 8)]
    assert all(partition == same[0] for partition in same)


def test_fixed_size_groups_but_for_the_rest(rng):
    sizes = EGMMAT(k=4).fit(rng.normal(size=(103, 3))).partition_.sizes
    assert sizes.sum() == 103
    assert (sizes == 4).sum() >= sizes.size - 3
