"""MDAV by hand, and its variants."""

from __future__ import annotations

import numpy as np
import pytest

from covey.errors import InvalidParameter
from covey.techniques import MDAV


def column(*values: float) -> np.ndarray:
    return np.array(values, dtype=float)[:, None]


def plain_mdav(points: np.ndarray, k: int, two: bool, moving: bool) -> np.ndarray:
    """The recipe, written as it reads."""
    left = list(range(len(points)))
    labels = np.full(len(points), -1)
    total = points.mean(axis=0)

    def distance(i: int, point: np.ndarray) -> float:
        return float(np.square(points[i] - point).sum())

    def group_of(seed: int) -> None:
        others = sorted(
            (i for i in left if i != seed), key=lambda i: (distance(i, points[seed]), i)
        )
        for i in [seed, *others[: k - 1]]:
            labels[i] = label
            left.remove(i)

    label = 0
    while len(left) >= 2 * k:
        center = points[left].mean(axis=0) if moving else total
        r = max(left, key=lambda i: (distance(i, center), -i))
        s = max(left, key=lambda i: (distance(i, points[r]), -i))
        group_of(r)
        label += 1
        if two:
            if labels[s] >= 0:
                s = max(left, key=lambda i: (distance(i, points[r]), -i))
            group_of(s)
            label += 1
    if len(left) >= k:
        labels[left] = label
        return labels
    centroids = [points[labels == g].mean(axis=0) for g in range(label)]
    for i in left:
        labels[i] = min(range(label), key=lambda g: (distance(i, centroids[g]), g))
    return labels


@pytest.mark.parametrize("two", [True, False])
@pytest.mark.parametrize("moving", [True, False])
@pytest.mark.parametrize("k", [2, 3, 5])
def test_as_the_recipe_reads(two, moving, k, rng):
    for n in (k, 3 * k, 41, 60):
        X = rng.normal(size=(n, 3))
        technique = MDAV(
            k=k,
            groups_per_round=2 if two else 1,
            center="recomputed" if moving else "initial",
            standardize="none",
        )
        np.testing.assert_array_equal(technique.fit_predict(X), plain_mdav(X, k, two, moving))


def test_by_hand():
    """Centre 6.4: 0 is farthest and takes 1; from 0 the farthest is 12, which takes 11."""
    labels = MDAV(k=2).fit_predict(column(0, 1, 8, 11, 12))
    np.testing.assert_array_equal(labels, [0, 0, 1, 1, 1])


@pytest.mark.parametrize(("remainder", "group"), [("nearest", 0), ("last", 1), ("modal", 1)])
def test_remainder(remainder, group):
    """Groups {−3, −1} and {19, 18}, in this order; 7 is left. The second is denser."""
    labels = MDAV(k=2, remainder=remainder).fit_predict(column(-3, -1, 18, 19, 7))
    np.testing.assert_array_equal(labels, [0, 0, 1, 1, group])


@pytest.mark.parametrize(("remainder", "group"), [("nearest", 1), ("last", 1), ("modal", 0)])
def test_remainder_when_the_first_group_is_denser(remainder, group):
    labels = MDAV(k=2, remainder=remainder).fit_predict(column(-7, -6.9, 15, 17, 7))
    np.testing.assert_array_equal(labels, [0, 0, 1, 1, group])


def test_ties_go_to_the_lowest_record():
    """All four corners are equally far from the centre: record 0 starts, and the rest follows."""
    square = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    np.testing.assert_array_equal(MDAV(k=2).fit_predict(square), [0, 0, 1, 1])


def test_diameter_takes_the_two_farthest_apart(rng):
    X = rng.normal(size=(40, 3))
    labels = MDAV(k=3, seeds="diameter", standardize="none").fit_predict(X)
    distances = np.square(X[:, None] - X[None]).sum(axis=2)
    r, s = np.unravel_index(np.argmax(distances), distances.shape)
    assert {labels[r], labels[s]} == {0, 1}


def test_diameter_round_by_round(rng):
    """Every round's seeds are the farthest pair of what is left, by brute force."""
    X = rng.integers(0, 6, size=(30, 2)).astype(float)
    labels = MDAV(k=2, seeds="diameter", standardize="none").fit_predict(X)
    distances = np.square(X[:, None] - X[None]).sum(axis=2)
    for first in range(0, labels.max(), 2):
        left = np.flatnonzero((labels >= first) | (labels < 0))
        if left.size < 4:
            break
        within = distances[np.ix_(left, left)]
        a, _ = np.unravel_index(np.argmax(within), within.shape)
        assert labels[left[a]] == first


@pytest.mark.parametrize(
    "parameters",
    [
        {"seeds": "diameter", "groups_per_round": 1},
        {"seeds": "diameter", "center": "initial"},
        {"groups_per_round": 1, "remainder": "last"},
    ],
)
def test_combinations_without_meaning(parameters):
    with pytest.raises(InvalidParameter):
        MDAV(**parameters).fit(np.arange(20.0)[:, None])
