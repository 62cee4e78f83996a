"""Where originals are and releases go, put there and read back without Covey."""

from __future__ import annotations

import contextlib
import sqlite3
import uuid
import warnings
from pathlib import Path
from typing import Any, NamedTuple

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
from pyarrow import csv, feather, parquet

from tests.attack.requests import LOSSY, Request
from tests.release.independent import read_as_text

NULLABLE = {
    pa.int8(): pd.Int8Dtype(),
    pa.int16(): pd.Int16Dtype(),
    pa.int32(): pd.Int32Dtype(),
    pa.int64(): pd.Int64Dtype(),
    pa.uint8(): pd.UInt8Dtype(),
    pa.uint64(): pd.UInt64Dtype(),
    pa.float32(): pd.Float32Dtype(),
    pa.float64(): pd.Float64Dtype(),
    pa.bool_(): pd.BooleanDtype(),
    pa.string(): pd.StringDtype(),
}

# Nanoseconds.
TICKS = {"s": 10**9, "ms": 10**6, "us": 10**3, "ns": 1}
DAY = 86_400 * TICKS["s"]


class Given(NamedTuple):
    """What `protect` is given, and the same as cells.

    `in_order` says that the rows are read in the order of the cells, `exact` that values of every
    type are the same.
    """

    data: Any
    beside: dict[str, str]
    cells: pd.DataFrame
    in_order: bool
    exact: bool


def put(request: Request, folder: Path) -> Given:
    """The original in its place, or as a pyarrow table if that cannot hold it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            given = _put(request, folder)
            return Given(*given) if request.place in LOSSY else _as_frame(given[0])
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException:  # polars panics, which is no Exception
            return _as_frame(request.table)


def _as_frame(data: Any) -> Given:
    table = parquet.read_table(data) if isinstance(data, Path) else as_arrow(data)
    return Given(data, {}, cells_of(table), True, True)


def _put(request: Request, folder: Path) -> tuple[Any, ...]:
    table = request.table
    if request.place in LOSSY:
        path = folder / f"original.{request.place}"
        _write(table, path)
        beside = {} if request.place == "csv" else {"table": "original"}
        return path, beside, cells_of(table), request.place == "csv", False
    if request.place == "parquet":
        parquet.write_table(table, folder / "original.parquet", row_group_size=request.cut)
        return (folder / "original.parquet",)
    frames = {
        "pyarrow": lambda: table,
        "chunks": lambda: _in_chunks(table),
        "pandas": table.to_pandas,
        "nullable": lambda: table.to_pandas(types_mapper=NULLABLE.get),
        "arrow in pandas": lambda: table.to_pandas(types_mapper=pd.ArrowDtype),
        "objects": lambda: table.to_pandas().astype(object),
        "polars": lambda: _in_polars(table),
    }
    return (frames[request.place](),)


def _in_polars(table: pa.Table) -> pl.DataFrame:
    if any(pa.types.is_decimal256(part.type) for part in table.schema):
        raise NotImplementedError("polars panics")
    return pl.from_arrow(table)


def _in_chunks(table: pa.Table) -> pa.Table:
    """The same in two pieces, whose dictionaries list what is in them."""
    half = table.num_rows // 2
    pieces = [table.slice(0, half), table.slice(half)]
    for place, part in enumerate(table.schema):
        if pa.types.is_dictionary(part.type) and not part.type.ordered:
            pieces = [
                piece.set_column(
                    place, part, piece[part.name].cast(part.type.value_type).cast(part.type)
                )
                for piece in pieces
            ]
    return pa.concat_tables(pieces)


def _write(table: pa.Table, path: Path) -> None:
    if path.suffix == ".csv":
        csv.write_csv(table, path)
    elif path.suffix == ".duckdb":
        with duckdb.connect(str(path)) as connection:
            connection.register("given", table)
            connection.execute("create table original as select * from given")
            names = connection.sql("select * from original").columns
            if names != table.column_names:
                raise ValueError("DuckDB changed the names of the columns")
    else:
        types = {pa.float64(): "REAL", pa.string(): "TEXT"}
        columns = ", ".join(
            f'"{part.name.replace(chr(34), chr(34) * 2)}" {types.get(part.type, "INTEGER")}'
            for part in table.schema
        )
        marks = ", ".join("?" * table.num_columns)
        with contextlib.closing(sqlite3.connect(path)) as connection, connection:
            connection.execute(f"create table original ({columns})")
            rows = zip(*(column.to_pylist() for column in table.columns), strict=True)
            connection.executemany(f"insert into original values ({marks})", rows)


# -- reading ----------------------------------------------------------------------------------


def read(path: Path) -> pd.DataFrame:
    """The cells of a file, of a folder, or of the table "released" of a database."""
    if path.suffix == ".csv":
        return read_as_text(path).astype(object)
    if path.suffix == ".sqlite":
        with contextlib.closing(sqlite3.connect(path)) as connection:
            found = connection.execute("select * from released")
            names = [column[0] for column in found.description]
            rows = found.fetchall()
        columns = list(zip(*rows, strict=True)) or [()] * len(names)
        return _frame({name: list(column) for name, column in zip(names, columns, strict=True)})
    if path.suffix == ".duckdb":
        with duckdb.connect(str(path), read_only=True) as connection:
            return cells_of(connection.sql("select * from released").to_arrow_table())
    if path.suffix == ".arrow":
        return cells_of(feather.read_table(path))
    if path.is_dir():
        parts = [parquet.read_table(part) for part in sorted(path.glob("*.parquet"))]
        return cells_of(pa.concat_tables(parts, promote_options="permissive"))
    return cells_of(parquet.read_table(path))


def as_arrow(data: Any) -> pa.Table:
    """A data frame of any library as pyarrow has it."""
    if isinstance(data, pd.DataFrame):
        return pa.Table.from_pandas(data, preserve_index=False)
    return data.to_arrow() if isinstance(data, pl.DataFrame) else data


def cells_of(table: pa.Table) -> pd.DataFrame:
    """Values as plain Python objects; dates and times as nanoseconds."""
    return _frame({name: _cells(table[name]) for name in table.column_names})


def _frame(columns: dict[str, list[Any]]) -> pd.DataFrame:
    return pd.DataFrame({name: pd.Series(cells, dtype=object) for name, cells in columns.items()})


def _cells(column: pa.ChunkedArray) -> list[Any]:
    if pa.types.is_dictionary(column.type):
        if pa.types.is_string_view(column.type.value_type):  # Arrow takes nothing from these
            return column.to_pylist()
        parts = [chunk.dictionary_decode() for chunk in column.chunks]
        column = pa.chunked_array(parts, column.type.value_type)
    kind = column.type
    if pa.types.is_float16(kind) or pa.types.is_float32(kind):
        column = column.cast(pa.float64())
    if not pa.types.is_temporal(kind) or pa.types.is_interval(kind):
        return [_flat(value) for value in column.to_pylist()]
    narrow = pa.types.is_date32(kind) or pa.types.is_time32(kind)
    ticks = column.cast(pa.int32() if narrow else pa.int64()).to_pylist()
    length = DAY if pa.types.is_date32(kind) else TICKS[getattr(kind, "unit", "ms")]
    return [None if tick is None else tick * length for tick in ticks]


def _flat(value: Any) -> Any:
    """A list or a record as something that can be counted; uuids are released as text."""
    if isinstance(value, uuid.UUID):
        return str(value)
    if isinstance(value, dict):
        return tuple((name, _flat(value[name])) for name in sorted(value))
    return tuple(map(_flat, value)) if isinstance(value, list | tuple) else value


def tick_of(kind: pa.DataType) -> int:
    """The nanoseconds that a type can tell apart; Covey leaves out what is below 1,000."""
    return DAY if pa.types.is_date(kind) else max(TICKS[kind.unit], 2 * TICKS["us"])
