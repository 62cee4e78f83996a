"""One value for a whole group, solved by hand."""

from __future__ import annotations

import datetime as dt

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from covey.tables.aggregating import Groups, aggregate, means
from covey.tables.kinds import Kinds
from covey.tables.variables import read_variable


def released(column, labels, weights=None, min_contributors=1, **kinds):
    """What every record is given, as values of the column's own kind."""
    variable = read_variable("x", pa.array(column), Kinds.read(**kinds))
    weights = None if weights is None else np.asarray(weights, dtype=float)
    groups = Groups(np.asarray(labels), max(labels) + 1, weights)
    return variable.restore(aggregate(variable, groups, min_contributors)).to_pylist()


class TestMeans:
    def test_plain(self):
        assert released([1.0, 3.0, 10.0, 20.0], [0, 0, 1, 1]) == [2.0, 2.0, 15.0, 15.0]

    def test_groups_need_not_lie_together(self):
        assert released([1.0, 10.0, 3.0, 20.0], [1, 0, 1, 0]) == [2.0, 15.0, 2.0, 15.0]

    def test_weighted(self):
        # (1·3 + 9·1) / 4 = 3
        assert released([1.0, 9.0], [0, 0], weights=[3.0, 1.0]) == [3.0, 3.0]

    def test_missing_members_are_given_the_mean_of_the_others(self):
        assert released([1.0, None, 3.0], [0, 0, 0]) == [2.0, 2.0, 2.0]

    def test_the_weight_of_a_missing_member_does_not_count(self):
        found = released([1.0, None, 9.0], [0, 0, 0], weights=[3.0, 100.0, 1.0])
        assert found == [3.0, 3.0, 3.0]

    @pytest.mark.parametrize("value", [0.1, 1e300, -7.3e-12, 123_456_789.123])
    def test_equal_values_keep_their_value_to_the_last_bit(self, value):
        weights = [0.1, 0.7, 3.3, 1e6, 1e-6, 2.0, 1 / 3]
        assert released([value] * 7, [0] * 7) == [value] * 7
        assert released([value] * 7, [0] * 7, weights=weights) == [value] * 7

    def test_large_values_lose_no_digits(self):
        assert released([1e15, 1e15 + 1, 1e15 + 5], [0, 0, 0]) == [1e15 + 2] * 3

    def test_large_values_with_large_weights(self):
        assert released([1e299, -1e299], [0, 0], weights=[1e10, 1e10]) == [0.0, 0.0]

    def test_a_group_without_records_has_no_mean(self):
        found = means(np.array([4.0]), Groups(np.array([1]), 3))
        assert_array_equal(found, [np.nan, 4.0, np.nan])

    @given(
        st.lists(
            st.tuples(
                st.floats(-1e6, 1e6),
                st.floats(0.001, 1000.0),
                st.integers(min_value=0, max_value=3),
            ),
            min_size=1,
            max_size=30,
        )
    )
    def test_as_numpy_averages(self, records):
        values, weights, labels = (np.array(part) for part in zip(*records, strict=True))
        found = means(values, Groups(labels, 4, weights))
        for group in set(labels):
            inside = labels == group
            expected = np.average(values[inside], weights=weights[inside])
            assert_allclose(found[group], expected, rtol=1e-9, atol=1e-6)


class TestWholeNumbers:
    def test_means_are_rounded(self):
        assert released([1, 2, 2, 10, 11], [0, 0, 0, 1, 1], integers=True) == [2, 2, 2, 10, 10]

    def test_halves_go_to_the_even_number(self):
        assert released([1, 2, 3, 4], [0, 0, 1, 1], integers=True) == [2, 2, 4, 4]

    def test_with_gaps(self):
        assert released([1, None, 2, 2], [0, 0, 0, 0], integers=True) == [2, 2, 2, 2]


class TestInstants:
    def test_the_mean_day_is_a_whole_day(self):
        days = [dt.date(2020, 1, 1), dt.date(2020, 1, 2), dt.date(2020, 1, 6)]
        assert released(days, [0, 0, 0]) == [dt.date(2020, 1, 3)] * 3
        assert released(days[:2], [0, 0]) == [dt.date(2020, 1, 1)] * 2  # day 18262.5, to even

    def test_the_mean_instant(self):
        moments = [dt.datetime(2020, 1, 1, 0), dt.datetime(2020, 1, 1, 1), None]
        assert released(moments, [0, 0, 0]) == [dt.datetime(2020, 1, 1, 0, 30)] * 3

    def test_weighted(self):
        days = [dt.date(2020, 1, 1), dt.date(2020, 1, 5)]
        assert released(days, [0, 0], weights=[1.0, 3.0]) == [dt.date(2020, 1, 4)] * 2

    def test_the_mean_time_of_day(self):
        assert released([dt.time(8), dt.time(10)], [0, 0]) == [dt.time(9)] * 2


class TestLowerMedians:
    ORDER = {"x": ("low", "mid", "high")}  # noqa: RUF012

    @pytest.mark.parametrize(
        ("members", "median"),
        [
            (["low", "mid", "high"], "mid"),
            (["low", "high"], "low"),
            (["low", "mid", "mid", "high"], "mid"),
            (["low", "low", "high", "high"], "low"),
            (["high", "high", "low"], "high"),
            (["mid", None, "high", None], "mid"),
        ],
    )
    def test_unweighted(self, members, median):
        found = released(members, [0] * len(members), ordinal=self.ORDER)
        assert found == [median] * len(members)

    def test_order_not_names_decides(self):
        # By name high < low < mid; by order low < mid < high.
        assert released(["high", "low"], [0, 0], ordinal=self.ORDER) == ["low", "low"]

    def test_weighted(self):
        members = ["low", "mid", "high"]
        assert released(members, [0] * 3, [1, 1, 3], ordinal=self.ORDER) == ["high"] * 3
        assert released(members, [0] * 3, [3, 1, 1], ordinal=self.ORDER) == ["low"] * 3

    def test_half_of_the_weight_is_enough(self):
        found = released(["low", "mid", "high"], [0] * 3, [0.3, 0.1, 0.2], ordinal=self.ORDER)
        assert found == ["low"] * 3  # 0.3 of 0.6, which floats do not add up to exactly

    def test_several_groups(self):
        members = ["high", "low", "low", "mid", "high", "high"]
        found = released(members, [1, 0, 0, 1, 1, 0], ordinal=self.ORDER)
        assert found == ["high", "low", "low", "high", "high", "low"]

    def test_light_groups_beside_heavy_ones(self):
        """What the groups before weigh must not decide a tie."""
        members = ["low", "high", "low", "high"]
        for heavy in 1e9 / np.arange(3, 40):
            weights = [heavy, heavy, 0.1, 0.1]
            found = released(members, [0, 0, 1, 1], weights, ordinal=self.ORDER)
            assert found == ["low"] * 4


class TestModes:
    def test_the_most_frequent(self):
        assert released(["a", "b", "b"], [0, 0, 0]) == ["b"] * 3

    def test_ties_go_to_the_one_most_frequent_in_the_file(self):
        column = ["a", "b", "b", "b", "a"]  # in the file b leads by 3 to 2
        assert released(column, [0, 0, 1, 1, 1]) == ["b", "b", "b", "b", "b"]

    def test_then_to_the_first_category(self):
        assert released(["b", "a"], [0, 0]) == ["a", "a"]

    def test_the_first_category_of_a_categorical_is_its_own(self):
        column = pa.DictionaryArray.from_arrays(pa.array([1, 0]), pa.array(["z", "a"]))
        assert released(column, [0, 0]) == ["z", "z"]

    def test_weighted(self):
        assert released(["a", "b", "b"], [0, 0, 0], weights=[3.0, 1.0, 1.0]) == ["a"] * 3

    def test_weighted_ties_are_not_decided_by_rounding(self):
        """0.1 + 0.2 is not 0.3 in floats; as weights they tie, and b leads in the file."""
        column = ["a", "a", "b", "b"]
        found = released(column, [0, 0, 0, 1], weights=[0.1, 0.2, 0.3, 1.0])
        assert found == ["b"] * 4

    def test_true_and_false(self):
        assert released([True, False, True, None], [0] * 4) == [True] * 4

    def test_a_missing_value_is_no_category(self):
        assert released([None, None, None, "a"], [0] * 4) == ["a"] * 4


class TestRareCategories:
    """A category that only one or two records of the file have would point at them."""

    def test_the_mode_is_a_common_one(self):
        column = ["rare", "rare", "x", "x", "x", "x"]
        found = released(column, [0, 0, 0, 1, 1, 1], min_contributors=3)
        assert found == ["x"] * 6

    def test_a_group_without_a_common_one_has_none(self):
        column = ["a", "b", "c", "x", "x", "x"]
        found = released(column, [0, 0, 0, 1, 1, 1], min_contributors=3)
        assert found == [None] * 3 + ["x"] * 3

    def test_a_rare_median_is_missing(self):
        column = [1, 2, 3, 3, 3, 3]
        kinds = {"ordinal": {"x": [1, 2, 3]}}
        found = released(column, [0, 0, 0, 1, 1, 1], min_contributors=3, **kinds)
        assert found == [None] * 3 + [3] * 3


class TestOrderedNumbers:
    """Numbers declared ordinal: a median that `min_contributors` members stand behind."""

    @pytest.mark.parametrize(
        ("members", "least", "expected"),
        [
            ([1.0, 2.0, 4.0, 9.0, 100.0], 3, 5.0),  # (2 + 4 + 9) / 3
            ([1.0, 2.0, 6.0, 100.0], 3, 3.0),  # the lower median is 2: (1 + 2 + 6) / 3
            ([1.0, 2.0, 6.0, 100.0], 2, 4.0),  # (2 + 6) / 2
            ([1.0, 2.0, 6.0, 8.0, 100.0], 2, 7.0),  # the median, then the next above
            ([1.0, 2.0, 6.0], 1, 2.0),
            ([0.0, 0.0, 0.0, 500.0, 900.0], 3, 0.0),  # three share the median
            ([0.0, 0.0, 3.0, 500.0, 900.0], 3, 167 + 2 / 3),
            ([5.0, 7.0], 3, None),
            ([5.0, 7.0, None, 6.0], 3, 6.0),
        ],
    )
    def test_by_hand(self, members, least, expected):
        found = released(members, [0] * len(members), min_contributors=least, ordinal=["x"])
        assert found == pytest.approx([expected] * len(members))

    def test_no_number_is_rare(self):
        incomes = [10.5, 20.5, 30.5, 1000.5, 2000.5, 3000.5]
        found = released(incomes, [0, 0, 0, 1, 1, 1], min_contributors=3, ordinal=["x"])
        assert found == [20.5] * 3 + [2000.5] * 3

    def test_weights_say_where_the_middle_is(self):
        members = [1.0, 2.0, 3.0, 4.0, 8.0, 9.0]
        heavy_end = [1.0, 1.0, 1.0, 1.0, 9.0, 1.0]
        assert released(members, [0] * 6, heavy_end, 3, ordinal=["x"]) == [7.0] * 6
        heavier = [1.0, 1.0, 1.0, 1.0, 1.0, 50.0]  # at an end: the three that are left
        assert released(members, [0] * 6, heavier, 3, ordinal=["x"]) == [7.0] * 6

    def test_equal_weights_change_nothing(self):
        rng = np.random.default_rng(1)
        values, labels = rng.integers(0, 12, 300).astype(float), rng.integers(0, 40, 300)
        plain = released(values, labels, None, 3, ordinal=["x"])
        assert released(values, labels, np.full(300, 0.1), 3, ordinal=["x"]) == plain

    def test_the_order_of_the_records_does_not_matter(self):
        rng = np.random.default_rng(2)
        values, labels = rng.integers(0, 9, 200).astype(float), rng.integers(0, 30, 200)
        weights, shuffled = rng.choice([0.1, 0.2, 0.3], 200), rng.permutation(200)
        found = np.array(released(values, labels, weights, 3, ordinal=["x"]), dtype=float)
        again = released(values[shuffled], labels[shuffled], weights[shuffled], 3, ordinal=["x"])
        assert_array_equal(found[shuffled], np.array(again, dtype=float))

    def test_whole_numbers_stay_whole_and_keep_their_type(self):
        variable = read_variable("x", pa.array([1, 2, 4], pa.int16()), Kinds.read(["x"]))
        found = variable.restore(aggregate(variable, Groups(np.zeros(3, dtype=int), 1), 3))
        assert found.type == pa.int16()
        assert found.to_pylist() == [2, 2, 2]  # 7 / 3

    def test_dates(self):
        days = [dt.date(2020, 1, day) for day in (1, 2, 4, 9, 30)]
        found = released(days, [0] * 5, min_contributors=3, ordinal=["x"])
        assert found == [dt.date(2020, 1, 5)] * 5


class TestContributors:
    @pytest.mark.parametrize(
        ("column", "kinds"),
        [
            ([1.0, 3.0, None, None], {}),
            ([1, 3, None, None], {"integers": True}),
            (["a", "a", None, None], {}),
            ([3, 3, None, None], {"ordinal": ["x"]}),
            ([dt.date(2020, 1, 1), dt.date(2020, 1, 3), None, None], {}),
        ],
        ids=["number", "integer", "nominal", "ordinal", "date"],
    )
    def test_too_few_and_the_value_is_missing_for_all(self, column, kinds):
        assert released(column, [0] * 4, min_contributors=3, **kinds) == [None] * 4
        enough = released(column, [0] * 4, min_contributors=2, **kinds)
        assert None not in enough
        assert len(set(enough)) == 1

    def test_each_group_counts_for_itself(self):
        found = released([1.0, None, 5.0, 7.0], [0, 0, 1, 1], min_contributors=2)
        assert found == [None, None, 6.0, 6.0]

    def test_nobody_has_a_value(self):
        assert released(pa.nulls(2), [0, 0], min_contributors=1) == [None, None]
        assert released(pa.nulls(2, pa.string()), [0, 0], min_contributors=1) == [None, None]

    def test_nothing_contributes_nothing_even_if_none_are_asked_for(self):
        assert released([None, 1.0], [0, 1], min_contributors=0) == [None, 1.0]
