"""V-MDAV by hand and against the recipe."""

from __future__ import annotations

import numpy as np
import pytest

from covey.techniques import MDAV, VMDAV


def plain_vmdav(points: np.ndarray, k: int, gamma: float) -> np.ndarray:
    distances = np.sqrt(np.square(points[:, None] - points[None]).sum(axis=2))
    to_mean = np.square(points - points.mean(axis=0)).sum(axis=1)
    left = list(range(len(points)))
    labels = np.full(len(points), -1)
    label = 0
    while len(left) >= k:
        r = max(left, key=lambda i: (to_mean[i], -i))
        others = sorted((i for i in left if i != r), key=lambda i: (distances[i, r], i))
        group = [r, *others[: k - 1]]
        left = [i for i in left if i not in group]
        while left and len(group) < 2 * k - 1:
            e = min(left, key=lambda i: (distances[i, group].min(), i))
            out = min((distances[e, i] for i in left if i != e), default=np.inf)
            if not distances[e, group].min() < gamma * out:
                break
            group.append(e)
            left.remove(e)
        labels[group] = label
        label += 1
    centroids = [points[labels == g].mean(axis=0) for g in range(label)]
    for i in left:
        labels[i] = np.argmin([np.square(points[i] - c).sum() for c in centroids])
    return labels


@pytest.mark.parametrize("k", [2, 3, 4])
@pytest.mark.parametrize("gamma", [0.0, 0.2, 1.1, 2.5])
def test_as_the_recipe_reads(k, gamma, rng):
    X = rng.normal(size=(47, 2))
    labels = VMDAV(k=k, gamma=gamma, standardize="none").fit_predict(X)
    np.testing.assert_array_equal(labels, plain_vmdav(X, k, gamma))


def test_clusters_are_kept_whole(rng):
    """Clusters of five records: with k=3 fixed groups must mix them, variable ones less so."""
    centres = rng.uniform(0, 1000, size=(20, 2))
    X = np.repeat(centres, 5, axis=0) + rng.normal(size=(100, 2))
    assert VMDAV(k=3, gamma=1.1).fit(X).il_ < 0.9 * MDAV(k=3).fit(X).il_
