"""Whether a record has company: like looking at all others."""

from __future__ import annotations

import numpy as np
import pytest

from covey.kernels.crowding import has_other_near
from covey.kernels.unassigned import all_unassigned, remove


@pytest.mark.parametrize("leaf", [2, 64])
@pytest.mark.parametrize("ties", [False, True])
def test_like_looking_at_all_others(leaf, ties, rng):
    points = rng.integers(0, 5, size=(64, 2)).astype(float) if ties else rng.normal(size=(64, 2))
    left, alive = all_unassigned(points, leaf), list(range(64))
    answers = set()
    for gone in rng.permutation(64)[:60]:
        remove(left, gone)
        alive.remove(gone)
        record, inside = alive[0], rng.choice([0.0, 0.1, 1.0])
        others = np.square(points[alive[1:]] - points[record]).sum(axis=1)
        expected = bool((0.5 * others <= inside).any())
        assert has_other_near(left, record, inside, 0.5) == expected
        answers.add(expected)
    assert answers == {True, False}


def test_alone(rng):
    points = rng.normal(size=(2, 2))
    left = all_unassigned(points, 2)
    remove(left, 1)
    assert not has_other_near(left, 0, np.inf, 1.0)
