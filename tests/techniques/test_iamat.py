"""IAMAT by hand, and the identity that its implementation rests on."""

from __future__ import annotations

import numpy as np
import pytest

from covey.errors import InvalidParameter
from covey.techniques import IAMAT


def plain_iamat(points: np.ndarray, k: int, gamma: float | None = None) -> np.ndarray:
    """Groups by least sum of squared distances to all members, as the interaction says."""
    left = list(range(len(points)))
    labels = np.full(len(points), -1)
    mean = points.mean(axis=0)
    label = 0
    while len(left) >= k:
        group = [max(left, key=lambda i: (np.square(points[i] - mean).sum(), -i))]
        left.remove(group[0])
        while left and len(group) < (k if gamma is None else 2 * k - 1):
            sums = {i: np.square(points[group] - points[i]).sum() for i in left}
            nearest = min(left, key=lambda i: (round(sums[i], 9), i))
            if len(group) >= k:
                inside = np.linalg.norm(points[nearest] - points[group].mean(axis=0))
                others = [np.linalg.norm(points[nearest] - points[i]) for i in left if i != nearest]
                if not inside < gamma * min(others, default=np.inf):
                    break
            group.append(nearest)
            left.remove(nearest)
        labels[group] = label
        label += 1
    if gamma is None:
        labels[left] = label - 1
        return labels
    centroids = [points[labels == g].mean(axis=0) for g in range(label)]
    for i in left:
        room = [g for g in range(label) if (labels == g).sum() < 2 * k - 1] or range(label)
        labels[i] = min(room, key=lambda g: (np.square(points[i] - centroids[g]).sum(), g))
    return labels


@pytest.mark.parametrize("k", [2, 3, 5])
@pytest.mark.parametrize("gamma", [None, 0.5, 1.0, 3.0])
def test_nearest_to_the_centroid_is_the_largest_interaction(k, gamma, rng):
    X = rng.normal(size=(53, 3))
    size = {} if gamma is None else {"group_size": "variable", "gamma": gamma}
    labels = IAMAT(k=k, standardize="none", **size).fit_predict(X)
    np.testing.assert_array_equal(labels, plain_iamat(X, k, gamma))


def test_left_over_records_join_the_last_group():
    labels = IAMAT(k=3).fit_predict(np.arange(8.0)[:, None])
    assert np.bincount(labels).tolist() == [3, 5]


def test_gamma_needs_variable_size():
    with pytest.raises(InvalidParameter, match="group_size='variable'"):
        IAMAT(gamma=0.3).fit(np.arange(9.0)[:, None])


def test_variable_groups_stay_below_2k(rng):
    for gamma in (0.5, 1.1, 5.0):
        technique = IAMAT(k=4, group_size="variable", gamma=gamma)
        assert technique.fit(rng.normal(size=(203, 2))).partition_.sizes.max() <= 7
