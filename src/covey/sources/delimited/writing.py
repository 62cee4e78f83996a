"""Text files with separated columns: writing them."""

from __future__ import annotations

from typing import Any

from covey.sources.contents import refuse_names
from covey.sources.kinds import Kind, plain_table


def write_csv(table: Any, temporary: str) -> None:
    """Write UTF-8 with commas; a missing value is an empty cell."""
    _write(table, temporary, "CSV", ",")


def write_tsv(table: Any, temporary: str) -> None:
    """Write UTF-8 with tabs; a missing value is an empty cell."""
    _write(table, temporary, "TSV", "\t")


def _write(table: Any, temporary: str, format: str, delimiter: str) -> None:
    from pyarrow import csv

    refuse_names(table.column_names, format)
    plain = plain_table(table, format, CHANGES)
    if plain.num_columns == 1:
        plain = _without_blank_lines(plain)
    csv.write_csv(plain, temporary, csv.WriteOptions(delimiter=delimiter))


def _without_blank_lines(table: Any) -> Any:
    """A missing value in the only column as empty quotes: readers pass over blank lines."""
    import pyarrow as pa

    column = table[0]
    if column.null_count == 0:
        return table
    return pa.table({table.column_names[0]: column.cast(pa.string()).fill_null("")})


def _whole_seconds(times: Any) -> Any:
    """Times without an empty fraction, which would be read as text."""
    import pyarrow as pa

    try:
        return times.cast(pa.time32("s"))
    except pa.ArrowInvalid:
        return times


def _days(dates: Any) -> Any:
    import pyarrow as pa

    return dates.cast(pa.date32())


def _without_nan(numbers: Any) -> Any:
    """NaN is a missing value; as a word it would make the column text for other programs."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if not pa.types.is_floating(numbers.type):
        return numbers
    missing = pc.is_nan(numbers.cast(pa.float32()))
    return pc.if_else(missing, pa.scalar(None, numbers.type), numbers)


CHANGES = {Kind.TIME: _whole_seconds, Kind.DATE: _days, Kind.NUMBER: _without_nan}
