"""The type of a column of text that is seen piece by piece, as if Arrow had seen all of it."""

from __future__ import annotations

from typing import Any


def types_of(texts: Any, options: dict[str, Any]) -> dict[str, Any]:
    """The types that Arrow finds in a batch of texts; `options` are those of reading."""
    import pyarrow as pa
    from pyarrow import csv

    sink = pa.BufferOutputStream()
    csv.write_csv(texts, sink)
    plain = {**options, "parse_options": csv.ParseOptions(newlines_in_values=True)}
    plain["read_options"] = csv.ReadOptions(block_size=max(2 * sink.tell(), 1))
    found = csv.read_csv(pa.BufferReader(sink.getvalue()), **plain).schema
    return {field.name: field.type for field in found}


def wider(one: Any, other: Any) -> Any:
    """The type of a column with parts of these types: the first that Arrow would find for both."""
    import pyarrow as pa

    if one == other or pa.types.is_null(other):
        return one
    if pa.types.is_null(one):
        return other
    for family in _families():
        if one in family and other in family:
            return family[max(family.index(one), family.index(other))]
    return pa.string()


def _families() -> tuple[list[Any], ...]:
    """Types each of which can hold what those before it hold."""
    import pyarrow as pa

    return (
        [pa.int64(), pa.float64()],
        [pa.date32(), pa.timestamp("s"), pa.timestamp("ns")],
        [pa.timestamp("s", "UTC"), pa.timestamp("ns", "UTC")],
    )
