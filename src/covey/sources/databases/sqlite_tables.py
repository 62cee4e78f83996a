"""SQLite, through the module that comes with Python."""

from __future__ import annotations

import sqlite3
import warnings
from collections.abc import Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, ClassVar

from covey.errors import DisclosureWarning
from covey.sources.asking import Reading, without_end
from covey.sources.databases.columns import Column, Relation, column, reference
from covey.sources.databases.embedded import FileDatabase, FileSession
from covey.sources.databases.names import (
    TableName,
    listed,
    quote,
    require_distinct,
    unused_name,
)
from covey.sources.databases.sqlite_kinds import (
    FAMILIES,
    Counts,
    arrow_type,
    as_array,
    as_values,
    counting,
    is_remembered,
    selected,
    target,
)
from covey.sources.databases.types import cast_batch, targets
from covey.sources.problems import DatabaseProblem

MAIN = "main"
HIDDEN = 1  # a column of a virtual table that SELECT * leaves out
# Five sums for each column, and a result has at most 2,000 columns.
COUNTED_AT_ONCE = 300
DAMAGED = ("database disk image is malformed", "malformed database schema")
WITH_LOG = "wal"
PATIENCE = 5.0  # seconds, while somebody else writes


class SQLiteTable(FileDatabase):
    """A table, a view or a query of an SQLite file."""

    format = "SQLite"
    backend: ClassVar[str] = "SQLite"

    def __init__(self, path: str | Path, reading: Reading) -> None:
        super().__init__(reading, Path(path))
        self._path = Path(path)

    @property
    def database(self) -> str:
        return self._path.name

    @property
    def address(self) -> str:
        return str(self._path)

    def called(self, name: str) -> SQLiteTable:
        return SQLiteTable(name, self.reading)

    def open(self, *, write: bool) -> SQLiteSession:
        return self.open_file(self._path, write=write)

    def open_file(self, path: Path, *, write: bool) -> SQLiteSession:
        return self._connected(path, "rwc" if write else "ro", write=write)

    def reopened(self, path: Path) -> SQLiteSession:
        """Only who may write takes an empty log away again."""
        return self._connected(path, "rw", write=False)

    def _connected(self, path: Path, mode: str, *, write: bool) -> SQLiteSession:
        address = f"{path.resolve().as_uri()}?mode={mode}"
        connection = sqlite3.connect(address, timeout=PATIENCE, uri=True, isolation_level=None)
        try:
            return SQLiteSession(connection, path, write=write)
        except BaseException:
            connection.close()
            raise

    @contextmanager
    def explained(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, sqlite3.Warning) as error:
            raise DatabaseProblem(f"{self.database}: {_reason(str(error))}") from None


def _reason(text: str) -> str:
    """What SQLite says, unless it may quote a value."""
    if "locked" in text:
        return "the database is in use by another program. Close it and try again."
    if "is full" in text:
        return "the disk is full. Nothing was changed."
    if "disk I/O" in text:
        return "the disk could not be read or written; it may be full. Nothing was changed."
    if "not a database" in text or text.startswith(DAMAGED):
        return "this is not an SQLite database, or it is damaged."
    if "readonly" in text:
        return "the database, or its folder, is write-protected."
    if "unable to open" in text:
        return (
            "the database could not be opened. If it is on a write-protected disk, copy it "
            "elsewhere first."
        )
    if "decode" in text:
        return "there is text that is not in UTF-8."
    if text.startswith(
        (
            "near ",
            "no such ",
            "ambiguous column",
            "incomplete input",
            "You can only",
            "malformed JSON",
        )
    ):
        return f"the query could not be run ({text})."
    return "the database refused. Nothing was changed."


class SQLiteSession(FileSession):
    """A connection with a transaction."""

    def __init__(self, connection: sqlite3.Connection, file: Path, *, write: bool) -> None:
        self._connection = connection
        self._file = file
        self._had_log = write and self._leave_log()
        if write:
            connection.execute("pragma secure_delete = on")  # overwrites what is dropped
        connection.execute("begin immediate" if write else "begin")
        connection.execute("select count(*) from sqlite_master")  # the state that will be read

    def _leave_log(self) -> bool:
        """Write into the file itself, where a log is used as a rule; it is used again later.

        Others who have the database open keep it from that.
        """
        if self._journal() != WITH_LOG:
            return False
        with suppress(sqlite3.OperationalError):
            self.rows("pragma journal_mode = delete")
        if self._journal() != WITH_LOG:
            return True
        warnings.warn(
            f"{self._file.name} is open in another program: the release is in "
            f"{self._file.name}-wal until that program closes it, and what it replaces may be in "
            "both files. Copy or pass on the database only after that.",
            DisclosureWarning,
            stacklevel=6,
        )
        return False

    def _journal(self) -> str:
        return str(self.rows("pragma journal_mode")[0][0])

    def rows(self, sql: str, *values: Any) -> list[Any]:
        return self._connection.execute(sql, values).fetchall()

    def tables(self) -> list[TableName]:
        rows = self.rows(
            "select name from sqlite_master where type in ('table', 'view') "
            "and name not like 'sqlite\\_%' escape '\\' order by name"
        )
        return [TableName(str(name)) for (name,) in rows]

    def find(self, name: TableName) -> TableName | None:
        if name.schema not in (None, MAIN):
            return None
        rows = self.rows(
            "select name from sqlite_master where type in ('table', 'view') "
            "and name = ? collate nocase",
            name.name,
        )
        return TableName(str(rows[0][0])) if rows else None

    def is_table(self, name: TableName) -> bool:
        sql = "select 1 from sqlite_master where type = 'table' and name = ?"
        return bool(self.rows(sql, name.name))

    def columns(self, relation: Relation) -> list[Column]:
        import pyarrow as pa

        declared = self._declared(relation)
        names = [name for name, _ in declared]
        if len(set(names)) < len(names):
            return [Column(column(name, pa.null()), "", "") for name in names]
        counts = self._counts(relation, names)
        return [_column(*part, found) for part, found in zip(declared, counts, strict=True)]

    def _declared(self, relation: Relation) -> list[tuple[str, str]]:
        """Names and declared types; a view of the query keeps those of the tables behind it."""
        if relation.table is not None:
            info = self.rows(f"pragma table_xinfo({quote(relation.table.name)})")
            return [(str(row[1]), str(row[2])) for row in info if row[6] != HIDDEN]
        assert relation.query is not None
        query, view = without_end(relation.query), unused_name()
        self._connection.execute(f"create temp view {view} as\n{query}\n")
        types = [str(row[2]) for row in self.rows(f"pragma temp.table_info({view})")]
        self._connection.execute(f"drop view temp.{view}")
        cursor = self._connection.execute(query)
        names = [str(entry[0]) for entry in cursor.description]
        cursor.close()
        return list(zip(names, types, strict=True))

    def _counts(self, relation: Relation, names: Sequence[str]) -> list[Counts]:
        found: list[Counts] = []
        for start in range(0, len(names), COUNTED_AT_ONCE):
            part = names[start : start + COUNTED_AT_ONCE]
            sums = [text for name in part for text in counting(reference(name))]
            (row,) = self.rows(f"select {listed(sums)} from {relation.sql}")
            width = len(Counts._fields)
            cells = [int(value) for value in row]
            found += [Counts(*cells[i : i + width]) for i in range(0, len(cells), width)]
        return found

    def key(self, table: TableName) -> list[str]:
        """The primary key; only a single INTEGER or columns that are NOT NULL cannot repeat."""
        info = self.rows(f"pragma table_info({quote(table.name)})")
        parts = sorted((row[5], row[1], row[2].upper(), row[3]) for row in info if row[5])
        alone = len(parts) == 1 and parts[0][2] == "INTEGER"
        return [part[1] for part in parts] if alone or all(part[3] for part in parts) else []

    def count(self, relation: Relation) -> int:
        return int(self.rows(f"select count(*) from {relation.sql}")[0][0])

    def scan(self, sql: str, schema: Any, size: int) -> Iterator[Any]:
        import pyarrow as pa

        cursor = self._connection.execute(sql)
        try:
            while rows := cursor.fetchmany(size):
                cells = [list(part) for part in zip(*rows, strict=True)]
                arrays = [as_array(*part) for part in zip(cells, schema, strict=True)]
                yield pa.RecordBatch.from_arrays(arrays, schema=schema)
        finally:
            cursor.close()

    def require_calendar(self, relation: Relation, columns: Sequence[Column]) -> None:
        """Dates are texts, which are checked when they are read."""

    def identity(self) -> Hashable:
        return str(self._file.resolve())

    def tables_behind(self, relation: Relation) -> frozenset[TableName]:
        """Those that SQLite asks about when it prepares the query, be it through views."""
        found: set[TableName] = set()

        def note(action: int, table: str | None, *_: str | None) -> int:
            if action == sqlite3.SQLITE_READ and table is not None:
                found.add(TableName(table))
            return sqlite3.SQLITE_OK

        self._connection.set_authorizer(note)
        try:
            self.rows(f"explain select * from {relation.sql}")
        finally:
            self._connection.set_authorizer(_allow)
        return frozenset(found)

    def can_read(self, relation: Relation) -> bool:
        try:
            self.rows(f"explain select * from {relation.sql}")
        except sqlite3.Error:
            return False
        return True

    def place_for(self, name: TableName) -> TableName:
        if name.schema not in (None, MAIN):
            raise DatabaseProblem(f"SQLite has no schemas: leave out {name.schema!r}.")
        return TableName(name.name)

    def create(self, table: TableName, schema: Any, batches: Iterable[Any]) -> None:
        import pyarrow as pa

        require_distinct(schema.names, "SQLite")
        found = targets(schema, "SQLite", target, FAMILIES, lambda declared: None)
        parts = [f"{quote(f.name)} {t.declared}" for f, t in zip(schema, found, strict=True)]
        self._connection.execute(f"create table {table.sql} ({listed(parts)})")
        marks = listed("?" for _ in parts)
        fields = [pa.field(f.name, t.arrow) for f, t in zip(schema, found, strict=True)]
        for batch in batches:
            cells = [as_values(array) for array in cast_batch(batch, fields).columns]
            rows = zip(*cells, strict=True)
            self._connection.executemany(f"insert into {table.sql} values ({marks})", rows)

    def remove(self, table: TableName) -> None:
        self._connection.execute(f"drop table {table.sql}")

    def commit(self) -> None:
        self._connection.execute("commit")

    def close(self) -> None:
        if self._had_log:
            self._had_log = False
            with suppress(sqlite3.Error):
                self._connection.execute("rollback")
            with suppress(sqlite3.Error):
                self.rows(f"pragma journal_mode = {WITH_LOG}")
        self._connection.close()

    def fingerprint(self, table: TableName) -> tuple[Any, ...]:
        return tuple(self.rows(f"select count(*) from {table.sql}")[0])

    def logs(self) -> list[Path]:
        """Nothing is committed to a log, unless others keep it open, which was said."""
        return []


def _allow(*_: object) -> int:
    """Nothing to note; before Python 3.11 there is no other way to stop it."""
    return sqlite3.SQLITE_OK


def _column(name: str, declared: str, counts: Counts) -> Column:
    type = arrow_type(name, declared, counts)
    field = column(name, type, declared=f"SQLite:{declared}" if is_remembered(declared) else None)
    return Column(field, selected(reference(name), type), f"{reference(name)} collate binary")
