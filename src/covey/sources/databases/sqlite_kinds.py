"""What a column of SQLite holds: types belong to values there, declarations are wishes."""

from __future__ import annotations

import datetime as dt
from typing import Any, NamedTuple

from covey.errors import SchemaError
from covey.sources.databases.types import Target
from covey.sources.kinds import Kind

NUMBERS = ("INT", "REAL", "FLOA", "DOUB", "NUM", "DEC")
TEXTS = ("CHAR", "CLOB", "TEXT")
# How declared types that are kept begin.
TEXT_TYPES = ("char", "varchar", "nvarchar", "nchar", "clob", "text", "string")
WHOLE_TYPES = ("int", "tinyint", "smallint", "mediumint", "bigint", "numeric", "decimal")
FAMILIES = {
    Kind.TEXT: TEXT_TYPES,
    Kind.WHOLE: WHOLE_TYPES,
    Kind.NUMBER: ("real", "double", "float"),
}


class Counts(NamedTuple):
    """How many values are of which type; `odd` whole numbers are neither 0 nor 1."""

    whole: int
    real: int
    text: int
    blob: int
    odd: int

    @property
    def known(self) -> int:
        return self.whole + self.real + self.text + self.blob


def counting(reference: str) -> list[str]:
    """The sums that make `Counts`."""
    kinds = [f"typeof({reference}) = '{type}'" for type in ("integer", "real", "text", "blob")]
    odd = f"typeof({reference}) = 'integer' and {reference} not in (0, 1)"
    return [f"total({condition})" for condition in (*kinds, odd)]


def arrow_type(name: str, declared: str, counts: Counts) -> Any:
    """The Arrow type of a column; raises if its values contradict the declaration."""
    import pyarrow as pa

    wish = declared.upper()
    if counts.blob and counts.blob < counts.known:
        raise SchemaError(
            f"{name!r} holds binary values beside others: {counts.blob} of {counts.known}. "
            "Correct or empty these."
        )
    if counts.blob:
        return pa.binary()
    if any(word in wish for word in NUMBERS):
        return _number(name, declared, counts)
    if "BOOL" in wish:
        return _truth(name, declared, counts)
    only_text = counts.known == counts.text
    if only_text and wish.startswith(("DATE", "TIME")):
        return _moment(wish)
    if any(word in wish for word in TEXTS):
        return pa.string()
    return _found(counts)


def _number(name: str, declared: str, counts: Counts) -> Any:
    import pyarrow as pa

    if counts.text:
        raise SchemaError(
            f"{name!r} is declared {declared}, but {counts.text} of {counts.known} values are "
            "text. Correct or empty these."
        )
    floating = any(word in declared.upper() for word in ("REAL", "FLOA", "DOUB"))
    return pa.float64() if floating or counts.real else pa.int64()


def _truth(name: str, declared: str, counts: Counts) -> Any:
    """True or false; numbers that are neither 0 nor 1 stay numbers."""
    import pyarrow as pa

    number = _number(name, declared, counts)
    return number if counts.odd or counts.real else pa.bool_()


def _moment(wish: str) -> Any:
    import pyarrow as pa

    if wish.startswith("DATE") and not wish.startswith("DATETIME"):
        return pa.date32()
    if wish.startswith("TIME") and not wish.startswith("TIMESTAMP"):
        return pa.time64("us")
    return pa.timestamp("us", "UTC" if "TZ" in wish or "ZONE" in wish else None)


def _found(counts: Counts) -> Any:
    """The type of values whose column was declared as nothing that is known."""
    import pyarrow as pa

    if counts.text:
        return pa.string()
    if counts.real:
        return pa.float64()
    return pa.int64() if counts.whole else pa.null()


def selected(reference: str, type: Any) -> str:
    """What is selected, so that all values come as one type."""
    import pyarrow as pa

    if pa.types.is_floating(type):
        return f"cast({reference} as real)"
    if pa.types.is_string(type):
        return f"cast({reference} as text)"
    return reference


def as_array(values: list[Any], field: Any) -> Any:
    """Values as SQLite gives them as an Arrow array."""
    import pyarrow as pa

    type = field.type
    if pa.types.is_boolean(type):
        return pa.array([None if value is None else value == 1 for value in values], type)
    try:
        if pa.types.is_time(type):
            return pa.array([None if text is None else _time(text) for text in values], type)
        if pa.types.is_temporal(type):
            return pa.array(values, pa.string()).cast(type)
        return pa.array(values, type)
    except (pa.ArrowInvalid, ValueError):
        raise SchemaError(
            f"{field.name!r} holds text that is not in the form of its declared type ({type}), "
            "such as 1970-12-31 or 1970-12-31 10:30:00. Correct or empty it."
        ) from None


def _time(text: str) -> dt.time:
    return dt.time.fromisoformat(text)


def as_values(array: Any) -> list[Any]:
    """An Arrow array as values that SQLite takes."""
    import pyarrow as pa

    type = array.type
    if pa.types.is_decimal(type):
        array = array.cast(pa.float64())
    elif pa.types.is_boolean(type):
        array = array.cast(pa.int8())
    elif pa.types.is_temporal(type):
        array = array.cast(pa.string())
    return list(array.to_pylist())


def is_remembered(declared: str) -> bool:
    """Whether a declared type is kept where it still fits."""
    return declared.lower().startswith(tuple(name for names in FAMILIES.values() for name in names))


def target(type: Any) -> Target | None:
    import pyarrow as pa

    t = pa.types
    if t.is_timestamp(type):
        zone = "UTC" if type.tz else None
        return Target("TIMESTAMPTZ" if zone else "TIMESTAMP", pa.timestamp("us", zone))
    if t.is_time(type):
        return Target("TIME", pa.time64("us"))
    if t.is_uint64(type):
        return Target("INTEGER", pa.int64())
    declared = {
        "BOOLEAN": t.is_boolean,
        "INTEGER": t.is_integer,
        "REAL": lambda kind: t.is_floating(kind) or t.is_decimal(kind),
        "TEXT": lambda kind: t.is_string(kind) or t.is_large_string(kind) or t.is_null(kind),
        "DATE": t.is_date,
        "BLOB": t.is_binary,
    }
    for name, is_it in declared.items():
        if is_it(type):
            return Target(name, pa.date32() if name == "DATE" else type)
    return None
