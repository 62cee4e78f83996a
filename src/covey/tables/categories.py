"""Columns of any kind as category codes."""

from __future__ import annotations

from typing import Any

import narwhals as nw
import numpy as np

from covey.errors import SchemaError
from covey.types import IntVector

# One coordinate for each category: a column with more names records, or needs recoding.
MOST_CATEGORIES = 1000


def too_many_categories(name: str) -> SchemaError:
    """A column that has more categories than can be grouped, and what to do."""
    return SchemaError(
        f"{name!r} has more than {MOST_CATEGORIES} categories, which cannot be grouped. If it "
        "names persons, firms or households, name it as an identifier (identifiers= or "
        "--identifiers) to drop it; otherwise put its categories together."
    )


def read_categories(data: Any) -> dict[str, IntVector]:
    """Codes of each column: equal values, missing ones among them, have equal codes."""
    frame = nw.from_native(data, eager_only=True, pass_through=True)
    if isinstance(frame, nw.DataFrame):
        return {name: _codes_of_series(frame[name]) for name in frame.columns}
    table = np.asarray(data, dtype=object)
    columns = table[:, None] if table.ndim == 1 else table
    return {str(j): _codes_of_objects(list(columns[:, j])) for j in range(columns.shape[1])}


def _codes_of_series(column: nw.Series[Any]) -> IntVector:
    import pyarrow as pa

    try:
        return codes_of(column.to_arrow())
    except (pa.ArrowInvalid, pa.ArrowTypeError, UnicodeError):  # several types, or half characters
        return _codes_of_objects(column.to_list())


def codes_of(column: Any) -> IntVector:
    """Codes of a pyarrow column by first appearance; missing is a value like any other."""
    encoded = plain_values(column).dictionary_encode(null_encoding="encode")
    return np.array(encoded.indices.to_numpy(zero_copy_only=False), dtype=np.int64)


def ranks_of(column: Any) -> IntVector:
    """Codes of a pyarrow column in the order of its values; missing comes last."""
    import pyarrow.compute as pc

    encoded = plain_values(column).dictionary_encode(null_encoding="encode")
    order = pc.sort_indices(encoded.dictionary).to_numpy(zero_copy_only=False)
    rank = np.empty(order.size, dtype=np.int64)
    rank[order] = np.arange(order.size)
    return np.asarray(rank[encoded.indices.to_numpy(zero_copy_only=False)])


def in_released_order(table: Any) -> Any:
    """Rows sorted by all released values: nothing is left of the order they came in.

    Rows that are equal stay equal whichever came first.
    """
    order = np.lexsort([ranks_of(table[name]) for name in reversed(table.column_names)])
    return table.take(order)


def plain_values(column: Any) -> Any:
    """A column of single values in one piece; NaN is missing, and −0.0 is 0.0."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if isinstance(column, pa.ChunkedArray):
        column = column.combine_chunks()
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if pa.types.is_null(column.type):
        return column.cast(pa.int8())
    if hasattr(pa.types, "is_string_view") and pa.types.is_string_view(column.type):
        return column.cast(pa.large_string())
    if pa.types.is_nested(column.type):
        return pa.array([repr(value) for value in column.to_pylist()])
    if pa.types.is_floating(column.type):
        column = pc.add(column.cast(pa.float64()), 0.0)
        column = pc.if_else(pc.is_nan(column), pa.scalar(None, column.type), column)
    return column


def with_one_zero(column: Any) -> Any:
    """The same column, in which values that are one stratum are one value.

    These are NaN and null, 0.0 and −0.0; categories that are such numbers become plain ones.
    """
    import pyarrow as pa

    is_listed = pa.types.is_dictionary(column.type)
    kind = column.type.value_type if is_listed else column.type
    return plain_values(column) if pa.types.is_floating(kind) else column


def _codes_of_objects(values: list[Any]) -> IntVector:
    numbers: dict[Any, int] = {}
    # NaN differs from itself; here it is one category.
    keys = (None if value is None or value != value else value for value in values)
    return np.array([numbers.setdefault(key, len(numbers)) for key in keys], dtype=np.int64)
