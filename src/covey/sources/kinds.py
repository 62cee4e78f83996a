"""What a column holds, whatever Arrow type holds it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum
from typing import Any

from covey.errors import SchemaError
from covey.sources.problems import quoted


class Kind(Enum):
    """The kinds of column that a file format may or may not hold."""

    NUMBER = "numbers"
    WHOLE = "whole numbers"
    TEXT = "text"
    TRUTH = "true or false"
    DATE = "dates"
    INSTANT = "dates with a time"
    ZONED = "dates with a time and a time zone"
    TIME = "times of day"
    LABELS = "labels"
    EMPTY = "nothing"
    OTHER = "values of another kind"


def kind_of(type: Any) -> Kind:
    """Kind of an Arrow type."""
    import pyarrow.types as types

    if types.is_timestamp(type):
        return Kind.ZONED if type.tz else Kind.INSTANT
    if types.is_dictionary(type):
        return Kind.LABELS if kind_of(type.value_type) in SIMPLE else Kind.OTHER
    questions: tuple[tuple[Callable[[Any], bool], Kind], ...] = (
        (types.is_integer, Kind.WHOLE),
        (types.is_floating, Kind.NUMBER),
        (types.is_decimal, Kind.NUMBER),
        (types.is_string, Kind.TEXT),
        (types.is_large_string, Kind.TEXT),
        (types.is_boolean, Kind.TRUTH),
        (types.is_date, Kind.DATE),
        (types.is_time, Kind.TIME),
        (types.is_null, Kind.EMPTY),
    )
    view = getattr(types, "is_string_view", None)  # newer than the oldest Arrow supported
    if view is not None and view(type):
        return Kind.TEXT
    return next((kind for is_it, kind in questions if is_it(type)), Kind.OTHER)


SIMPLE = (Kind.TEXT, Kind.NUMBER, Kind.WHOLE, Kind.TRUTH, Kind.EMPTY)


def refuse_kinds(table: Any, format: str, kinds: Iterable[Kind]) -> None:
    """Raise if a column is of a kind that the format cannot hold."""
    for kind in kinds:
        names = [field.name for field in table.schema if kind_of(field.type) is kind]
        if names:
            raise SchemaError(
                f"{format} cannot hold {kind.value}. Leave out or convert {quoted(names)}, "
                "or write Parquet."
            )


def plain_table(table: Any, format: str, changes: dict[Kind, Callable[[Any], Any]]) -> Any:
    """The table with labels as text, for formats that have none; `changes` convert a kind."""
    import pyarrow as pa

    refuse_kinds(table, format, [Kind.OTHER])
    columns = []
    for column in table.columns:
        kind = kind_of(column.type)
        column = changes.get(kind, _unchanged)(column)
        columns.append(column.cast(pa.string()) if kind in (Kind.LABELS, Kind.TEXT) else column)
    return pa.table(columns, names=table.column_names)


def _unchanged(column: Any) -> Any:
    return column


def settled(table: Any) -> Any:
    """The same table in one piece, nothing beneath its missing values: equal tables, equal bytes.

    Chunks, slices and leftovers under a missing value differ between equal tables and would
    show in a file.
    """
    import numpy as np
    import pyarrow as pa

    whole = table.unify_dictionaries().combine_chunks()
    return whole.take(pa.array(np.arange(whole.num_rows)))
