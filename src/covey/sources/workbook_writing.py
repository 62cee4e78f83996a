"""Excel workbooks: writing."""

from __future__ import annotations

import datetime as dt
import io
import re
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from covey.errors import SchemaError
from covey.sources.contents import refuse_names
from covey.sources.kinds import Kind, plain_table, refuse_kinds
from covey.sources.limits import (
    has_infinite,
    has_match,
    is_before,
    is_beyond,
    longest,
    refuse_columns,
    refuse_fine_times,
)
from covey.sources.packages import EXCEL
from covey.sources.problems import quoted

FORMAT = "Excel"
MOST_RECORDS = 1_048_575
MOST_COLUMNS = 16_384
LONGEST_TEXT = 32_767
LARGEST_WHOLE = 10**15 - 1
# Excel takes 1900 for a leap year; its days are right from March on.
FIRST_DAY = dt.date(1900, 3, 1)
CONTROL_SIGNS = r"[\x00-\x08\x0b\x0c\x0e-\x1f]"
UNFIT_TEXT = f"{FORMAT} cannot hold control characters or over {LONGEST_TEXT:,} letters in a cell"
EARLY = f"{FORMAT} cannot hold dates before 1 March 1900"
STAMP = re.compile(rb"(<dcterms:(?:created|modified)[^>]*>)[^<]*")


def write_xlsx(table: Any, temporary: str) -> None:
    """Write one sheet; a missing value is an empty cell, and text is never a formula."""
    _check(table)
    (openpyxl,) = EXCEL.load()
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet("data")
    buffer = io.BytesIO()
    try:
        for row in _rows(table):
            sheet.append([_cell(value, sheet) for value in row])
        book.save(buffer)
    except OverflowError:
        raise SchemaError(f"{FORMAT} cannot hold dates beyond the year 9999.") from None
    except BaseException:
        with suppress(Exception):
            sheet.close()  # it may have been closed already
        raise
    _repack(buffer, temporary)


def _rows(table: Any) -> Iterator[tuple[Any, ...]]:
    plain = plain_table(table, FORMAT, {})
    yield tuple(plain.column_names)
    yield from zip(*(column.to_pylist() for column in plain.columns), strict=True)


def _cell(value: Any, sheet: Any) -> Any:
    """The value, or for a text that Excel would take for a formula or an error, a text cell."""
    if not isinstance(value, str) or not value.startswith(("=", "+", "-", "@", "#")):
        return None if value != value else value
    (openpyxl,) = EXCEL.load()
    cell = openpyxl.cell.WriteOnlyCell(sheet, value)
    cell.data_type = "s"
    cell.quotePrefix = True  # it stays text when somebody edits it
    return cell


def _repack(buffer: io.BytesIO, temporary: str) -> None:
    """Copy the archive without the time of writing: equal tables, equal bytes."""
    with (
        zipfile.ZipFile(buffer) as source,
        zipfile.ZipFile(temporary, "w", zipfile.ZIP_DEFLATED) as target,
    ):
        for name in source.namelist():
            content = source.read(name)
            if name == "docProps/core.xml":
                content = STAMP.sub(rb"\g<1>1980-01-01T00:00:00Z", content)
            entry = zipfile.ZipInfo(name)  # dated 1980-01-01
            entry.compress_type = zipfile.ZIP_DEFLATED
            target.writestr(entry, content)


def _check(table: Any) -> None:
    if table.num_rows > MOST_RECORDS or table.num_columns > MOST_COLUMNS:
        raise SchemaError(
            f"A sheet holds at most {MOST_RECORDS:,} records and {MOST_COLUMNS:,} columns; these "
            f"are {table.num_rows:,} and {table.num_columns:,}. Write CSV or Parquet."
        )
    refuse_kinds(table, FORMAT, [Kind.ZONED, Kind.OTHER])
    refuse_columns(table, [Kind.TEXT, Kind.LABELS], _is_unfit_text, UNFIT_TEXT)
    refuse_columns(table, [Kind.NUMBER], has_infinite, f"{FORMAT} cannot hold infinite numbers")
    refuse_columns(table, [Kind.WHOLE], _is_too_large, f"{FORMAT} cannot hold over 15 digits")
    refuse_columns(table, [Kind.DATE, Kind.INSTANT], _is_too_early, EARLY)
    refuse_fine_times(table, FORMAT)
    _check_names(table.column_names)


def _check_names(names: list[str]) -> None:
    refuse_names(names, FORMAT)
    unfit = [name for name in names if re.search(CONTROL_SIGNS, name) or len(name) > LONGEST_TEXT]
    if unfit:
        raise SchemaError(f"{UNFIT_TEXT}. Rename {quoted(unfit)}.")


def _is_unfit_text(column: Any) -> bool:
    too_long = longest(column, in_bytes=False) > LONGEST_TEXT
    return too_long or has_match(column, CONTROL_SIGNS)


def _is_too_large(column: Any) -> bool:
    return is_beyond(column, LARGEST_WHOLE)


def _is_too_early(column: Any) -> bool:
    return is_before(column, FIRST_DAY)
