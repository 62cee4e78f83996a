"""Which place of records an address, a path or a pattern names."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from covey.errors import InvalidParameter
from covey.sources.asking import Reading
from covey.sources.databases.addresses import is_address, is_remote, require_no_secret
from covey.sources.databases.database import Database
from covey.sources.databases.duckdb_tables import MEMORY, DuckDBTable
from covey.sources.databases.postgres_tables import PostgresTable
from covey.sources.databases.sqlite_tables import SQLiteTable
from covey.sources.file_systems import Location, plain_place
from covey.sources.files_as_sources import FileParts, FileSource
from covey.sources.problems import FileProblem
from covey.sources.remote_files import RemoteFile, RemoteParts
from covey.sources.remote_folders import RemoteFolder
from covey.sources.source import Source

EMBEDDED: dict[str, type[DuckDBTable] | type[SQLiteTable]] = {
    ".duckdb": DuckDBTable,
    ".ddb": DuckDBTable,
    ".sqlite": SQLiteTable,
    ".sqlite3": SQLiteTable,
    ".db": SQLiteTable,
}
MARK_OF_SQLITE = b"SQLite format 3\0"
MARK_OF_DUCKDB = b"DUCK"  # from the ninth byte on


def open_source(
    place: str | Path | Source, reading: Reading | None = None, *, confined: bool = False
) -> Source:
    """The records at a place.

    Parameters
    ----------
    place : str, Path or Source
        A file; a pattern such as ``parts/*.parquet``; a folder of Parquet files; the same on
        another file system (``s3://bucket/folder/``); a DuckDB or SQLite database; the address of a
        PostgreSQL database; ``:memory:`` for a DuckDB query that reads files only.
    reading : Reading, optional
        The table or query of a database and the columns to order by; the encoding of a file.
    confined : bool
        Whether a database reads nothing beside itself: for databases that come from anybody.
    """
    reading = reading or Reading()
    if isinstance(place, Source):
        if reading not in (Reading(), place.reading):
            raise InvalidParameter("A source says itself what is read: give nothing beside it.")
        return place
    require_no_secret(str(place))
    place = plain_place(str(place))
    reading.check()
    database = _database(str(place), reading, confined=confined)
    if database is None:
        reading.refuse_database_options(str(place))
        return _files(str(place), reading.encoding)
    if reading.encoding is not None:
        raise InvalidParameter(f"An encoding is for files; {database.database} is a database.")
    return database


def Table(  # noqa: N802 - it reads as the thing it gives
    place: str | Path,
    table: str | None = None,
    query: str | None = None,
    order_by: str | Sequence[str] = (),
) -> Source:
    """A table or a query of a database.

    Parameters
    ----------
    place : str or Path
        A DuckDB or SQLite file, the address of a PostgreSQL database, or ``:memory:``.
    table, query : str, optional
        One of them.
    order_by : str or list of str, optional
        Columns that put the rows in order; else the primary key, else all columns.
    """
    ordered = (order_by,) if isinstance(order_by, str) else tuple(order_by)
    return open_source(place, Reading(None, table, query, ordered))


def open_target(place: str | Path | Source, table: str | None = None) -> Source:
    """The place that something is written to."""
    if isinstance(place, Source):
        return place
    require_no_secret(str(place))
    place = plain_place(str(place))
    database = _database(place, Reading(table=table))
    if database is None:
        Reading(table=table).refuse_database_options(place)
        return _file_target(place)
    if database.path is not None and not database.path.parent.is_dir():
        raise FileProblem(f"The folder {database.path.parent} does not exist.")
    return database


def is_database(place: str | Path) -> bool:
    """Whether a place is a database, by its address, its ending or what it begins with."""
    if is_remote(str(place)):
        return False
    return is_address(str(place)) or str(place) == MEMORY or _embedded(Path(place)) is not None


def _database(place: str, reading: Reading, *, confined: bool = False) -> Database | None:
    if is_remote(place):
        return None
    if is_address(place):
        return PostgresTable(place, reading)
    kind = DuckDBTable if place == MEMORY else _embedded(Path(place))
    if kind is None:
        return None
    if kind is DuckDBTable:
        return DuckDBTable(place, reading, confined=confined)
    return kind(place, reading)


def _embedded(path: Path) -> type[DuckDBTable] | type[SQLiteTable] | None:
    kind = EMBEDDED.get(path.suffix.lower())
    if kind is None or not path.is_file():
        return kind
    try:
        with path.open("rb") as file:
            start = file.read(16)
    except OSError:
        return kind  # whoever opens it says why it cannot be read
    if start == MARK_OF_SQLITE:
        return SQLiteTable
    return DuckDBTable if start[8:12] == MARK_OF_DUCKDB else kind


def _files(place: str, encoding: str | None) -> Source:
    if is_remote(place):
        location = Location.read(place)
        many = location.is_folder or location.is_pattern
        return RemoteParts(place, encoding) if many else RemoteFile(place, encoding)
    if Path(place).is_dir() or (any(sign in place for sign in "*?[") and not Path(place).exists()):
        return FileParts(place, encoding)
    return FileSource(place, encoding)


def _file_target(place: str) -> Source:
    if not is_remote(place):
        return FileSource(place)
    return RemoteFolder(place) if Location.read(place).is_folder else RemoteFile(place)
