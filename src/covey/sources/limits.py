"""What a format cannot hold; a message names columns, never values."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from covey.errors import SchemaError
from covey.sources.kinds import Kind, kind_of
from covey.sources.problems import quoted


def refuse_columns(
    table: Any, kinds: Iterable[Kind], is_unfit: Callable[[Any], bool], reason: str
) -> None:
    """Raise if a column of one of the kinds has a value that is unfit."""
    wanted = set(kinds)
    names = [
        name
        for name, column in zip(table.column_names, table.columns, strict=True)
        if kind_of(column.type) in wanted and is_unfit(column)
    ]
    if names:
        raise SchemaError(f"{reason}. Leave out or change {quoted(names)}, or write Parquet.")


def refuse_fine_times(table: Any, format: str) -> None:
    """Raise if a time has parts that are finer than a millisecond."""
    refuse_columns(
        table,
        [Kind.INSTANT, Kind.TIME],
        is_finer_than_milliseconds,
        f"{format} cannot hold times finer than a millisecond",
    )


def is_finer_than_milliseconds(column: Any) -> bool:
    import pyarrow as pa

    try:
        in_milliseconds(column)
    except pa.ArrowInvalid:
        return True
    return False


def in_milliseconds(column: Any) -> Any:
    """Timestamps or times of day in milliseconds; Arrow refuses to lose a part."""
    import pyarrow as pa

    instant = kind_of(column.type) is Kind.INSTANT
    return column.cast(pa.timestamp("ms") if instant else pa.time32("ms"))


def is_beyond(column: Any, limit: float) -> bool:
    """Whether a number is farther from zero than `limit`; NaN, a missing value, is not."""
    import pyarrow.compute as pc

    least_most = pc.min_max(pc.drop_null(column)).as_py()
    bounds = [bound for bound in least_most.values() if bound is not None]
    return any(abs(bound) > limit for bound in bounds)


def has_infinite(column: Any) -> bool:
    import pyarrow as pa
    import pyarrow.compute as pc

    return bool(pc.any(pc.is_inf(column.cast(pa.float64()))).as_py())


def has_match(column: Any, pattern: str) -> bool:
    """Whether a text, or the text of a label, matches the pattern."""
    import pyarrow as pa
    import pyarrow.compute as pc

    return bool(pc.any(pc.match_substring_regex(column.cast(pa.string()), pattern)).as_py())


def longest(column: Any, *, in_bytes: bool = True) -> int:
    """Length of the longest text."""
    import pyarrow as pa
    import pyarrow.compute as pc

    measure = pc.binary_length if in_bytes else pc.utf8_length
    return int(pc.max(measure(column.cast(pa.string()))).as_py() or 0)


def is_before(column: Any, day: Any) -> bool:
    """Whether a date or timestamp is before a day."""
    import pyarrow as pa
    import pyarrow.compute as pc

    seconds = column.cast(pa.timestamp("s"), safe=False)
    start = pa.scalar(day, pa.date32()).cast(pa.timestamp("s"))
    return bool(pc.any(pc.less(seconds, start)).as_py())
