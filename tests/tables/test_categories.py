"""Text, true and false, and categories as codes, and back."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from covey.errors import InvalidParameter, SchemaError
from covey.tables.kinds import Kinds
from covey.tables.variables import Variable, read_variable


def read(column, **kinds) -> Variable:
    return read_variable("x", column, Kinds.read(**kinds))


def there_and_back(column, **kinds):
    variable = read(column, **kinds)
    return variable.restore(variable.values)


class TestCategories:
    @pytest.mark.parametrize(
        "column",
        [
            pa.array(["b", None, "a", "b"]),
            pa.array(["b", None, "a", "b"], pa.large_string()),
            pa.array(["b", None, "a", "b"]).cast(pa.string_view()),
            pa.array(["b", None, "a", "b"]).dictionary_encode(),
            pa.array(pd.Series(["b", None, "a", "b"])),
            pa.array(pd.Series(["b", None, "a", "b"], dtype="string")),
            pa.array(pd.Categorical(["b", None, "a", "b"])),
            pl.Series(["b", None, "a", "b"]).to_arrow(),
            pl.Series(["b", None, "a", "b"], dtype=pl.Categorical).to_arrow(),
        ],
        ids=lambda column: str(column.type)[:40],
    )
    def test_text_is_nominal(self, column):
        variable = read(column)
        assert variable.kind == "nominal"
        assert variable.known.tolist() == [True, False, True, True]
        assert variable.restore(variable.values).to_pylist() == ["b", None, "a", "b"]
        assert variable.restore(variable.values).type == column.type

    def test_plain_categories_are_in_order(self):
        variable = read(pa.array(["b", "c", "a"]))
        assert variable.categories.to_pylist() == ["a", "b", "c"]
        assert variable.values.tolist() == [1.0, 2.0, 0.0]

    def test_true_and_false(self):
        variable = read(pa.array([True, None, False]))
        assert variable.kind == "nominal"
        assert variable.restore(variable.values).to_pylist() == [True, None, False]

    @pytest.mark.parametrize(
        "column",
        [
            pa.array(pd.Categorical(["low", "high"], ["low", "high"], ordered=True)),
            pl.Series(["low", "high"], dtype=pl.Enum(["low", "high"])).to_arrow(),
        ],
        ids=["pandas", "polars"],
    )
    def test_ordered_categories_are_ordinal(self, column):
        variable = read(column)
        assert variable.kind == "ordinal"
        assert variable.values.tolist() == [0.0, 1.0]
        assert variable.restore(np.zeros(2)).to_pylist() == ["low", "low"]
        assert variable.restore(np.zeros(2)).type.ordered

    def test_an_order_that_was_given(self):
        variable = read(pa.array(["mid", "low", None]), ordinal={"x": ["low", "mid", "high"]})
        assert variable.kind == "ordinal"
        np.testing.assert_array_equal(variable.values, [1.0, 0.0, np.nan])
        assert variable.restore(np.array([2.0, 1.0, np.nan])).to_pylist() == ["high", "mid", None]

    def test_an_order_given_for_a_categorical(self):
        column = pa.array(pd.Categorical(["mid", "low"], ["low", "mid"]))
        variable = read(column, ordinal={"x": ["mid", "low"]})
        assert variable.values.tolist() == [0.0, 1.0]
        assert variable.restore(variable.values).to_pylist() == ["mid", "low"]

    def test_numbers_have_an_order_of_their_own(self):
        variable = read(pa.array([30, 10, 20, 10]), ordinal=["x"])
        assert variable.kind == "ordinal"
        assert variable.values.tolist() == [30.0, 10.0, 20.0, 10.0]
        assert variable.is_ordered_number
        assert not variable.is_category
        assert variable.restore(variable.values).to_pylist() == [30, 10, 20, 10]

    def test_numbers_in_a_dictionary_have_an_order_of_their_own(self):
        variable = read(pa.array([30, 10, 20, 10]).dictionary_encode(), ordinal=["x"])
        assert variable.values.tolist() == [2.0, 0.0, 1.0, 0.0]

    def test_decimals_have_an_order_of_their_own(self):
        column = pa.array([Decimal("3.5"), Decimal("1.5")])
        assert read(column, ordinal=["x"]).values.tolist() == [3.5, 1.5]

    def test_codes_named_as_nominal(self):
        variable = read(pa.array([7, 3, 7]), nominal=["x"])
        assert variable.kind == "nominal"
        assert variable.restore(variable.values).to_pylist() == [7, 3, 7]

    def test_nan_is_no_category(self):
        variable = read(pa.array([1.0, np.nan, None], from_pandas=False), nominal=["x"])
        assert variable.known.tolist() == [True, False, False]
        assert variable.n_categories == 1

    def test_nan_is_no_category_of_a_dictionary(self):
        column = pa.DictionaryArray.from_arrays(pa.array([0, 1]), pa.array([1.0, np.nan]))
        assert read(column).known.tolist() == [True, False]

    def test_null_is_no_category_of_a_dictionary(self):
        column = pa.DictionaryArray.from_arrays(pa.array([0, 1]), pa.array(["a", None]))
        assert read(column).known.tolist() == [True, False]

    def test_half_floats_may_be_codes(self):
        column = pa.array(np.array([1, 2], dtype=np.float16))
        assert read(column, nominal=["x"]).values.tolist() == [0.0, 1.0]

    def test_an_order_for_a_column_that_is_all_missing(self):
        variable = read(pa.nulls(2), ordinal={"x": ["low", "high"]})
        assert variable.kind == "ordinal"
        assert variable.restore(variable.values).to_pylist() == [None, None]

    def test_text_that_is_all_missing(self):
        variable = read(pa.array([None, None], pa.string()))
        assert variable.n_categories == 0
        assert variable.restore(variable.values).to_pylist() == [None, None]

    def test_chunks_with_dictionaries_of_their_own(self):
        chunks = [pa.array(part).dictionary_encode() for part in (["a", "b"], ["b", "c"])]
        variable = read(pa.chunked_array(chunks))
        assert variable.restore(variable.values).to_pylist() == ["a", "b", "b", "c"]

    @pytest.mark.parametrize(
        "column",
        [pa.array(["b", "a"]), pa.array(["b", "a"]).dictionary_encode()],
        ids=["text", "unordered categories"],
    )
    def test_text_without_an_order_cannot_be_ordinal(self, column):
        with pytest.raises(SchemaError, match="Give its categories from low to high"):
            read(column, ordinal=["x"])

    def test_a_value_that_is_none_of_the_categories_given(self):
        with pytest.raises(SchemaError, match=r"1 value\(s\) that are none") as caught:
            read(pa.array(["low", "secret"]), ordinal={"x": ["low", "high"]})
        assert "secret" not in str(caught.value)

    @pytest.mark.parametrize("order", ["low", ["low", "low"], [1, 2], 5, [["low"]]])
    def test_categories_that_cannot_be_meant(self, order):
        with pytest.raises(InvalidParameter, match="'x'"):
            read(pa.array(["low"]), ordinal={"x": order})
