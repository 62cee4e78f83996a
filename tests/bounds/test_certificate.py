"""A certificate says how far a partition is from the best, at most."""

from __future__ import annotations

import numpy as np
import pytest

import covey
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
