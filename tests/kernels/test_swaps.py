"""Moves between groups: gains, bookkeeping, limits."""

from __future__ import annotations

import numpy as np
import pytest

from covey.kernels.chance import below, draw, stream
from covey.kernels.migrating import migrate
from covey.kernels.neighbours import neighbour_pass, none_settled
from covey.kernels.swaps import (
    exchange_gain,
    groups_from_labels,
    random_pairs_pass,
    too_far,
    try_exchange,
    with_reaches,
)


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
        gain = exchange_gain(points, groups, x, y)
        assert gain == pytest.approx(sse(points, labels) - sse(points, swapped))


def test_passes_descend_and_keep_the_books(rng):
    points = rng.normal(size=(90, 3))
    labels = rng.permutation(90) // 3
    groups = groups_from_labels(points, labels, 3)
    rows = with_reaches(points, groups)
    losses = [sse(points, groups.labels)]
    for _ in range(30):
        random_pairs_pass(rows, groups, np.arange(90), 0.7, 3, stream(0, len(losses)))
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
    migrate(points, groups, k, np.arange(100), 1.0, stream(0, 0), np.zeros(2, dtype=np.int64))
    assert sse(points, groups.labels) < before
    assert groups.sizes.min() >= k
    assert groups.sizes.max() <= 2 * k - 1
    consistent(points, groups)


@pytest.mark.parametrize("sizes", [(2, 2, 2, 2), (3, 3, 5, 4), (2, 9, 3, 3)])
def test_records_too_far_apart_never_gain(sizes, rng):
    """Where groups are apart, most pairs are seen to be; where they are mixed, some gain."""
    far = gaining = 0
    for spread in np.linspace(0.0, 2.0, 30):
        labels = np.repeat(np.arange(4), sizes)
        points = rng.normal(size=(labels.size, 3)) + spread * labels[:, None]
        groups = groups_from_labels(points, labels, 10)
        rows = with_reaches(points, groups)
        for x in range(labels.size):
            for y in np.flatnonzero(labels != labels[x]):
                gain = exchange_gain(points, groups, x, y)
                gaining += gain > 0
                far += too_far(rows, x, y)
                assert gain <= 0 or not too_far(rows, x, y)
    assert far > 100
    assert gaining > 100


def test_groups_of_one_are_never_too_far(rng):
    points = rng.normal(size=(6, 2))
    groups = groups_from_labels(points, np.arange(6), 1)
    rows = with_reaches(points, groups)
    assert not any(too_far(rows, x, y) for x in range(6) for y in range(6))


def plain_passes(rows, groups, close, smallest, count):
    """Every pair that is drawn is tried; whether each pass exchanged any."""
    state, records, news = stream(3, 0), np.arange(len(rows)), []
    for _ in range(count):
        drawn = int(0.5 * records.size)
        draw(state, records, drawn)
        news.append(False)
        for x in records[:drawn]:
            g = close[groups.labels[x], below(state, close.shape[1])]
            y = groups.members[groups.starts[g] + below(state, groups.sizes[g])]
            news[-1] |= try_exchange(rows, groups, x, y, smallest)
    return news


@pytest.mark.parametrize("ties", [False, True])
def test_settled_neighbours_change_nothing(ties, rng):
    """Passing over what is settled gives the exchanges of trying every pair drawn."""
    points = rng.normal(size=(60, 2))
    points = points.round(0) if ties else points
    labels, close = rng.permutation(60) // 3, np.array([rng.permutation(20)[:5] for _ in range(20)])
    plain = groups_from_labels(points, labels.copy(), 3)
    news = plain_passes(with_reaches(points, plain), plain, close, 3, 400)
    quick = groups_from_labels(points, labels.copy(), 3)
    rows, neighbours = with_reaches(points, quick), none_settled(close, 3)
    state, records = stream(3, 0), np.arange(60)
    found = [neighbour_pass(rows, quick, neighbours, records, 0.5, 3, state) for _ in range(400)]
    assert found == news
    assert any(news)
    np.testing.assert_array_equal(quick.labels, plain.labels)
    assert neighbours.open[0] == 0
