"""Columns of numbers as floats and back, and what is refused."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from covey.errors import CoveyError, InvalidParameter, SchemaError
from covey.tables.kinds import Kinds
from covey.tables.variables import Variable, read_variable


def read(column, **kinds) -> Variable:
    return read_variable("x", column, Kinds.read(**kinds))


def there_and_back(column, **kinds):
    variable = read(column, **kinds)
    return variable.restore(variable.values)


class TestNumbers:
    @pytest.mark.parametrize(
        "arrow_type",
        [
            *(pa.int8(), pa.int16(), pa.int32(), pa.int64()),
            *(pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64()),
            *(pa.float16(), pa.float32(), pa.float64()),
        ],
        ids=str,
    )
    def test_every_width(self, arrow_type):
        values = np.array([3, 0, 7]).astype(arrow_type.to_pandas_dtype())
        column = pa.array(values, mask=np.array([False, True, False]))
        variable = read(column)
        assert variable.kind == "number"
        np.testing.assert_array_equal(variable.values, [3.0, np.nan, 7.0])
        assert variable.restore(variable.values).to_pylist() == [3.0, None, 7.0]

    def test_decimals(self):
        column = pa.array([Decimal("1.25"), None, Decimal("-3.50")])
        assert there_and_back(column).to_pylist() == [1.25, None, -3.5]

    @pytest.mark.parametrize("dtype", ["Int64", "UInt8", "Float64", "int64[pyarrow]"])
    def test_nullable_pandas(self, dtype):
        series = pd.Series([1, None, 3], dtype=dtype)
        np.testing.assert_array_equal(read(pa.array(series)).values, [1.0, np.nan, 3.0])

    def test_polars(self):
        np.testing.assert_array_equal(
            read(pl.Series([1, None, 3], dtype=pl.Int16).to_arrow()).values, [1.0, np.nan, 3.0]
        )

    def test_nan_and_null_are_both_missing(self):
        variable = read(pa.array([1.0, np.nan, None], from_pandas=False))
        assert variable.known.tolist() == [True, False, False]
        assert variable.restore(variable.values).to_pylist() == [1.0, None, None]

    def test_nothing_but_missing_values(self):
        variable = read(pa.nulls(3))
        assert variable.kind == "number"
        assert not variable.known.any()
        assert variable.restore(variable.values).null_count == 3

    def test_minus_zero_is_zero(self):
        restored = read(pa.array([-0.0, 1.0])).restore(np.array([-0.0, 1.0]))
        assert not np.signbit(restored.to_numpy()).any()

    def test_whole_numbers_up_to_2_to_the_53(self):
        largest = 2**53
        assert there_and_back(pa.array([largest, -largest])).to_pylist() == [largest, -largest]

    @pytest.mark.parametrize("value", [2**53 + 1, -(2**53) - 1, 2**62])
    def test_larger_whole_numbers_look_like_identifiers(self, value):
        with pytest.raises(SchemaError, match=r"beyond 2\^53.*identifiers") as caught:
            read(pa.array([value, 1]))
        assert str(value) not in str(caught.value)

    def test_larger_unsigned_numbers(self):
        with pytest.raises(SchemaError, match=r"beyond 2\^53"):
            read(pa.array([2**64 - 1, 1], pa.uint64()))

    @pytest.mark.parametrize("value", [np.inf, -np.inf])
    def test_infinite(self, value):
        with pytest.raises(SchemaError, match=r"'x' has 2 infinite value\(s\)"):
            read(pa.array([value, value, 1.0]))

    def test_beyond_what_sums_can_hold(self):
        with pytest.raises(SchemaError, match=r"beyond 1e\+300"):
            read(pa.array([2e300, 1.0]))

    def test_chunks_are_one_column(self):
        column = pa.chunked_array([[1, 2], [], [3]], type=pa.int32())
        assert read(column).values.tolist() == [1.0, 2.0, 3.0]


class TestWholeNumbers:
    def test_stay_whole_when_asked(self):
        variable = read(pa.array([1, 2, None]), integers=True)
        assert variable.kind == "integer"
        restored = variable.restore(np.array([1.0, 2.6, np.nan]))
        assert restored.to_pylist() == [1, 3, None]
        assert pa.types.is_integer(restored.type)

    def test_all_of_them_does_not_mean_measurements(self):
        assert read(pa.array([1.0, 2.0]), integers=True).kind == "number"

    def test_measurements_when_named(self):
        assert read(pa.array([1.0, 2.0]), integers=["x"]).kind == "integer"

    def test_others_are_left_alone(self):
        assert read(pa.array([1, 2]), integers=["y"]).kind == "number"

    @pytest.mark.parametrize(
        "column",
        [
            pa.array(["a", "b"]),
            pa.array([True, False]),
            pa.array([dt.date(2020, 1, 1)]),
            pa.array(["a", "b"]).dictionary_encode(),
        ],
        ids=lambda column: str(column.type)[:10],
    )
    def test_what_holds_no_numbers_cannot_be_whole(self, column):
        with pytest.raises(SchemaError, match="does not hold numbers"):
            read(column, integers=["x"])

    def test_measurements_too_large_for_whole_numbers_are_refused(self):
        with pytest.raises(SchemaError, match=r"beyond 2\^53"):
            there_and_back(pa.array([1e20, 2e20]), integers=["x"])

    def test_integers_and_categories_contradict_each_other(self):
        with pytest.raises(InvalidParameter, match="not both"):
            Kinds.read(nominal=["x"], integers=["x"])


class TestRefused:
    @pytest.mark.parametrize(
        "column",
        [
            pa.array([[1], [2]]),
            pa.array([{"a": 1}, {"a": 2}]),
            pa.array([b"a", b"b"]),
            pa.array([1, 2], pa.duration("s")),
            pa.array([(1, 2, 3)], pa.month_day_nano_interval()),
        ],
        ids=lambda column: str(column.type)[:12],
    )
    def test_kinds_that_cannot_be_averaged(self, column):
        with pytest.raises(SchemaError, match="'x' holds values of a kind that cannot"):
            read(column)

    @pytest.mark.parametrize("kinds", [{"nominal": ["x"]}, {"ordinal": ["x"]}], ids=list)
    @pytest.mark.parametrize(
        "column",
        [
            pa.array([[1], [2]]),
            pa.array([{"a": 1}, {"a": 2}]),
            pa.array([(1, 2, 3), (1, 2, 4)], pa.month_day_nano_interval()),
        ],
        ids=lambda column: str(column.type)[:12],
    )
    def test_nested_values_are_no_categories_either(self, column, kinds):
        with pytest.raises(CoveyError, match="'x'"):
            read(column, **kinds)

    @pytest.mark.parametrize(
        "wrong",
        [
            {"nominal": 5},
            {"nominal": ["x", "x"]},
            {"nominal": [5]},
            {"ordinal": 5},
            {"ordinal": ["x"], "nominal": ["x"]},
            {"integers": 5},
        ],
    )
    def test_kinds_that_could_be_misread(self, wrong):
        with pytest.raises(InvalidParameter):
            Kinds.read(**wrong)
