"""Records whose columns have types that parts of a table can share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from covey.errors import SchemaError
from covey.sources.source import Records
from covey.tables.storage import Unusable, plain_type, require_usable, stored, unusable


def with_shared_types(
    records: Records, dropped: Iterable[str] = (), *, emptied: bool = True
) -> Records:
    """The same records; their categories can be numbered together, however many parts have some.

    A part may number its categories with a byte, which would not do for those of all parts. Columns
    that are `dropped` may hold anything: they are `emptied`, or only where they cannot be stored.
    """
    import pyarrow as pa

    unused = set(dropped)
    require_usable(records.schema, unused)
    empty = {
        part.name for part in records.schema if part.name in unused and _is_empty(part, emptied)
    }
    fields = [
        pa.field(part.name, pa.null()) if part.name in empty else part.with_type(_shared(part))
        for part in records.schema
    ]
    schema = pa.schema(fields)

    def scan(size: int, limit: int | None = None) -> Iterator[Any]:
        for batch in records.scan(size, limit):
            columns = [
                _stored_or_empty(column, part) if part.name in unused else _stored(column, part)
                for column, part in zip(batch, schema, strict=True)
            ]
            yield pa.record_batch(columns, schema=schema)

    return records._replace(schema=schema, scan=scan)


def _is_empty(part: Any, emptied: bool) -> bool:
    """Whether nothing of a column that is dropped is stored."""
    try:
        plain_type(part.type)
    except Unusable:
        return True
    return emptied


def _stored_or_empty(column: Any, part: Any) -> Any:
    import pyarrow as pa

    if pa.types.is_null(part.type):
        return pa.nulls(len(column))
    try:
        return _stored(column, part)
    except SchemaError:
        return pa.nulls(len(column), part.type)


def _shared(part: Any) -> Any:
    import pyarrow as pa

    try:
        type = plain_type(part.type)
    except Unusable as reason:
        raise unusable(part.name, str(reason)) from None
    if pa.types.is_dictionary(type):
        return pa.dictionary(pa.int32(), type.value_type, type.ordered)
    return type


def _stored(column: Any, part: Any) -> Any:
    import pyarrow as pa

    try:
        column = stored(column)
    except Unusable as reason:
        raise unusable(part.name, str(reason)) from None
    if column.type == part.type:
        return column
    return pa.DictionaryArray.from_arrays(
        column.indices.cast(part.type.index_type), column.dictionary, ordered=part.type.ordered
    )
