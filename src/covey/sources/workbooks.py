"""Excel workbooks: reading."""

from __future__ import annotations

import datetime as dt
import warnings
from collections.abc import Iterable
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

from covey.errors import CoveyError, SchemaError
from covey.sources.contents import MISSING_WORDS, FileContents, require_header
from covey.sources.packages import EXCEL
from covey.sources.problems import FileProblem, quoted
from covey.sources.workbook_limits import MOST_CELLS, MOST_ROWS, BoundedArchive, too_many_cells

MIDNIGHT = dt.time()


class Sheet(NamedTuple):
    """The cells of a sheet, and which one it is."""

    rows: list[tuple[Any, ...]]
    title: str
    sheets: int


def read_xlsx(path: Path) -> FileContents:
    """Read the first sheet of a workbook; its first row has the names of the columns."""
    sheet = _first_sheet(path)
    columns = _trimmed(sheet.rows)
    if not columns:
        raise SchemaError(f"{path} could not be read as Excel: the sheet is empty.")
    names = [_name(column[0], path) for column in columns]
    require_header(names, path)
    return _contents(names, [column[1:] for column in columns], sheet)


def _first_sheet(path: Path) -> Sheet:
    (openpyxl,) = EXCEL.load()
    try:
        with warnings.catch_warnings(), path.open("rb") as file:
            warnings.simplefilter("ignore")  # decoration that openpyxl does not know
            reader = openpyxl.reader.excel.ExcelReader(file, read_only=True, data_only=True)
            reader.archive = archive = BoundedArchive(file, path)
            reader.read()
            archive.expect_rows()
            sheet = reader.wb.worksheets[0]
            sheet.reset_dimensions()  # some programs write a wrong extent
            rows = _bounded(sheet.iter_rows(values_only=True), path)
            return Sheet(rows, sheet.title, len(reader.wb.sheetnames))
    except (PermissionError, MemoryError, CoveyError):
        raise
    except Exception:
        # Damaged archives end in errors of many classes, whose texts may quote cells.
        raise FileProblem(
            f"{path} is not an Excel workbook (.xlsx), or it is damaged or has a password."
        ) from None


def _bounded(rows: Iterable[tuple[Any, ...]], path: Path) -> list[tuple[Any, ...]]:
    """The rows, without empty cells at their ends, as long as they are not too many in all."""
    found: list[tuple[Any, ...]] = []
    widest = cells = 0
    for row in rows:
        cells += len(row)
        if cells > MOST_CELLS:
            raise too_many_cells(path)
        filled = len(row)
        while filled and not _is_filled(row[filled - 1]):
            filled -= 1
        found.append(row[:filled])
        widest = max(widest, filled)
        if len(found) > MOST_ROWS or (filled and len(found) * widest > MOST_CELLS):
            raise too_many_cells(path)
    return found


def _trimmed(rows: list[tuple[Any, ...]]) -> list[list[Any]]:
    """Columns without the empty rows and columns after the last value."""
    while rows and not any(_is_filled(cell) for cell in rows[-1]):
        rows.pop()
    columns = [list(column) for column in zip_longest(*rows)]
    while columns and not any(_is_filled(cell) for cell in columns[-1]):
        columns.pop()
    return columns


def _is_filled(cell: Any) -> bool:
    return cell is not None and cell != ""


def _name(cell: Any, path: Path) -> str:
    if cell is not None and not isinstance(cell, str):
        raise SchemaError(
            f"The first row of {path} looks like data. Give every column a name that is text."
        )
    return cell or ""


def _contents(names: list[str], columns: list[list[Any]], sheet: Sheet) -> FileContents:
    import pyarrow as pa

    read = [_column(cells) for cells in columns]
    mixed = [name for name, column in zip(names, read, strict=True) if column is None]
    arrays = [
        pa.array([_as_text(cell) for cell in cells], pa.string()) if column is None else column
        for cells, column in zip(columns, read, strict=True)
    ]
    notes = []
    if sheet.sheets > 1:
        notes.append(f"The first of {sheet.sheets} sheets was read: {sheet.title!r}.")
    if mixed:
        notes.append(f"Read as text because their cells are of several kinds: {quoted(mixed)}.")
    return FileContents(pa.table(arrays, names=names), "Excel", tuple(notes))


def _column(cells: list[Any]) -> Any:
    """An Arrow array; None if the cells are of several kinds."""
    import pyarrow as pa

    kinds = {type(cell) for cell in cells if _is_filled(cell)}
    if kinds - {str} and all(cell in MISSING_WORDS for cell in cells if isinstance(cell, str)):
        kinds.discard(str)  # words for a missing value between numbers
    known = [cell if type(cell) in kinds and cell != "" else None for cell in cells]
    try:
        return pa.array(known, _type(kinds, known))
    except (KeyError, OverflowError, pa.ArrowInvalid):
        return None


def _type(kinds: set[type], cells: list[Any]) -> Any:
    import pyarrow as pa

    if kinds == {int, float}:
        return pa.float64()
    if kinds == {dt.datetime}:
        days = all(cell is None or cell.time() == MIDNIGHT for cell in cells)
        return pa.date32() if days else pa.timestamp("ms")
    if len(kinds) > 1:
        raise KeyError
    types: dict[type | None, Any] = {
        None: pa.null(),
        int: pa.int64(),
        float: pa.float64(),
        bool: pa.bool_(),
        str: pa.string(),
        dt.time: pa.time32("ms"),
    }
    return types[next(iter(kinds), None)]


def _as_text(cell: Any) -> str | None:
    if not _is_filled(cell):
        return None
    if isinstance(cell, bool):
        return str(cell).lower()
    return cell.isoformat() if hasattr(cell, "isoformat") else str(cell)
