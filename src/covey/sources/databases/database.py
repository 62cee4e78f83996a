"""What all databases do alike: find the table, read it in order, replace it in one transaction."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from covey.errors import InvalidParameter, SchemaError, unknown_name
from covey.sources.asking import Reading
from covey.sources.databases.columns import (
    Column,
    Relation,
    order_of,
    require_names,
    select_all,
)
from covey.sources.databases.names import TableName
from covey.sources.problems import DatabaseProblem, FileProblem, quoted
from covey.sources.source import BATCH, Records, Source, Staged

# The files of an embedded database: itself, and what a driver may leave beside it.
BESIDE = ("", ".wal", "-journal", "-wal", "-shm")
TELL = "Say which with table= or --table, or ask a query= or --query."


class Session(ABC):
    """A connection to a database inside one transaction; a back end writes it."""

    @abstractmethod
    def tables(self) -> list[TableName]:
        """Tables and views that can be named without a schema first, then all others."""

    @abstractmethod
    def find(self, name: TableName) -> TableName | None:
        """The table or view of this name with its schema."""

    @abstractmethod
    def is_table(self, name: TableName) -> bool:
        """Whether a name that was found is a table, which can be replaced."""

    @abstractmethod
    def columns(self, relation: Relation) -> list[Column]:
        """The columns; names may still be doubled."""

    @abstractmethod
    def key(self, table: TableName) -> list[str]:
        """The columns of the primary key, if it tells every record from every other."""

    @abstractmethod
    def count(self, relation: Relation) -> int:
        """How many records there are."""

    @abstractmethod
    def scan(self, sql: str, schema: Any, size: int) -> Iterator[Any]:
        """Record batches of a query."""

    @abstractmethod
    def identity(self) -> Hashable:
        """What tells this database from all others."""

    @abstractmethod
    def can_read(self, relation: Relation) -> bool:
        """Whether a table or query can still be read."""

    @abstractmethod
    def place_for(self, name: TableName) -> TableName:
        """A new table with its schema; raises if it cannot be made there."""

    @abstractmethod
    def create(self, table: TableName, schema: Any, batches: Iterable[Any]) -> None:
        """Make a table and fill it."""

    @abstractmethod
    def remove(self, table: TableName) -> None:
        """Drop a table, and nothing that depends on it."""

    @abstractmethod
    def commit(self) -> None: ...

    @abstractmethod
    def close(self) -> None:
        """End the session; what was not committed never happened."""


class Database(Source):
    """A table or a query of a database.

    Parameters
    ----------
    reading : Reading
        The table or the query, and the columns to order by.
    """

    backend: ClassVar[str]

    def __init__(self, reading: Reading) -> None:
        reading.check()
        self.reading = reading
        self._was_read: tuple[Hashable, Relation] | None = None

    @property
    @abstractmethod
    def database(self) -> str:
        """The database in a word or two, without host, user or password."""

    @property
    @abstractmethod
    def place(self) -> str:
        """What names the database to `covey.protect`."""

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
            relation = self._relation(session)
            columns = session.columns(relation)
            require_names([column.name for column in columns], relation)
            self._was_read = session.identity(), relation
            n_records = session.count(relation)
            if n_records == 0:
                raise SchemaError(f"{relation} has no records.")
            yield self._records(session, relation, columns, n_records)

    def _records(
        self, session: Session, relation: Relation, columns: list[Column], n_records: int
    ) -> Records:
        import pyarrow as pa

        key = [] if relation.table is None else session.key(relation.table)
        order = order_of(columns, self.reading.order_by, key)
        sql = select_all(relation, columns, order.columns)
        schema = pa.schema([column.field for column in columns])
        return Records(schema, n_records, partial(self._scan, session, sql, schema), order.notes)

    def _scan(self, session: Session, sql: str, schema: Any, size: int = BATCH) -> Iterator[Any]:
        with self.explained():
            yield from session.scan(sql, schema, size)

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
        if self.is_new():
            return
        with self.session() as session:
            self._replaced(session, target, force)

    def is_new(self) -> bool:
        """Whether the database itself is still to be made."""
        return False

    def _replaced(self, session: Session, target: TableName, force: bool) -> TableName | None:
        """The table that makes room; raises unless it may."""
        found = session.find(session.place_for(target))
        if found is None:
            return None
        if not session.is_table(found):
            raise InvalidParameter(f"{str(found)!r} is a view, not a table that can be replaced.")
        if not force:
            raise InvalidParameter(
                f"The table {str(found)!r} exists already in {self.database}. Choose another "
                "name, or force it (--force)."
            )
        return found

    def stage(
        self, schema: Any, batches: Iterable[Any], *, force: bool, original: Source | None = None
    ) -> Staged:
        target = self._target()
        made = self._file_to_make()
        with self.explained():
            session = None
            try:
                session = self.open(write=True)
                replaced = self._replaced(session, target, force)
                table = replaced or session.place_for(target)
                if replaced is not None:
                    session.remove(replaced)
                    _require_original(session, replaced, original)
                session.create(table, schema, batches)
                return StagedTable(self, session, table, made)
            except BaseException:
                _undo(session, made)
                raise

    def _file_to_make(self) -> Path | None:
        return self.path if self.is_new() else None


class StagedTable(Staged):
    """A table inside a transaction that is still open."""

    def __init__(
        self, database: Database, session: Session, table: TableName, made: Path | None
    ) -> None:
        self._database = database
        self._session = session
        self._table = table
        self._made = made

    def read_back(self) -> Any:
        import pyarrow as pa

        with self._database.explained():
            relation = Relation(self._table, None)
            columns = self._session.columns(relation)
            schema = pa.schema([column.field for column in columns])
            sql = select_all(relation, columns, columns)
            return pa.Table.from_batches(self._session.scan(sql, schema, BATCH), schema=schema)

    def keep(self) -> None:
        try:
            with self._database.explained():
                self._session.commit()
        except DatabaseProblem as error:
            raise DatabaseProblem(
                f"{error} The last step failed: look whether the table {str(self._table)!r} is "
                "there before you try again."
            ) from None
        self._session.close()

    def drop(self) -> None:
        _undo(self._session, self._made)


def _require_original(session: Session, removed: TableName, original: Source | None) -> None:
    """Raise if the original cannot be read any more without a table: it was (part of) it."""
    if not isinstance(original, Database) or original._was_read is None:
        return
    identity, relation = original._was_read
    if identity == session.identity() and not session.can_read(relation):
        raise InvalidParameter(
            f"The original is read from the table {str(removed)!r}; write the release elsewhere."
        )


def _undo(session: Session | None, made: Path | None) -> None:
    if session is not None:
        session.close()
    if made is not None:
        for ending in BESIDE:
            made.with_name(made.name + ending).unlink(missing_ok=True)


def names_of(rows: Sequence[Sequence[Any]]) -> list[TableName]:
    """Rows of (schema or None, name) as names."""
    return [TableName(str(name), schema) for schema, name in rows]
