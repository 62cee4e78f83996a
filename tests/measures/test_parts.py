"""Measures of a release that lies in parts: the figures of the whole, however it is divided."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from covey.measures import distance_linkage, il, interval_disclosure
from covey.measures.loss.il_parts import il_of_parts, loss_sums
from covey.measures.pairs import read_pair
from covey.measures.risk.interval_parts import (
    all_values,
    counted_earlier,
    disclosed_in,
    interval_risk,
    released_values,
)
from covey.measures.risk.intruder import embedded
from covey.measures.risk.linkage_parts import Targets, count_nearer, linkage_of_targets
from covey.techniques import MDAV

pytestmark = pytest.mark.filterwarnings("ignore::covey.errors.DisclosureWarning")

DIVISIONS = st.lists(st.integers(1, 39), unique=True, max_size=6).map(sorted)


def divided(values: np.ndarray, cuts: list[int]) -> list[np.ndarray]:
    return np.split(values, cuts)


def interval_of_parts(X, Y, cuts, percents, method):
    parts = list(zip(divided(X, cuts), divided(Y, cuts), strict=True))
    by_column = [[released_values(y[:, j]) for _, y in parts] for j in range(X.shape[1])]
    columns = [all_values(column) for column in by_column]
    earlier = [counted_earlier(column) for column in by_column]
    disclosed = [
        disclosed_in(x, y, columns, [column[at] for column in earlier], len(X), percents, method)
        for at, (x, y) in enumerate(parts)
    ]
    return interval_risk(disclosed, percents, method)


def with_gaps(seed: int, share: float = 0.1) -> tuple[np.ndarray, np.ndarray]:
    """Few different values and gaps in both files, not in the same cells."""
    rng = np.random.default_rng(seed)
    X = rng.integers(-3, 9, size=(40, 3)) / 10.0
    Y = MDAV(k=3).fit_transform(X)
    X[rng.random(X.shape) < share] = np.nan
    Y[rng.random(Y.shape) < share] = np.nan
    return X, Y


class TestIntervals:
    @given(st.integers(0, 10**6), DIVISIONS, st.sampled_from(["record", "value"]))
    @settings(max_examples=80, deadline=None)
    def test_are_those_of_the_whole(self, seed, cuts, method):
        X, Y = with_gaps(seed)
        percents = [0, 1, 4, 10, 30, 100]
        whole = interval_disclosure(X, Y, method=method, percents=percents)
        assert interval_of_parts(X, Y, cuts, percents, method) == whole

    def test_of_every_kind_of_file(self, any_pair):
        X, Y = any_pair
        for method in ("record", "value"):
            whole = interval_disclosure(X, Y, method=method)
            assert interval_of_parts(X, Y, [7, 20], range(1, 11), method) == whole

    def test_by_hand(self):
        X, Y = np.array([[1.0], [3.0], [5.0], [7.0]]), np.array([[2.0], [2.0], [6.0], [6.0]])
        assert interval_of_parts(X, Y, [1, 3], [25], "record").counts == {25: 2}

    def test_a_column_that_is_not_released_discloses_nothing(self):
        X = np.arange(6.0)[:, None]
        assert interval_of_parts(X, np.full_like(X, np.nan), [2], [50], "record").counts == {50: 0}


class TestLoss:
    @given(st.integers(0, 10**6), DIVISIONS)
    @settings(max_examples=80, deadline=None)
    def test_is_that_of_the_whole(self, seed, cuts):
        X, Y = with_gaps(seed)
        pairs = zip(divided(X, cuts), divided(Y, cuts), strict=True)
        found = il_of_parts([loss_sums(x, y) for x, y in pairs])
        assert found == pytest.approx(il(X, Y), rel=1e-9)

    def test_of_every_kind_of_file(self, any_pair):
        X, Y = any_pair
        found = il_of_parts([loss_sums(X[:13], Y[:13]), loss_sums(X[13:], Y[13:])])
        assert found == pytest.approx(il(X, Y), rel=1e-9, abs=1e-12)

    def test_far_from_zero_nothing_is_rounded_away(self):
        X = np.arange(40.0)[:, None] + 1e8
        Y = np.repeat(X.reshape(10, 4).mean(axis=1), 4)[:, None]
        found = il_of_parts([loss_sums(X[:9], Y[:9]), loss_sums(X[9:], Y[9:])])
        assert found.percent == pytest.approx(il(X, Y).percent, rel=1e-9)

    def test_nothing_that_varies_is_no_loss(self):
        still = np.full((6, 1), 7.7)
        assert il_of_parts([loss_sums(still[:2], still[:2]), loss_sums(still[2:], still[2:])])[
            :2
        ] == (0.0, 0.0)


def linkage_of_parts(originals, released, drawn, cuts, n_records):
    targets = Targets(originals[drawn], released[drawn])
    parts = []
    for rows in divided(released, cuts):
        distinct, sizes = np.unique(rows, axis=0, return_counts=True)
        parts.append(count_nearer(targets, distinct, sizes))
    return linkage_of_targets(parts, ("a", "b", "c"), n_records)


class TestLinkage:
    @given(st.integers(0, 10**6), DIVISIONS)
    @settings(max_examples=60, deadline=None)
    def test_of_all_records_is_that_of_the_whole(self, seed, cuts):
        X, Y = with_gaps(seed)
        points = embedded(read_pair(X, Y))
        found = linkage_of_parts(*points, np.arange(40), cuts, 40)
        assert found.percent == pytest.approx(distance_linkage(X, Y).percent, rel=1e-12)
        assert found.sampled is None

    def test_of_a_sample_lies_within_its_margin(self):
        rng = np.random.default_rng(2)
        X = rng.normal(size=(3000, 3))
        Y = MDAV(k=3).fit_transform(X)
        whole = distance_linkage(X, Y).percent
        points = embedded(read_pair(X, Y))
        inside, errors = [], []
        for _ in range(60):
            drawn = np.sort(rng.choice(3000, 200, replace=False))
            found = linkage_of_parts(*points, drawn, [800, 1900], 3000)
            assert (found.sampled.records, found.sampled.of) == (200, 3000)
            inside.append(abs(found.percent - whole) <= found.sampled.margin)
            errors.append((found.percent - whole) / found.sampled.standard_error)
        assert np.mean(inside) > 0.85
        assert 0.7 < np.std(errors) < 1.3

    def test_own_record_in_another_part(self):
        """The target's own row is in the second part; the first has one that is nearer."""
        targets = Targets(np.array([[0.0], [9.0]]), np.array([[2.0], [8.0]]))
        near = count_nearer(targets, np.array([[1.0], [3.0]]), np.array([3, 3]))
        far = count_nearer(targets, np.array([[2.0], [8.0]]), np.array([4, 5]))
        assert near.closer.tolist() == [True, False]
        assert near.tied.tolist() == [0, 0]
        assert far.tied.tolist() == [4, 5]
        assert linkage_of_targets([near, far], ["a"], 15).percent == pytest.approx(10.0)
