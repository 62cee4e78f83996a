"""Windows of groups: what is left in them, against every move tried in NumPy."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tests.core.builds import BUILDS
from tests.exhaustive import optimal_sse

ROUNDING = 1e-5  # trials are made in single precision


def sse(points: np.ndarray, labels: np.ndarray) -> float:
    groups = (points[labels == label] for label in np.unique(labels))
    return float(sum(np.square(group - group.mean(axis=0)).sum() for group in groups))


def blocks(n: int, k: int) -> np.ndarray:
    return np.minimum(np.arange(n) // k, n // k - 1)


def improved(core, points, labels, k, **asked) -> np.ndarray:
    usual = {"groups": 32, "sweeps": 4, "passes": 50, "seed": 3, "threads": 1}
    meter = np.zeros(2, dtype=np.int64)
    return core.windows(points, labels, k, **(usual | asked), meter=meter)


def moves(labels: np.ndarray, k: int):
    """Labels after each exchange of two records and each relocation that sizes allow."""
    sizes = np.bincount(labels)
    for x, y in combinations(range(labels.size), 2):
        if labels[x] != labels[y]:
            after = labels.copy()
            after[[x, y]] = labels[[y, x]]
            yield after
    for x in range(labels.size):
        for b in np.flatnonzero(sizes < 2 * k - 1):
            if b != labels[x] and sizes[labels[x]] > k:
                after = labels.copy()
                after[x] = b
                yield after


@pytest.fixture(params=BUILDS, ids=lambda core: core.__name__)
def core(request):
    return request.param


@pytest.mark.parametrize(("n", "d", "k"), [(24, 2, 3), (31, 3, 4), (23, 1, 2), (41, 5, 5)])
def test_no_move_in_a_window_of_all_groups_gains(n, d, k, core, rng):
    for points in (rng.normal(size=(n, d)), 1e6 + rng.lognormal(size=(n, d))):
        found = improved(core, points, blocks(n, k), k, sweeps=1)
        best = min(sse(points, after) for after in moves(found, k))
        assert best >= sse(points, found) * (1 - ROUNDING)
        assert sse(points, found) < sse(points, blocks(n, k))


@pytest.mark.parametrize(("n", "k"), [(9, 2), (10, 3), (11, 4), (12, 2)])
def test_between_the_start_and_the_optimum(n, k, core, rng):
    points = rng.normal(size=(n, 2))
    found = sse(points, improved(core, points, blocks(n, k), k))
    assert optimal_sse(points, k) - 1e-9 <= found <= sse(points, blocks(n, k))


@given(
    points=arrays(
        float, st.tuples(st.integers(4, 60), st.integers(1, 3)), elements=st.integers(-9, 9)
    ),
    k=st.integers(2, 6),
    groups=st.integers(2, 5),
    seed=st.integers(0, 2**31),
)
def test_sizes_hold_and_the_loss_never_rises(points, k, groups, seed):
    k = min(k, len(points))
    start = np.random.default_rng(seed).permutation(blocks(len(points), k))
    found = [improved(core, points, start, k, groups=groups, seed=seed) for core in BUILDS]
    sizes = np.bincount(found[0])
    assert sizes.min() >= k
    assert sizes.max() < 2 * k
    assert sse(points, found[0]) <= sse(points, start) * (1 + 1e-12)
    assert all((each == found[0]).all() for each in found)


@pytest.mark.parametrize("d", [1, 2, 40])
def test_seams_move(d, core, rng):
    """With windows of few groups, one sweep leaves moves across their edges to the next."""
    points = rng.normal(size=(600, d))
    sweeps = (0, 1, 8)
    losses = [
        sse(points, improved(core, points, blocks(600, 3), 3, groups=4, sweeps=count))
        for count in sweeps
    ]
    assert losses[0] > losses[1] * 1.001 > losses[2] * 1.002


@pytest.mark.parametrize("k", [600, 1500, 2999])
def test_more_records_than_a_window_lets_move(k, core, rng):
    n = 6000
    points = rng.normal(size=(n, 2))
    start = rng.permutation(blocks(n, k))
    found = improved(core, points, start, k, groups=8, sweeps=6)
    sizes = np.bincount(found)
    assert sizes.min() >= k
    assert sizes.max() < 2 * k
    assert sse(points, found) < 0.7 * sse(points, start)


def test_nothing_to_do(core, rng):
    points = rng.normal(size=(7, 2))
    one = np.zeros(7, dtype=np.int64)
    np.testing.assert_array_equal(improved(core, points, one, 4), one)
    start = blocks(40, 4)
    np.testing.assert_array_equal(improved(core, np.full((40, 2), 0.1), start, 4), start)
    np.testing.assert_array_equal(
        improved(core, rng.normal(size=(40, 2)), start, 4, sweeps=0), start
    )


@pytest.mark.parametrize("exponent", [-500, -300, 300, 440])
def test_the_unit_does_not_matter(exponent, core, rng):
    points, start = rng.normal(size=(200, 3)), blocks(200, 3)
    expected = improved(core, points, start, 3)
    np.testing.assert_array_equal(improved(core, np.ldexp(points, exponent), start, 3), expected)


def test_outliers_do_not_spoil_the_rest(core, rng):
    points = rng.normal(size=(300, 2))
    points[:3] *= 1e9
    start = blocks(300, 3)
    assert sse(points, improved(core, points, start, 3)) <= sse(points, start)
    far = improved(core, points, start, 3, groups=4, sweeps=16)
    assert sse(points[3:], far[3:]) < 0.8 * sse(points[3:], start[3:])


def test_labels_outside_k_to_2k_are_refused(core, rng):
    points = rng.normal(size=(12, 2))
    for labels in (
        np.arange(12) // 2,
        np.arange(12) // 6,
        np.arange(12) // 3 * 2,
        np.arange(12) // 3 - 1,
    ):
        with pytest.raises(ValueError, match=r"range|k to 2k"):
            improved(core, points, labels, 3)


def test_is_told_to_stop(core, rng):
    meter = np.array([0, 1])
    with pytest.raises(core.Stopped):
        core.windows(
            rng.normal(size=(30, 2)),
            blocks(30, 3),
            3,
            groups=8,
            sweeps=1,
            passes=1,
            seed=0,
            threads=1,
            meter=meter,
        )
