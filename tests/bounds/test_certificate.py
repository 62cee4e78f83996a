"""A certificate says how far a partition is from the best, at most."""

from __future__ import annotations

import numpy as np
import pytest

import covey
from covey.bounds.certificate import Certificate
from covey.errors import InvalidParameter
from covey.partition import Partition
from tests.exhaustive import least_sse

X = np.array([[0.0], [1.0], [2.0], [10.0], [11.0], [12.0]])
BEST = Partition([0, 0, 0, 1, 1, 1])


def test_the_best_has_no_gap():
    certificate = covey.certify(X, BEST, 3)
    assert certificate.gap == pytest.approx(0.0, abs=1e-3)
    assert "at most 0.00 % of the loss could be avoided" in str(certificate)


def test_the_gap_covers_what_could_be_saved():
    points = np.random.default_rng(0).normal(size=(10, 2))
    partition = covey.techniques.MDAV(k=3).fit(points).partition_
    certificate = covey.certify(points, partition, 3)
    best = 100 * least_sse((points - points.mean(0)) / points.std(0), 3) / points.size
    saved = 100 * (certificate.il - best) / certificate.il
    assert certificate.lower_bound <= best
    assert certificate.gap >= saved - 1e-9


def test_larger_groups_are_certified_too():
    certificate = covey.certify(X, Partition([0] * 6), 3)
    assert certificate.il == pytest.approx(100.0)
    assert certificate.gap == pytest.approx(100 - 2.5974, abs=1e-3)


def test_a_known_bound_is_used():
    bound = covey.lower_bound(X, 3, max_iterations=0)
    assert covey.certify(X, BEST, 3, bound=bound).bound is bound


def test_nothing_is_lost():
    certificate = covey.certify(np.ones((4, 1)), Partition([0, 0, 1, 1]), 2)
    assert (certificate.il, certificate.lower_bound, certificate.gap) == (0.0, 0.0, 0.0)


def test_groups_that_are_too_small():
    with pytest.raises(InvalidParameter, match="at least k=4 records; its smallest has 3"):
        covey.certify(X, BEST, 4)


def test_the_bound_of_something_else():
    bound = covey.lower_bound(X, 2)
    with pytest.raises(InvalidParameter, match="6 records and k=3; got one of 6 records and k=2"):
        covey.certify(X, BEST, 3, bound=bound)


def test_what_is_printed_is_still_true():
    points = np.random.default_rng(0).normal(size=(6, 1))
    best = least_sse(points - points.mean(axis=0), 3) / (6 * points.var()) * 100
    printed = float(str(covey.lower_bound(points, 3)).split("below ")[1].split(" %")[0])
    assert printed <= best < printed + 2e-4
    tight = covey.certify(X, BEST, 3)
    small = Certificate(tight.lower_bound * (1 + 4e-5), tight.bound)
    assert "at most 0.01 %" in str(small)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"partition": [0, 0, 0, 1, 1, 1]}, "must be a Partition; got list"),
        ({"bound": 5.0}, "must be a LowerBound; got float"),
    ],
)
def test_things_of_another_kind(changes, message):
    with pytest.raises(InvalidParameter, match=message):
        covey.certify(**{"X": X, "partition": BEST, "k": 3} | changes)
    with pytest.raises(InvalidParameter, match="start must be a Partition"):
        covey.lower_bound(X, 3, start=[0, 0, 0, 1, 1, 1])


def test_a_bound_that_the_partition_disproves():
    spread = covey.lower_bound(np.arange(6.0)[:, None], 3)
    with pytest.raises(InvalidParameter, match="other data"):
        covey.certify(X, BEST, 3, bound=spread)


def test_bounds_can_be_put_into_sets():
    bound = covey.lower_bound(X, 3)
    assert bound in {bound}
    assert bound != covey.lower_bound(X, 3)
