"""Records whose columns have types that parts of a table can share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from covey.sources.source import Records


def with_shared_types(records: Records) -> Records:
    """The same records; their categories can be numbered together, however many parts have some.

    A part may number its categories with a byte, which would not do for those of all parts.
    """
    import pyarrow as pa

    schema = pa.schema([part.with_type(_shared(part.type)) for part in records.schema])
    if schema.equals(records.schema):
        return records

    def scan(size: int) -> Iterator[Any]:
        for batch in records.scan(size):
            columns = [_cast(column, part.type) for column, part in zip(batch, schema, strict=True)]
            yield pa.record_batch(columns, schema=schema)

    return records._replace(schema=schema, scan=scan)


def _shared(type: Any) -> Any:
    import pyarrow as pa

    if pa.types.is_dictionary(type):
        return pa.dictionary(pa.int32(), _shared(type.value_type), type.ordered)
    view = getattr(pa.types, "is_string_view", None)  # newer than the oldest Arrow supported
    return pa.string() if view is not None and view(type) else type


def _cast(column: Any, type: Any) -> Any:
    import pyarrow as pa

    if column.type == type or not pa.types.is_dictionary(type):
        return column if column.type == type else column.cast(type)
    return pa.DictionaryArray.from_arrays(
        column.indices.cast(type.index_type),
        column.dictionary.cast(type.value_type),
        ordered=type.ordered,
    )
