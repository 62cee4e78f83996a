"""What all databases do alike: find the table, read it in order, replace it in one transaction."""

from __future__ import annotations

import os
from abc import abstractmethod
from collections.abc import Hashable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from covey.errors import InvalidParameter, SchemaError, unknown_name
from covey.sources.asking import Reading
from covey.sources.contents import require_columns
from covey.sources.databases.columns import (
    Column,
    Relation,
    order_of,
    select_all,
)
from covey.sources.databases.names import TableName
from covey.sources.databases.session import Session
from covey.sources.databases.staging import StagedTable
from covey.sources.problems import DatabaseProblem, FileProblem, quoted
from covey.sources.source import BATCH, Records, Source, Staged

TELL = "Say which with table= or --table, or ask a query= or --query."
RENAME = "Give each a name of its own (… AS …)."


class WasRead(NamedTuple):
    """What was read: in which database, which table or query, and the tables behind it."""

    identity: Hashable
    relation: Relation
    tables: frozenset[TableName]


class Database(Source):
    """A table or a query of a database.

    Parameters
    ----------
    reading : Reading
        The table or the query, and the columns to order by.
    path : Path, optional
        The file that holds the database, if it is one.
    """

    backend: ClassVar[str]
    has_tables = True

    def __init__(self, reading: Reading, path: Path | None = None) -> None:
        reading.check()
        self.path = path
        self.files = () if path is None else (path,)
        self.reading = reading
        self._was_read: WasRead | None = None

    @property
    @abstractmethod
    def database(self) -> str:
        """The database in a word or two, without host, user or password."""

    @abstractmethod
    def open(self, *, write: bool) -> Session:
        """Connect; without `write` nothing can be changed."""

    @abstractmethod
    def explained(self) -> AbstractContextManager[None]:
        """Errors of the driver as messages that show no data and no password."""

    @property
    def name(self) -> str:
        table = self.reading.table
        return f"a query on {self.database}" if table is None else f"{table} in {self.database}"

    @property
    def as_target(self) -> str:
        return f"{self.address!r}, table={self.reading.table!r}"

    def table_names(self) -> tuple[str, ...]:
        with self.session() as session, self.explained():
            return tuple(map(str, session.tables()))

    @contextmanager
    def session(self, *, write: bool = False) -> Iterator[Session]:
        """A session that ends with the block."""
        if not write and self.is_new():
            raise FileProblem(f"There is no database {self.path}.")
        with self.explained():
            session = self.open(write=write)
        try:
            yield session
        finally:
            session.close()

    @contextmanager
    def records(self) -> Iterator[Records]:
        with self.session() as session:
            with self.explained():
                records = self._records(session)
            yield records

    def _records(self, session: Session) -> Records:
        relation = self._relation(session)
        columns = session.columns(relation)
        require_columns([column.name for column in columns], relation, RENAME)
        n_records = session.count(relation)
        self._was_read = _seen(session, relation)
        if n_records == 0:
            raise SchemaError(f"{relation} has no records.")
        session.require_calendar(relation, columns)
        return self._ordered(session, relation, columns, n_records)

    def _ordered(
        self, session: Session, relation: Relation, columns: list[Column], n_records: int
    ) -> Records:
        import pyarrow as pa

        key = [] if relation.table is None else session.key(relation.table)
        order = order_of(columns, self.reading.order_by, key)
        sql = select_all(relation, columns, order.columns)
        schema = pa.schema([column.field for column in columns])
        return Records(schema, n_records, partial(self._scan, session, sql, schema), order.notes)

    def _scan(
        self, session: Session, sql: str, schema: Any, size: int = BATCH, limit: int | None = None
    ) -> Iterator[Any]:
        asked = sql if limit is None else f"{sql} limit {int(limit)}"
        with self.explained():
            yield from session.scan(asked, schema, size)

    def _relation(self, session: Session) -> Relation:
        if self.reading.query is not None:
            return Relation(None, self.reading.query)
        if self.reading.table is None:
            tables = quoted(map(str, session.tables())) or "none"
            raise InvalidParameter(f"{self.database} has these tables: {tables}. {TELL}")
        return Relation(self._found(session, self.reading.table), None)

    def _found(self, session: Session, text: str) -> TableName:
        wanted = TableName.read(text)
        found = session.find(wanted)
        if found is not None:
            return found
        known = [str(table) for table in session.tables()]
        if not known:
            raise SchemaError(f"There is no table {text!r}: {self.database} has none to read.")
        raise SchemaError(unknown_name(f"table in {self.database} named", text, known))

    # -- writing ---------------------------------------------------------------------------

    def _target(self) -> TableName:
        if self.reading.table is None:
            raise InvalidParameter(
                f"Say which table of {self.database} to write (table= or --into)."
            )
        return TableName.read(self.reading.table)

    def check_target(self, *, force: bool, original: Source | None = None) -> None:
        target = self._target()
        self._require_writable()
        if self.is_new():
            return
        with self.session() as session, self.explained():
            replaced = self._replaced(session, target, force)
            identity = session.identity()
        if replaced is not None and isinstance(original, Database) and not original.is_new():
            _require_unread(replaced, identity, original.look())

    def look(self) -> WasRead:
        """What would be read, without reading it."""
        with self.session() as session, self.explained():
            return _seen(session, self._relation(session))

    def is_new(self) -> bool:
        """Whether the database itself is still to be made."""
        return False

    def _replaced(self, session: Session, target: TableName, force: bool) -> TableName | None:
        """The table that makes room; raises unless it may."""
        found = session.find(session.place_for(target))
        if found is None:
            return None
        if not session.is_table(found):
            raise InvalidParameter(
                f"{str(found)!r} is a view, or no plain table, and cannot be replaced."
            )
        if not force:
            raise InvalidParameter(
                f"The table {str(found)!r} exists already in {self.database}. Choose another "
                "name, or force it (force=True or --force)."
            )
        return found

    def stage(
        self, schema: Any, batches: Iterable[Any], *, force: bool, original: Source | None = None
    ) -> Staged:
        target = self._target()
        with self.explained():
            session = self.open(write=True)
            try:
                replaced = self._replaced(session, target, force)
                if replaced is not None:
                    make_room(session, replaced, original)
                table = replaced or session.place_for(target)
                session.create(table, schema, batches)
                return StagedTable(self.explained, session, table)
            except BaseException:
                session.close()
                raise

    def _require_writable(self) -> None:
        """Raise if the file, or the folder in which files appear beside it, is write-protected."""
        for place in () if self.path is None else (self.path.parent, self.path):
            if place.exists() and not os.access(place, os.W_OK):
                raise DatabaseProblem(f"{place} is write-protected. Write the release elsewhere.")


def _seen(session: Session, relation: Relation) -> WasRead:
    return WasRead(session.identity(), relation, session.tables_behind(relation))


def make_room(session: Session, table: TableName, original: Source | None) -> None:
    """Remove a table, unless the original is read from it."""
    read = original._was_read if isinstance(original, Database) else None
    if read is None:
        session.remove(table)
        return
    # Before it is removed, for whoever reads a table of a server may keep it from being removed.
    _require_unread(table, session.identity(), read)
    session.remove(table)
    if read.identity == session.identity() and not session.can_read(read.relation):
        raise _is_read_from(table)


def _require_unread(table: TableName, identity: Hashable, read: WasRead) -> None:
    """Raise if a table is the original, or part of it."""
    if read.identity == identity and table in read.tables:
        raise _is_read_from(table)


def _is_read_from(table: TableName) -> InvalidParameter:
    return InvalidParameter(
        f"The original is read from the table {str(table)!r}; write the release elsewhere."
    )
