"""Types of DuckDB as Arrow types fill them."""

from __future__ import annotations

from typing import Any

from covey.sources.databases.types import Target
from covey.sources.kinds import Kind

INTEGERS = ("tinyint", "smallint", "integer", "bigint", "utinyint", "usmallint", "uinteger")
FAMILIES = {Kind.WHOLE: INTEGERS}


def remembered(declared: str) -> str | None:
    """The declared type where Arrow's may change; never one that lists values."""
    return f"DuckDB:{declared}" if declared.lower() in INTEGERS else None


def without_place(type: Any) -> Any:
    """Instants in UTC, wherever the machine is."""
    import pyarrow as pa

    zoned = pa.types.is_timestamp(type) and type.tz
    return pa.timestamp(type.unit, "UTC") if zoned else type


def target(type: Any) -> Target | None:
    import pyarrow as pa

    t = pa.types
    if t.is_null(type):
        return Target("VARCHAR", pa.string())
    if t.is_decimal(type):
        fits = type.precision <= 38
        return Target(f"DECIMAL({type.precision}, {type.scale})", type) if fits else None
    if t.is_timestamp(type):
        return Target("TIMESTAMPTZ", pa.timestamp("us", "UTC")) if type.tz else _instant(type)
    if t.is_date(type):
        return Target("DATE", pa.date32())
    if t.is_time(type):
        return Target("TIME", pa.time64("us"))
    if t.is_string(type) or t.is_large_string(type):
        return Target("VARCHAR", type)
    return Target(_NAMES[str(type)], type) if str(type) in _NAMES else None


def _instant(type: Any) -> Target:
    import pyarrow as pa

    if type.unit == "ns":
        return Target("TIMESTAMP_NS", type)
    return Target("TIMESTAMP", pa.timestamp("us"))


_NAMES = {
    "bool": "BOOLEAN",
    "int8": "TINYINT",
    "int16": "SMALLINT",
    "int32": "INTEGER",
    "int64": "BIGINT",
    "uint8": "UTINYINT",
    "uint16": "USMALLINT",
    "uint32": "UINTEGER",
    "uint64": "UBIGINT",
    "float": "REAL",
    "double": "DOUBLE",
    "binary": "BLOB",
}


def arrow_of(declared: str) -> Any:
    import pyarrow as pa

    for name, sql in _NAMES.items():
        if sql == declared.upper():
            return pa.type_for_alias(name)
    return None
