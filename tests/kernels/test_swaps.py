"""Moves between groups: gains, bookkeeping, limits."""

from __future__ import annotations

import numpy as np
import pytest

from covey.kernels.chance import stream
from covey.kernels.swaps import exchange_gain, groups_from_labels, migrate, random_pairs_pass


def sse(points, labels):
    return sum(
        np.square(points[labels == g] - points[labels == g].mean(axis=0)).sum()
        for g in range(labels.max() + 1)
    )


def consistent(points, groups):
    for g in range(groups.sizes.size):
        members = groups.members[groups.starts[g] :][: groups.sizes[g]]
        assert set(members) == set(np.flatnonzero(groups.labels == g))
        np.testing.assert_allclose(groups.sums[g], points[members].sum(axis=0), atol=1e-9)
        assert all(groups.members[groups.places[i]] == i for i in members)


def test_gain_is_the_fall_of_the_sse(rng):
    points = rng.normal(size=(20, 3))
    labels = np.arange(20) % 3
    groups = groups_from_labels(points, labels, 10)
    for x, y in [(0, 1), (3, 8), (2, 4)]:
        a, b = labels[x], labels[y]
        swapped = labels.copy()
        swapped[x], swapped[y] = b, a
        gain = exchange_gain(
            points, x, y, groups.sums[a], groups.sums[b], groups.sizes[a], groups.sizes[b]
        )
        assert gain == pytest.approx(sse(points, labels) - sse(points, swapped))


def test_passes_descend_and_keep_the_books(rng):
    points = rng.normal(size=(90, 3))
    labels = rng.permutation(90) // 3
    groups = groups_from_labels(points, labels, 3)
    losses = [sse(points, groups.labels)]
    for _ in range(30):
        random_pairs_pass(points, groups, np.arange(90), 0.7, stream(0, len(losses)))
        losses.append(sse(points, groups.labels))
    assert losses == sorted(losses, reverse=True)
    assert losses[-1] < 0.7 * losses[0]
    assert set(groups.sizes) == {3}
    consistent(points, groups)


def test_migration_respects_sizes(rng):
    k = 3
    points = rng.normal(size=(100, 2))
    labels = np.repeat(np.arange(25), 4)
    groups = groups_from_labels(points, labels, 2 * k - 1)
    before = sse(points, groups.labels)
    migrate(points, groups, k, np.arange(100), 1.0, stream(0, 0))
    assert sse(points, groups.labels) < before
    assert groups.sizes.min() >= k
    assert groups.sizes.max() <= 2 * k - 1
    consistent(points, groups)
