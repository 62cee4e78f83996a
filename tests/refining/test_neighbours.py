from __future__ import annotations

import numpy as np
import pytest

from covey.refining import neighbours
from covey.refining.neighbours import nearest_records
from covey.watching import new_meter


@pytest.fixture
def many(rng):
    """More variables than a search for the true neighbours is worth."""
    return rng.normal(size=(6_000, 4)) @ rng.normal(size=(4, 12))


def test_acquaintances_are_mostly_the_nearest(many, monkeypatch):
    found = nearest_records(many, 3, new_meter())
    monkeypatch.setattr(neighbours, "MANY_RECORDS", 10**9)
    true = nearest_records(many, 3, new_meter())
    hits = [len({*a} & {*b}) for a, b in zip(found.records, true.records, strict=True)]
    assert np.mean(hits) > 0.9 * true.records.shape[1]
    assert (found.squares >= true.squares - 1e-9).all()


@pytest.mark.parametrize("k", [3, 20, 100])
def test_lists_are_full(many, k):
    found = nearest_records(many, k, new_meter())
    assert found.records.min() >= 0
    assert (found.records != np.arange(len(many))[:, None]).all()
    assert np.isfinite(found.squares).all()
    assert (np.diff(found.squares, axis=1) >= 0).all()


def test_the_same_for_any_number_of_threads(many, monkeypatch):
    monkeypatch.setenv("COVEY_THREADS", "1")
    one = nearest_records(many, 3, new_meter())
    monkeypatch.setenv("COVEY_THREADS", "2")
    two = nearest_records(many, 3, new_meter())
    np.testing.assert_array_equal(one.records, two.records)


def test_equal_records(rng):
    found = nearest_records(np.zeros((6_000, 9)), 3, new_meter())
    assert found.records.min() >= 0
    assert (found.squares == 0.0).all()
