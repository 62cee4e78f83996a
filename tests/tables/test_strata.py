"""Strata: numbering, patterns, and what is done with small ones."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from numpy.testing import assert_array_equal

from covey.errors import Infeasible
from covey.tables.strata import Strata, missing_patterns, settle_sizes, stratify


class TestNumbering:
    def test_by_first_appearance(self):
        assert stratify([pa.array(["b", "a", "b"])], 3).tolist() == [0, 1, 0]

    def test_combinations(self):
        first, second = pa.array(["n", "n", "s", "s", "n"]), pa.array([1, 2, 1, 2, 1])
        assert stratify([first, second], 5).tolist() == [0, 1, 2, 3, 0]

    def test_no_column_is_one_stratum(self):
        assert stratify([], 3).tolist() == [0, 0, 0]

    def test_missing_is_a_value(self):
        assert stratify([pa.array(["a", None, None])], 3).tolist() == [0, 1, 1]

    def test_nan_is_missing_and_minus_zero_is_zero(self):
        column = pa.array([0.0, -0.0, np.nan, None], from_pandas=False)
        assert stratify([column], 4).tolist() == [0, 0, 1, 1]

    def test_equal_text_in_dictionaries_of_several_chunks(self):
        chunks = [pa.array(part).dictionary_encode() for part in (["a", "b"], ["b", "a"])]
        assert stratify([pa.chunked_array(chunks)], 4).tolist() == [0, 1, 1, 0]

    def test_many_columns_with_many_values_do_not_overflow(self):
        columns = [pa.array(np.arange(2000)) for _ in range(12)]
        assert stratify(columns, 2000).tolist() == list(range(2000))

    def test_patterns(self):
        known = np.array([[True, True], [True, False], [True, True], [False, True]])
        assert missing_patterns(known).tolist() == [0, 1, 0, 2]


def settle(labels, small, k=2, coordinates=None):
    labels = np.array(labels)
    if coordinates is None:
        coordinates = labels.astype(float)
    sizes = np.bincount(labels)
    sums = np.bincount(labels, weights=np.array(coordinates))[:, None]
    first = np.unique(labels, return_index=True)[1]
    parents = np.zeros(sizes.size, dtype=np.int64)
    found = settle_sizes(sizes, k, small, sums, lambda s: f"record {first[s]}", parents)
    return Strata(found.labels[labels], found.merged)


class TestSmall:
    @pytest.mark.parametrize("small", ["error", "merge", "suppress"])
    def test_large_ones_are_left_alone(self, small):
        found = settle([0, 0, 1, 1], small)
        assert found.labels.tolist() == [0, 0, 1, 1]
        assert found.merged == ()
        assert not found.suppressed.any()

    def test_an_error_lists_them_with_their_sizes(self):
        with pytest.raises(Infeasible, match=r"2 of 3 strata.*k=2") as caught:
            settle([0, 0, 1, 2], "error")
        assert "record 2 (1); record 3 (1)" in str(caught.value)
        assert "small_strata" in str(caught.value)

    def test_a_long_list_is_cut(self):
        with pytest.raises(Infeasible, match=r"10 of 10 strata.*record 7 \(1\) …"):
            settle(range(10), "error")

    def test_suppress(self):
        found = settle([0, 0, 1, 0], "suppress")
        assert found.labels.tolist() == [0, 0, -1, 0]
        assert found.suppressed.tolist() == [False, False, True, False]

    def test_suppressing_everything_is_no_release(self):
        with pytest.raises(Infeasible, match="nothing is left"):
            settle([0, 1, 2], "suppress")

    def test_merge_with_the_nearest_mean(self):
        # stratum 2 has one record at 9; stratum 0 has mean 0.5, stratum 1 has mean 10
        found = settle([0, 0, 1, 1, 2], "merge", coordinates=[0.0, 1.0, 10.0, 10.0, 9.0])
        assert_array_equal(found.labels == found.labels[4], [False, False, True, True, True])
        assert found.merged == ((1, 2),)

    def test_merge_until_none_is_small(self):
        found = settle([0, 1, 2, 3, 3, 3], "merge", k=3, coordinates=[0, 1, 2, 50, 50, 50])
        assert found.merged == ((0, 1, 2),)
        assert len(set(found.labels[:3])) == 1
        assert len(set(found.labels)) == 2

    def test_two_merged_pairs_far_apart(self):
        found = settle([0, 1, 2, 3], "merge", coordinates=[0, 1, 100, 101])
        assert sorted(found.merged) == [(0, 1), (2, 3)]

    def test_too_few_records_in_all(self):
        with pytest.raises(Infeasible, match="2 records are too few"):
            settle([0, 1], "merge", k=3)

    def test_every_merged_stratum_is_large_enough(self, rng):
        for _ in range(30):
            labels = stratify([pa.array(rng.integers(0, 12, 40))], 40)
            k = int(rng.integers(2, 9))
            found = settle(labels, "merge", k=k, coordinates=rng.normal(size=40))
            assert np.unique(found.labels, return_counts=True)[1].min() >= k
            pairs = set(zip(labels.tolist(), found.labels.tolist(), strict=True))
            inside = dict(pairs)
            assert len(pairs) == len(inside), "a stratum was torn apart"
            for group in found.merged:
                assert len({inside[stratum] for stratum in group}) == 1
