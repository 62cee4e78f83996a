"""Columns of every type that pyarrow, pandas and polars know, eighteen records each."""

from __future__ import annotations

import datetime as dt
import decimal
import uuid
from collections.abc import Callable
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa

N = 18
NUMBERS = [1, 2, 3] * 6
TEXTS = ["a", "b", None] * 6
SURROGATE = "\ud800"
DAYS = [dt.date(2020, 1, 1 + i % 5) for i in range(N)]
INSTANTS = [dt.datetime(2020, 1, 1 + i % 5, i % 24) for i in range(N)]


def text_from(parts: list[bytes], kind: Any) -> Any:
    """Text whose bytes nobody checked."""
    return pa.array(parts, pa.binary()).view(kind)


def _numbers() -> dict[str, Any]:
    whole = (pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.uint8(), pa.uint16(), pa.uint32())
    broken = (pa.float16(), pa.float32(), pa.float64())
    columns = {str(kind): pa.array(NUMBERS).cast(kind) for kind in (*whole, pa.uint64(), *broken)}
    tens = [decimal.Decimal(n) for n in NUMBERS]
    for kind in (
        pa.decimal32(5, 1),
        pa.decimal64(10, 2),
        pa.decimal128(20, 3),
        pa.decimal256(60, 4),
        pa.decimal128(5, -2),
    ):
        columns[str(kind)] = (
            pa.array([10000 * n for n in tens]).cast(pa.decimal128(38, 4))
            if (kind.scale < 0)
            else pa.array(tens, kind)
        )
    columns["decimal beyond floats"] = pa.array([decimal.Decimal(10) ** 60 + n for n in tens])
    columns["huge"] = pa.array([2**63 + n for n in NUMBERS], pa.uint64())
    columns["null"] = pa.nulls(N)
    return columns


def _texts() -> dict[str, Any]:
    kinds = (pa.string(), pa.large_string(), pa.string_view())
    columns = {str(kind): pa.array(TEXTS, kind) for kind in kinds}
    raw = [b"a", b"b", None] * 6
    binary = (pa.binary(), pa.large_binary(), pa.binary_view(), pa.binary(1))
    columns |= {str(kind): pa.array(raw, kind) for kind in binary}
    columns["bad utf-8"] = text_from([b"a", b"\xff\xfe", b"b"] * 6, pa.string())
    columns["bad utf-8 categories"] = pa.DictionaryArray.from_arrays(
        pa.array([0, 1, 2] * 6), text_from([b"a", b"\xff\xfe", b"b"], pa.string())
    )
    return columns


def _times() -> dict[str, Any]:
    columns: dict[str, Any] = {
        "date32": pa.array(DAYS, pa.date32()),
        "date64": pa.array(DAYS, pa.date64()),
        "time32": pa.array([dt.time(i % 5) for i in range(N)], pa.time32("ms")),
        "time64": pa.array([dt.time(i % 5) for i in range(N)], pa.time64("ns")),
        "month_day_nano": pa.array([(1, 2, 3)] * N, pa.month_day_nano_interval()),
    }
    for unit in ("s", "ms", "us", "ns"):
        columns[f"timestamp {unit}"] = pa.array(INSTANTS, pa.timestamp(unit))
        columns[f"zoned {unit}"] = pa.array(INSTANTS, pa.timestamp(unit, "Europe/Vienna"))
        columns[f"duration {unit}"] = pa.array(NUMBERS, pa.duration(unit))
    return columns


def _nested() -> dict[str, Any]:
    lists = [[n] for n in NUMBERS]
    columns: dict[str, Any] = {
        str(kind): pa.array(lists, kind)
        for kind in (
            pa.list_(pa.int64()),
            pa.large_list(pa.int64()),
            pa.list_(pa.int64(), 1),
            pa.list_view(pa.int64()),
            pa.large_list_view(pa.int64()),
        )
    }
    columns["list of views"] = pa.array([["a"]] * N, pa.list_(pa.string_view()))
    columns["list of uuids"] = pa.ListArray.from_arrays(
        pa.array(range(N + 1), pa.int32()), pa.array([b"0" * 16] * N, pa.uuid())
    )
    columns["list of small decimals"] = pa.array([[1]] * N, pa.list_(pa.decimal32(3, 0)))
    labels = pa.dictionary(pa.int8(), pa.string())
    columns["list of categories"] = pa.array([["a"]] * N, pa.list_(labels))
    columns["bad utf-8 in lists"] = pa.ListArray.from_arrays(
        pa.array(range(N + 1), pa.int32()), text_from([b"\xff"] * N, pa.string())
    )
    columns["struct"] = pa.array([{"a": n, "b": "x"} for n in NUMBERS])
    columns["map"] = pa.array([[("a", n)] for n in NUMBERS], pa.map_(pa.string(), pa.int64()))
    children = [pa.array(NUMBERS), pa.array(["x"] * N)]
    kinds = pa.array([i % 2 for i in range(N)], pa.int8())
    columns["sparse union"] = pa.UnionArray.from_sparse(kinds, children)
    places = pa.array(range(N), pa.int32())
    columns["dense union"] = pa.UnionArray.from_dense(kinds, places, children)
    return columns


def _encoded() -> dict[str, Any]:
    ends = pa.array([6, 12, 18], pa.int32())
    values = {
        "numbers": pa.array([1.5, None, 2.5]),
        "texts": pa.array(["a", None, "b"]),
        "days": pa.array([DAYS[0], None, DAYS[1]]),
    }
    columns = {
        f"run ends of {name}": pa.RunEndEncodedArray.from_arrays(ends, part)
        for name, part in values.items()
    }
    columns["bool"] = pa.array([True, False, None] * 6)
    codes = pa.array([0, 1, 2] * 6, pa.int8())
    for name, part in {
        "texts": pa.array(["a", "b", "c"]),
        "views": pa.array(["a", "b", "c"], pa.string_view()),
        "numbers": pa.array([1.5, 2.5, 3.5]),
        "nothing": pa.nulls(3),
        "bytes": pa.array([b"a", b"b", b"c"]),
        "days": pa.array(DAYS[:3]),
        "decimals": pa.array([decimal.Decimal("1.5"), decimal.Decimal(2), decimal.Decimal(3)]),
        "truth": pa.array([True, False, None]),
        "lists": pa.array([[1], [2], [3]]),
        "durations": pa.array([1, 2, 3], pa.duration("s")),
        "small decimals": pa.array([decimal.Decimal(n) for n in (1, 2, 3)], pa.decimal32(3, 0)),
    }.items():
        columns[f"categories of {name}"] = pa.DictionaryArray.from_arrays(codes, part)
    return columns


class _Own(pa.ExtensionType):
    def __init__(self) -> None:
        super().__init__(pa.int64(), "covey.tests.own")

    def __arrow_ext_serialize__(self) -> bytes:
        return b""

    @classmethod
    def __arrow_ext_deserialize__(cls, storage: Any, serialized: Any) -> Any:
        return cls()


def _extensions() -> dict[str, Any]:
    ids = [uuid.UUID(int=n) for n in NUMBERS]
    tensors = pa.array([[1.0, 2.0]] * N, pa.list_(pa.float64(), 2))
    return {
        "uuid": pa.array([one.bytes for one in ids], pa.uuid()),
        "json": pa.ExtensionArray.from_storage(pa.json_(), pa.array(['{"a": 1}', "2", None] * 6)),
        "bool8": pa.ExtensionArray.from_storage(pa.bool8(), pa.array([0, 1, None] * 6, pa.int8())),
        "opaque": pa.ExtensionArray.from_storage(
            pa.opaque(pa.int64(), "thing", "maker"), pa.array(NUMBERS)
        ),
        "tensor": pa.ExtensionArray.from_storage(
            pa.fixed_shape_tensor(pa.float64(), (2,)), tensors
        ),
        "an extension of one's own": pa.ExtensionArray.from_storage(_Own(), pa.array(NUMBERS)),
    }


def arrow_columns() -> dict[str, Any]:
    """By name, pyarrow arrays."""
    return {**_numbers(), **_texts(), **_times(), **_nested(), **_encoded(), **_extensions()}


def pandas_columns() -> dict[str, Any]:
    """By name, pandas series or arrays."""
    whole = ("Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64")
    columns: dict[str, Any] = {kind: pd.array(NUMBERS, dtype=kind) for kind in whole}
    for kind in ("Float32", "Float64", "float16", "complex128", "string", "category", "object"):
        columns[kind] = pd.Series(NUMBERS).astype(kind)
    columns |= {
        "boolean": pd.array([True, None, False] * 6, dtype="boolean"),
        "10**30": pd.Series([10**30 + n for n in NUMBERS], dtype=object),
        "surrogates": pd.Series([f"a{SURROGATE}", "b", "c"] * 6, dtype=object),
        "categories of surrogates": pd.Series(
            pd.Categorical.from_codes(
                [0, 1, 2] * 6, pd.Index([f"a{SURROGATE}", "b", "c"], dtype=object)
            )
        ),
        "interval": pd.Series(pd.IntervalIndex.from_breaks(range(N + 1))),
        "cut": pd.Series(pd.cut(pd.Series(range(N)), 3)),
        "period": pd.Series(pd.period_range("2020-01", periods=N, freq="M")),
        "categories of periods": pd.Series(
            pd.Categorical(list(pd.period_range("2020-01", periods=3, freq="M")) * 6)
        ),
        "sparse": pd.Series(pd.arrays.SparseArray(NUMBERS)),
        "timedelta": pd.Series(pd.to_timedelta(NUMBERS, unit="s")),
        "datetime": pd.Series(pd.to_datetime(INSTANTS)),
        "datetime with zone": pd.Series(pd.to_datetime(INSTANTS)).dt.tz_localize("UTC"),
        "decimals": pd.Series([decimal.Decimal(n) for n in NUMBERS], dtype=object),
        "mixed": pd.Series([1, "a", 2.5] * 6, dtype=object),
        "dates": pd.Series(DAYS, dtype=object),
        "lists": pd.Series([[n] for n in NUMBERS], dtype=object),
        "dicts": pd.Series([{"a": n} for n in NUMBERS], dtype=object),
        "sets": pd.Series([{n} for n in NUMBERS], dtype=object),
        "bytes": pd.Series([b"a", b"b", None] * 6, dtype=object),
        "uuids": pd.Series([uuid.UUID(int=n) for n in NUMBERS], dtype=object),
        "functions": pd.Series([len] * N, dtype=object),
        "arrow views": pd.Series(TEXTS, dtype=pd.ArrowDtype(pa.string_view())),
        "nothing": pd.Series([None] * N, dtype=object),
    }
    return columns


def polars_columns() -> dict[str, Any]:
    """By name, polars series."""
    whole = (pl.Int8, pl.Int16, pl.Int32, pl.Int64, pl.UInt8, pl.UInt16, pl.UInt32, pl.UInt64)
    numbers = (*whole, pl.Int128, pl.Float32, pl.Float64, pl.Decimal(10, 2))
    columns: dict[str, Any] = {str(kind): pl.Series(NUMBERS).cast(kind) for kind in numbers}
    columns |= {
        "Boolean": pl.Series([True, None, False] * 6),
        "String": pl.Series(TEXTS),
        "Categorical": pl.Series(TEXTS).cast(pl.Categorical),
        "Enum": pl.Series(TEXTS).cast(pl.Enum(["a", "b"])),
        "Binary": pl.Series([b"a", b"b", None] * 6),
        "Date": pl.Series(DAYS),
        "Datetime": pl.Series(INSTANTS),
        "Datetime with zone": pl.Series(INSTANTS).dt.replace_time_zone("UTC"),
        "Duration": pl.Series([dt.timedelta(n) for n in NUMBERS]),
        "Time": pl.Series([dt.time(n) for n in NUMBERS]),
        "List": pl.Series([[n] for n in NUMBERS]),
        "Array": pl.Series([[n] for n in NUMBERS]).cast(pl.Array(pl.Int64, 1)),
        "Struct": pl.Series([{"a": n} for n in NUMBERS]),
        "Null": pl.Series([None] * N),
        "Object": pl.Series([object() for _ in range(N)], dtype=pl.Object),
    }
    return columns


def _frame(make: Callable[..., Any], column: Any) -> Any:
    return make({"odd": column, "age": [20 + n for n in range(N)]})


def every_frame() -> dict[str, Callable[[], Any]]:
    """By library and type, a frame with the column "odd" beside ages."""
    makers: tuple[tuple[str, dict[str, Any], Callable[..., Any]], ...] = (
        ("pyarrow", arrow_columns(), pa.table),
        ("pandas", pandas_columns(), pd.DataFrame),
        ("polars", polars_columns(), pl.DataFrame),
    )
    return {
        f"{library} {name}": (lambda make=make, column=column: _frame(make, column))
        for library, columns, make in makers
        for name, column in columns.items()
    }
