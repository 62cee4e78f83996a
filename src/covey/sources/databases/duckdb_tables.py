"""DuckDB: an embedded database, which also queries Parquet and CSV files."""

from __future__ import annotations

import re
import time
from collections.abc import Hashable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from string import ascii_lowercase, ascii_uppercase
from typing import Any, ClassVar

from covey.errors import CoveyError
from covey.sources.asking import Reading, without_end
from covey.sources.databases.columns import Column, Relation, column, comments, reference
from covey.sources.databases.duckdb_kinds import (
    FAMILIES,
    arrow_of,
    remembered,
    target,
    without_place,
)
from covey.sources.databases.embedded import FileDatabase, FileSession
from covey.sources.databases.names import (
    TableName,
    listed,
    quote,
    require_distinct,
    unused_name,
)
from covey.sources.databases.session import names_of
from covey.sources.databases.types import cast_batch, feeding, targets
from covey.sources.problems import DatabaseProblem
from covey.sources.source import Source

MEMORY = ":memory:"
STRAIGHT_AWAY = "0KB"  # what is committed goes into the file, with no log in between
TRIES, PAUSE = 50, 0.1  # five seconds, while somebody else writes
LOGS = (".wal", ".wal.checkpoint", ".wal.recovery")
# Everything but tables that a database may hold of its own.
OTHERS = {
    "duckdb_views()": "database_name = current_database() and not internal",
    "duckdb_functions()": "database_name = current_database() and not internal",
    "duckdb_sequences()": "database_name = current_database()",
    "duckdb_types()": "database_name = current_database() and not internal",
    "duckdb_schemas()": "database_name = current_database() and not internal",
}
HERE = "database_name = current_database()"
PART = re.compile(r'"(?:[^"]|"")+"|[^".\s]+')
NAMED = re.compile(rf"(?:{PART.pattern})(?:\.(?:{PART.pattern}))*")
VISIBLE = "coalesce(?, current_schema())"


class DuckDBTable(FileDatabase):
    """A table, a view or a query of a DuckDB file, or a query on files without any."""

    format = "DuckDB"
    backend: ClassVar[str] = "DuckDB"

    def __init__(self, path: str | Path, reading: Reading, *, confined: bool = False) -> None:
        """A `confined` database reads nothing beside itself, whatever its views say."""
        super().__init__(reading, None if str(path) == MEMORY else Path(path))
        self.confined = confined

    @property
    def database(self) -> str:
        return "files" if self.path is None else self.path.name

    @property
    def address(self) -> str:
        return MEMORY if self.path is None else str(self.path)

    def called(self, name: str) -> DuckDBTable:
        return DuckDBTable(name, self.reading, confined=self.confined)

    def check_target(self, *, force: bool, original: Source | None = None) -> None:
        self._file()
        super().check_target(force=force, original=original)

    def open(self, *, write: bool) -> DuckDBSession:
        return self._connected(str(self._file()) if write else self.address, write=write)

    def open_file(self, path: Path, *, write: bool) -> DuckDBSession:
        return self._connected(str(path), write=write)

    def _connected(self, place: str, *, write: bool) -> DuckDBSession:
        import duckdb

        config: dict[str, Any] = {"enable_external_access": not self.confined}
        if write:
            config["checkpoint_threshold"] = STRAIGHT_AWAY
        read_only = place != MEMORY and not write
        connection = duckdb.connect(place, read_only=read_only, config=config)
        try:
            return DuckDBSession(connection, place, write=write)
        except BaseException:
            connection.close()
            raise

    @contextmanager
    def explained(self) -> Iterator[None]:
        import duckdb
        import pyarrow as pa

        try:
            yield
        except (duckdb.ParserException, duckdb.CatalogException, duckdb.BinderException) as error:
            raise DatabaseProblem(_about_the_query(error)) from None
        except CoveyError:
            raise
        except (duckdb.Error, OSError, pa.ArrowException) as error:
            raise DatabaseProblem(f"{self.database}: {_reason(error)}") from None


def _about_the_query(error: Exception) -> str:
    """What DuckDB says of names and syntax: it shows the query, not the data."""
    first = str(error).splitlines()[0]
    return f"The query could not be run: {first}"


def _reason(error: Exception) -> str:
    """Other messages may quote values, so that they are replaced."""
    text = str(error)
    if "set lock" in text or "different configuration" in text:
        return "the database is in use by another program or connection. Close it and try again."
    if "not a valid DuckDB database" in text:
        return "this is not a DuckDB database, or it is damaged."
    if "read-only" in text:
        return "a query only reads, and this one would change the database."
    if "disabled by configuration" in text:
        return "a view or query reads files beside the database, which is not allowed here."
    if "No files found" in text:
        return "the query names files that are not there."
    if "No space left" in text or "disk is full" in text.lower():
        return "the disk is full. Nothing was changed."
    return f"the database refused ({type(error).__name__}). Nothing was changed."


def _parts(name: str) -> list[str]:
    """The parts of CATALOG.SCHEMA.TABLE, behind which there may be an alias."""
    found = NAMED.match(name)
    return PART.findall(found[0]) if found else [name]


def _folded(sql: str) -> str:
    """A name as DuckDB compares it, which is not what its lower() makes of it."""
    return f"translate({sql}, '{ascii_uppercase}', '{ascii_lowercase}')"


def _order(field: Any) -> str:
    """What rows are ordered by: text byte by byte, whatever the collation of its column."""
    import pyarrow as pa

    t, type = pa.types, field.type
    text = t.is_string(type) or t.is_large_string(type) or t.is_dictionary(type)
    here = reference(field.name)
    return f"encode({here}::varchar)" if text else here


class DuckDBSession(FileSession):
    """A connection with a transaction."""

    def __init__(self, connection: Any, place: str, *, write: bool = False) -> None:
        self._connection = connection
        self._place = place
        connection.execute("set python_enable_replacements = false")
        if write and any(log.exists() for log in self.logs()):
            connection.execute("checkpoint")  # from here on, a log is our own
        connection.begin()

    def rows(self, sql: str, *values: Any) -> list[Any]:
        return list(self._connection.execute(sql, list(values)).fetchall())

    def tables(self) -> list[TableName]:
        rows = self.rows(
            "select nullif(schema_name, current_schema()), name from "
            "(select schema_name, table_name as name, database_name, internal from duckdb_tables()"
            " union all select schema_name, view_name, database_name, internal "
            f"from duckdb_views()) where {HERE} and not internal order by all"
        )
        return sorted(names_of(rows), key=lambda table: table.schema is not None)

    def find(self, name: TableName) -> TableName | None:
        rows = self.rows(
            "select table_schema, table_name from information_schema.tables where "
            f"table_catalog = current_database() and {_folded('table_schema')} = "
            f"{_folded(VISIBLE)} and {_folded('table_name')} = {_folded('?')}",
            name.schema,
            name.name,
        )
        return names_of(rows)[0] if rows else None

    def is_table(self, name: TableName) -> bool:
        sql = f"select 1 from duckdb_tables() where {HERE} and schema_name = ? and table_name = ?"
        return bool(self.rows(sql, name.schema, name.name))

    def columns(self, relation: Relation) -> list[Column]:
        described = self.rows(f"describe {self._statement(relation)}")
        names = [str(row[0]) for row in described]
        if len(set(names)) < len(names):
            import pyarrow as pa

            return [Column(column(name, pa.null()), "", "") for name in names]
        nothing = self._connection.sql(f"select * from {relation.sql} limit 0")
        said = self._comments(relation.table)
        fields = [
            column(field.name, without_place(field.type), said.get(field.name), remembered(row[1]))
            for field, row in zip(nothing.to_arrow_table().schema, described, strict=True)
        ]
        return [Column(part, reference(part.name), _order(part)) for part in fields]

    def _statement(self, relation: Relation) -> str:
        """What is read as a statement of its own, which shows names that are doubled."""
        if relation.query is None:
            return f"select * from {relation.sql}"
        statements = self._connection.extract_statements(without_end(relation.query))
        if len(statements) != 1:
            raise DatabaseProblem("The query could not be run: it is more than one statement.")
        return str(statements[0].query)

    def _comments(self, table: TableName | None) -> dict[str, str]:
        if table is None:
            return {}
        rows = self.rows(
            f"select column_name, comment from duckdb_columns() where {HERE} "
            "and schema_name = ? and table_name = ?",
            table.schema,
            table.name,
        )
        return {name: comment for name, comment in rows if comment}

    def key(self, table: TableName) -> list[str]:
        rows = self.rows(
            f"select constraint_column_names from duckdb_constraints() where {HERE} "
            "and schema_name = ? and table_name = ? and constraint_type = 'PRIMARY KEY'",
            table.schema,
            table.name,
        )
        return [str(name) for name in rows[0][0]] if rows else []

    def count(self, relation: Relation) -> int:
        return int(self.rows(f"select count(*) from {relation.sql}")[0][0])

    def scan(self, sql: str, schema: Any, size: int) -> Iterator[Any]:
        for batch in self._connection.sql(sql).to_arrow_reader(size):
            yield cast_batch(batch, list(schema))

    def identity(self) -> Hashable:
        return str(Path(self._place).resolve())

    def tables_behind(self, relation: Relation) -> frozenset[TableName]:
        named = self._connection.get_table_names(f"select * from {relation.sql}", qualified=True)
        read = [TableName.read(".".join(parts[-2:])) for parts in map(_parts, named)]
        return frozenset(found for found in map(self.find, read) if found is not None)

    def can_read(self, relation: Relation) -> bool:
        import duckdb

        try:
            self.rows(f"describe select * from {relation.sql}")
        except duckdb.Error:
            return False
        return True

    def place_for(self, name: TableName) -> TableName:
        if name.schema is None:
            return TableName(name.name, str(self.rows("select current_schema()")[0][0]))
        if not self.rows(
            f"select 1 from duckdb_schemas() where {HERE} and schema_name = ?", name.schema
        ):
            raise DatabaseProblem(f"There is no schema {name.schema!r}. Make it first.")
        return name

    def create(self, table: TableName, schema: Any, batches: Iterable[Any]) -> None:
        import pyarrow as pa

        require_distinct(schema.names, "DuckDB")
        found = targets(schema, "DuckDB", target, FAMILIES, arrow_of)
        parts = [f"{quote(f.name)} {t.declared}" for f, t in zip(schema, found, strict=True)]
        self._connection.execute(f"create table {table.sql} ({listed(parts)})")
        fields = [pa.field(f.name, t.arrow) for f, t in zip(schema, found, strict=True)]
        fed = unused_name()
        with feeding(batches, fields) as reader:
            self._connection.register(fed, reader)
            self._connection.execute(f"insert into {table.sql} select * from {fed}")
        self._connection.unregister(fed)
        for statement in comments(schema, table):
            self._connection.execute(statement)

    def remove(self, table: TableName) -> None:
        self._connection.execute(f"drop table {table.sql}")

    def commit(self) -> None:
        """Commit, and bring everything into the file; what cannot be brought there is undone."""
        import duckdb

        try:
            self._connection.commit()
            self._empty_log()
        except duckdb.FatalException:  # the file is as it was, and the log is our own
            for log in self.logs():
                log.unlink(missing_ok=True)
            raise

    def _empty_log(self) -> None:
        """There is one if another connection of this program was writing; it is waited for."""
        import duckdb

        for _ in range(TRIES):
            with suppress(duckdb.TransactionException):
                self._connection.execute("checkpoint")
                return
            time.sleep(PAUSE)

    def fingerprint(self, table: TableName) -> tuple[Any, ...]:
        return tuple(self.rows(f"select count(*), sum(hash(t)) from {table.sql} as t")[0])

    def logs(self) -> list[Path]:
        return [Path(self._place + ending) for ending in LOGS]

    def leaves_behind(self, table: TableName) -> bool:
        """DuckDB frees the blocks of a table, and writes into them when it needs them."""
        return self.count(Relation(table, None)) > 0

    def holds_only(self, table: TableName) -> bool:
        tables = self.rows(f"select count(*) from duckdb_tables() where {HERE} and not internal")
        others = (f"select 1 from {kind} where {which}" for kind, which in OTHERS.items())
        return tables == [(1,)] and not any(self.rows(f"{sql} limit 1") for sql in others)

    def close(self) -> None:
        self._connection.close()
