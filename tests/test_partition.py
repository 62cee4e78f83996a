"""Partition: the value every technique returns."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from covey import Partition
from covey.errors import GuaranteeViolated, InvalidParameter, SchemaError


def test_by_hand():
    X = np.array([[0.0, 10.0], [2.0, 30.0], [7.0, 50.0], [9.0, 50.0], [11.0, 50.0]])
    partition = Partition([0, 0, 1, 1, 1])
    assert (partition.n_records, partition.n_groups) == (5, 2)
    np.testing.assert_array_equal(partition.sizes, [2, 3])
    np.testing.assert_array_equal(partition.centroids(X), [[1, 20], [9, 50]])
    np.testing.assert_array_equal(partition.aggregate(X)[:2], [[1, 20], [1, 20]])
    assert partition.sse(X) == 1 + 1 + 100 + 100 + 4 + 4
    assert [list(group) for group in partition.groups()] == [[0, 1], [2, 3, 4]]
    assert repr(partition) == "<Partition: 5 records in 2 groups of sizes 2 to 3>"


def test_il_by_hand():
    """Deviations ±1 in pairs around 0 and 10: SSE 4, SST 104, whatever the unit."""
    X = np.array([[-1.0], [1.0], [9.0], [11.0]])
    assert Partition([0, 0, 1, 1]).il(X) == pytest.approx(100 * 4 / 104)
    assert Partition([0, 0, 1, 1]).il(1000 * X - 7) == pytest.approx(100 * 4 / 104)


def test_il_does_not_depend_on_ddof(rng):
    X = rng.normal(size=(30, 3))
    partition = Partition(np.arange(30) // 3)
    scores = (X - X.mean(axis=0)) / X.std(axis=0, ddof=1)
    expected = 100 * partition.sse(scores) / np.square(scores).sum()
    assert partition.il(X) == pytest.approx(expected)


def test_one_group_loses_everything(rng):
    assert Partition(np.zeros(9, dtype=int)).il(rng.normal(size=(9, 2))) == pytest.approx(100.0)


def test_nothing_varies_nothing_is_lost():
    assert Partition([0, 0, 1, 1]).il(np.full((4, 2), 0.1)) == 0.0


def test_equal_values_stay_equal_to_the_last_bit():
    X = np.full((3, 1), 0.1)
    assert Partition([0, 0, 0]).aggregate(X)[0, 0] == 0.1


def test_frames_are_welcome():
    frame = pd.DataFrame({"a": [1.0, 3.0], "b": [0.0, 2.0]})
    np.testing.assert_array_equal(Partition([0, 0]).centroids(frame), [[2.0, 1.0]])


def test_labels_are_copied_and_read_only():
    labels = np.array([0, 0, 1])
    partition = Partition(labels)
    labels[0] = 1
    assert partition.labels[0] == 0
    with pytest.raises(ValueError, match="read-only"):
        partition.labels[0] = 1


def test_equality_and_hash():
    assert Partition([0, 1]) == Partition(np.array([0, 1]))
    assert Partition([0, 1]) != Partition([1, 0])
    assert Partition([0, 1]) != [0, 1]
    assert len({Partition([0, 1]), Partition([0, 1])}) == 1


def test_from_labels_numbers_by_first_appearance():
    np.testing.assert_array_equal(Partition.from_labels([7, -1, 7, 3]).labels, [0, 1, 0, 2])


@pytest.mark.parametrize("labels", [[], [[0, 1]], [0, 2], [1, 1], [-1, 0], [0.0, 1.0], ["a", "b"]])
def test_bad_labels(labels):
    with pytest.raises(InvalidParameter, match="labels must"):
        Partition(labels)


def test_wrong_number_of_records():
    with pytest.raises(SchemaError, match="3 records but the data have 2"):
        Partition([0, 0, 0]).sse([[1.0], [2.0]])


def test_require():
    Partition([0, 0, 1, 1]).require(2)
    with pytest.raises(GuaranteeViolated, match=r"group of 1 records .* k=2"):
        Partition([0, 0, 1]).require(2)


@given(
    arrays(np.float64, (12, 2), elements=st.floats(-1e6, 1e6)),
    st.lists(st.integers(0, 3), min_size=12, max_size=12),
)
def test_il_is_a_share_and_sums_decompose(X, labels):
    partition = Partition.from_labels(labels)
    assert -1e-9 <= partition.il(X) <= 100 + 1e-9
    total = np.square(X - X.mean(axis=0)).sum()
    between = np.square(partition.aggregate(X) - X.mean(axis=0)).sum()
    assert partition.sse(X) + between == pytest.approx(total, rel=1e-6, abs=1e-3)
