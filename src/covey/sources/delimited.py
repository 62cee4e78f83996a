"""Text files with separated columns: CSV and TSV."""

from __future__ import annotations

import csv as text_csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from covey.errors import SchemaError
from covey.sources import dates, numerals
from covey.sources.contents import MISSING_WORDS, FileContents, require_header
from covey.sources.dialects import DELIMITERS, Dialect, find_dialect
from covey.sources.encodings import HINT, find_encoding, given_encoding
from covey.sources.kinds import Kind, plain_table
from covey.sources.problems import FileProblem, quoted

BLOCK = 1 << 23


def read_csv(path: Path, encoding: str | None = None) -> FileContents:
    """Read a file whose delimiter is to be found, and its encoding unless it is given."""
    return _read(path, "CSV", None, encoding)


def read_tsv(path: Path, encoding: str | None = None) -> FileContents:
    """Read a file whose columns are separated by tabs."""
    return _read(path, "TSV", "\t", encoding)


def _read(path: Path, format: str, delimiter: str | None, encoding: str | None) -> FileContents:
    codec = find_encoding(path) if encoding is None else given_encoding(path, encoding)
    try:
        dialect = find_dialect(path, codec, delimiter)._replace(given=encoding is not None)
        _require_closed_quotes(path, dialect)
        table = _inferred(path, dialect)
        require_header(table.column_names, path)
        if len(set(table.column_names)) < table.num_columns or table.num_rows == 0:
            return FileContents(table, format)  # refused by whoever asked, as in any format
        return _settled(path, dialect, table, format)
    except UnicodeError:
        raise FileProblem(f"The encoding of {path} was not recognised. {HINT}") from None


def _settled(path: Path, dialect: Dialect, table: Any, format: str) -> FileContents:
    """The table after a second look at the columns that were too hastily read."""
    signs = _signs(path, dialect, table)
    commas, unclear = _decimal_commas(table, dialect)
    grouped = signs.grouped if dialect.delimiter != "," else frozenset()
    table = _as_texts(path, dialect, table, signs.codes | grouped)
    for name in commas:
        table = _replaced(table, name, numerals.from_decimal_comma(table[name]))
    table, date_notes = _with_dates(table)
    notes = (
        *_dialect_notes(dialect),
        *(["Decimal comma."] if commas else []),
        *_text_notes(signs.codes, "to keep every digit"),
        *_text_notes(
            (grouped - signs.codes) | unclear,
            "because their numbers may have decimals or separated thousands",
        ),
        *date_notes,
    )
    return FileContents(_empty_as_missing(table), format, notes)


def _inferred(path: Path, dialect: Dialect) -> Any:
    import pyarrow as pa
    from pyarrow import csv

    try:
        return csv.read_csv(str(path), **_options(dialect))
    except pa.ArrowInvalid:
        # Arrow's own message quotes the line: a message must not show data.
        raise SchemaError(f"{path} could not be read as CSV: {_fault(path, dialect)}.") from None


def _options(dialect: Dialect, texts: tuple[str, ...] = ()) -> dict[str, Any]:
    """Options for Arrow; with `texts` only these columns are read, as text."""
    import pyarrow as pa
    from pyarrow import csv

    encoding = "utf8" if dialect.encoding in ("utf-8", "utf-8-sig") else dialect.encoding
    return {
        "read_options": csv.ReadOptions(
            block_size=BLOCK, encoding=encoding, skip_rows=dialect.skipped
        ),
        "parse_options": csv.ParseOptions(
            delimiter=dialect.delimiter,
            newlines_in_values=True,
            # In a file of one column a blank line is a record whose value is missing.
            ignore_empty_lines=dialect.columns > 1,
        ),
        "convert_options": csv.ConvertOptions(
            null_values=MISSING_WORDS,
            true_values=["true", "True", "TRUE"],
            false_values=["false", "False", "FALSE"],
            include_columns=list(texts),
            column_types=dict.fromkeys(texts, pa.string()),
        ),
    }


def _signs(path: Path, dialect: Dialect, table: Any) -> numerals.Signs:
    """What the columns of numbers look like as text; read in pieces to spare memory."""
    import pyarrow.types as types
    from pyarrow import csv

    fields = [field for field in table.schema if types.is_primitive(field.type)]
    fractional = frozenset(field.name for field in fields if types.is_floating(field.type))
    whole = [field.name for field in fields if types.is_integer(field.type)]
    if not fractional and not whole:
        return numerals.Signs(frozenset(), frozenset())
    with csv.open_csv(str(path), **_options(dialect, (*sorted(fractional), *whole))) as batches:
        return numerals.read_signs(batches, fractional)


def _decimal_commas(table: Any, dialect: Dialect) -> tuple[list[str], frozenset[str]]:
    """Columns with a decimal comma, and those where the comma may separate thousands.

    A column of the second kind is believed to have decimals if another column surely has.
    """
    import pyarrow.types as types

    if dialect.delimiter == ",":
        return [], frozenset()
    texts = [field.name for field in table.schema if types.is_string(field.type)]
    numbers = [name for name in texts if numerals.has_decimal_comma(table[name])]
    unclear = frozenset(name for name in numbers if numerals.may_be_grouped(table[name]))
    if len(unclear) < len(numbers):
        return numbers, frozenset()
    return [], unclear


def _with_dates(table: Any) -> tuple[Any, list[str]]:
    """The table with days such as 31.12.1970 as dates, and notes on what was made of them."""
    import pyarrow.types as types

    found: dict[dates.Reading, list[str]] = {}
    for field in table.schema:
        if types.is_string(field.type):
            reading, column = dates.read_dates(table[field.name])
            table = _replaced(table, field.name, column)
            found.setdefault(reading, []).append(field.name)
    return table, [
        reading.value.format(quoted(sorted(found[reading])))
        for reading in dates.Reading
        if reading in found and reading.value
    ]


def _as_texts(path: Path, dialect: Dialect, table: Any, names: frozenset[str]) -> Any:
    from pyarrow import csv

    if not names:
        return table
    texts = csv.read_csv(str(path), **_options(dialect, tuple(sorted(names))))
    for name in names:
        table = _replaced(table, name, texts[name])
    return table


def _empty_as_missing(table: Any) -> Any:
    import pyarrow as pa
    import pyarrow.compute as pc

    for field in table.schema:
        if pa.types.is_string(field.type):
            texts = table[field.name]
            known = pc.if_else(pc.equal(texts, ""), pa.scalar(None, pa.string()), texts)
            table = _replaced(table, field.name, known)
    return table


def _replaced(table: Any, name: str, column: Any) -> Any:
    return table.set_column(table.column_names.index(name), name, column)


def _dialect_notes(dialect: Dialect) -> Iterator[str]:
    if dialect.columns > 1:
        yield f"Columns are separated by {DELIMITERS[dialect.delimiter]}."
    if dialect.encoding == "utf-8-sig":
        yield "Encoding: UTF-8 with a byte order mark."
    elif dialect.encoding.startswith("utf-") and dialect.encoding != "utf-8":
        yield f"Encoding: {dialect.encoding.upper()}."
    elif dialect.given:
        yield f"Encoding: {dialect.encoding}, as you said."
    elif dialect.encoding != "utf-8":
        yield f"Encoding: {dialect.encoding}, recognised by its letters; look at the accents."


def _text_notes(names: frozenset[str], reason: str) -> Iterator[str]:
    if names:
        yield f"Read as text {reason}: {quoted(sorted(names))}."


def _require_closed_quotes(path: Path, dialect: Dialect) -> None:
    """Refuse a quotation mark that is never closed: it would swallow the records after it."""
    with path.open(encoding=dialect.encoding, newline="") as file:
        marks = sum(block.count('"') for block in iter(lambda: file.read(BLOCK), ""))
    if marks % 2 and (fault := _open_quote(path, dialect)):
        raise SchemaError(f"{path} could not be read as CSV: {fault}.")


def _open_quote(path: Path, dialect: Dialect) -> str | None:
    line = 1
    with path.open(encoding=dialect.encoding, newline="") as file:
        reader = text_csv.reader(file, delimiter=dialect.delimiter, strict=True)
        try:
            for _ in reader:
                line = reader.line_num + 1
        except text_csv.Error as error:
            if "unexpected end" in str(error) or "field limit" in str(error):
                return f"a quotation mark in the record at line {line} is never closed"
    return None


def _fault(path: Path, dialect: Dialect) -> str:
    """What is wrong with the lines, without showing any."""
    line = 1
    with path.open(encoding=dialect.encoding, newline="") as file:
        reader = text_csv.reader(file, delimiter=dialect.delimiter)
        try:
            for row in reader:
                if row and len(row) != dialect.columns and line > dialect.skipped:
                    fields = f"{len(row)} field{'s' if len(row) > 1 else ''}"
                    return f"line {line} has {fields} where the header has {dialect.columns}"
                line = reader.line_num + 1
        except text_csv.Error:
            return f"a quotation mark in the record at line {line} is never closed"
    return "its lines do not fit its header"


def write_csv(table: Any, temporary: str) -> None:
    """Write UTF-8 with commas; a missing value is an empty cell."""
    _write(table, temporary, "CSV", ",")


def write_tsv(table: Any, temporary: str) -> None:
    """Write UTF-8 with tabs; a missing value is an empty cell."""
    _write(table, temporary, "TSV", "\t")


def _write(table: Any, temporary: str, format: str, delimiter: str) -> None:
    from pyarrow import csv

    plain = plain_table(table, format, {Kind.TIME: _whole_seconds, Kind.DATE: _days})
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
