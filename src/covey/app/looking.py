"""Looking at a file that was given: its columns, first records, and distributions."""

from __future__ import annotations

from typing import Any

from covey.app.choices import Choices
from covey.app.results import MOST_LEVELS, Opened, SeenColumn, Upload
from covey.progress import Stage
from covey.release.describing.sketches import sketches
from covey.release.inspecting import inspection_of
from covey.release.prepared import open_original
from covey.sources.asking import Reading
from covey.sources.opening import open_source
from covey.sources.source import Source
from covey.tables.inspecting import Inspected
from covey.types import Progress

ROWS_SHOWN = 50
LONGEST_TEXT = 200


def source_of(upload: Upload, reading: Reading) -> Source:
    """What was handed in; a database may come from anybody, and reads nothing beside itself."""
    return open_source(str(upload.path), reading, confined=True)


def look_at(upload: Upload, reading: Reading, progress: Progress) -> Opened:
    """What is in a file; of a database with several tables, their names until one is chosen."""
    source = source_of(upload, reading)
    tables = source.table_names()
    if source.has_tables and reading.table is None and reading.query is None:
        if len(tables) != 1:
            return Opened(upload, reading, source.format, tables=tables)
        reading = reading._replace(table=tables[0])
    original = open_original(source_of(upload, reading), progress)
    progress(Stage.INSPECTING, 0, 1)
    inspection = inspection_of(original, reading)
    return Opened(
        upload,
        reading,
        source.format,
        n_records=original.n_records,
        columns=_seen(original.table, inspection.columns),
        notes=original.notes,
        rows=_rows(original.table),
        tables=tables,
        guesses=Choices.guessed(inspection),
    )


def _seen(table: Any, columns: tuple[Inspected, ...]) -> tuple[SeenColumn, ...]:
    drawn = sketches(table)
    return tuple(
        SeenColumn(*column, drawn.get(column.name), *_values(table[column.name], column))
        for column in columns
    )


def _values(column: Any, seen: Inspected) -> tuple[tuple[str, ...], int | None]:
    """Its categories, to be put in order, and how often the rarest value occurs.

    Nothing where there are too many, or where values are lists or have parts of their own.
    Missing is a value when records are counted.
    """
    import pyarrow as pa

    if seen.distinct > MOST_LEVELS or pa.types.is_nested(column.type):
        return (), None
    counted = [(part["values"].as_py(), part["counts"].as_py()) for part in column.value_counts()]
    smallest = min((count for _, count in counted), default=None)
    if seen.kind not in ("nominal", "ordinal"):
        return (), smallest
    return tuple(sorted(str(value) for value, _ in counted if value is not None)), smallest


def _rows(table: Any) -> tuple[tuple[str | None, ...], ...]:
    shown = table.slice(0, ROWS_SHOWN)
    columns = [[_text(value) for value in column.to_pylist()] for column in shown.columns]
    return tuple(zip(*columns, strict=True))


def _text(value: Any) -> str | None:
    return None if value is None else str(value)[:LONGEST_TEXT]
