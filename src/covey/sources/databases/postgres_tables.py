"""PostgreSQL, through ADBC: records come and go as Arrow batches by COPY."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, ClassVar

from covey.errors import CoveyError
from covey.sources.asking import Reading
from covey.sources.databases.addresses import database_name, require_no_password
from covey.sources.databases.columns import Column, Relation, comments
from covey.sources.databases.database import Database
from covey.sources.databases.names import TableName, require_short
from covey.sources.databases.postgres_errors import broken, reason
from covey.sources.databases.postgres_kinds import (
    BACKEND,
    FAMILIES,
    Decimal,
    Said,
    as_column,
    definitions,
    filled_by,
    from_measured,
    measured_digits,
    modifier,
    target,
    type_of,
    typmod_of,
)
from covey.sources.databases.session import Session, names_of
from covey.sources.databases.types import cast_batch, feeding, targets
from covey.sources.packages import POSTGRES
from covey.sources.problems import DatabaseProblem

NO_COPY = {"adbc.postgresql.use_copy": "false"}
BYTES_A_RECORD = 200
PATIENCE = 5000  # milliseconds, while somebody else uses a table that is replaced
READABLE = "c.relkind in ('r', 'v', 'm', 'f', 'p')"
RELATIONS = "pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace"
OURS = "n.nspname not like 'pg\\_%' and n.nspname <> 'information_schema'"


class PostgresTable(Database):
    """A table, a view or a query of a PostgreSQL database."""

    format = BACKEND
    backend: ClassVar[str] = BACKEND

    def __init__(self, address: str, reading: Reading) -> None:
        require_no_password(address)
        super().__init__(reading)
        POSTGRES.load()
        self._address = address

    @property
    def database(self) -> str:
        return database_name(self._address)

    @property
    def address(self) -> str:
        return self._address

    def open(self, *, write: bool) -> PostgresSession:
        dbapi, _ = POSTGRES.load()
        return PostgresSession(dbapi.connect(self._address), write=write)

    @contextmanager
    def explained(self) -> Iterator[None]:
        import pyarrow as pa

        _, manager = POSTGRES.load()
        try:
            yield
        except CoveyError:
            raise
        except manager.Error as error:
            raise DatabaseProblem(f"{self.database}: {reason(error)}") from None
        except (OSError, pa.ArrowException) as error:  # while batches came
            raise DatabaseProblem(f"{self.database}: {broken(str(error))}") from None


class PostgresSession(Session):
    """A connection with a transaction; one that only reads sees one state of the database."""

    def __init__(self, connection: Any, *, write: bool) -> None:
        self._connection = connection
        if write:
            self._run(f"set lock_timeout = {PATIENCE}")
        else:
            self._run("set transaction isolation level repeatable read read only")

    def _run(self, sql: str) -> None:
        with self._connection.cursor(adbc_stmt_kwargs=NO_COPY) as cursor:
            cursor.execute(sql)

    def rows(self, sql: str, *values: Any) -> list[Any]:
        with self._connection.cursor(adbc_stmt_kwargs=NO_COPY) as cursor:
            cursor.execute(sql, values or None)
            return list(cursor.fetchall())

    def tables(self) -> list[TableName]:
        rows = self.rows(
            "select case when pg_catalog.pg_table_is_visible(c.oid) then null else n.nspname end, "
            f"c.relname from {RELATIONS} where {READABLE} and {OURS} "
            "and pg_catalog.has_schema_privilege(n.oid, 'USAGE') order by 1 nulls first, 2"
        )
        return names_of(rows)

    def find(self, name: TableName) -> TableName | None:
        rows = self.rows(
            f"select n.nspname, c.relname from {RELATIONS} where {READABLE} and c.relname = $1 "
            "and case when $2 = '' then pg_catalog.pg_table_is_visible(c.oid) "
            "else n.nspname = $2 end",
            name.name,
            name.schema or "",
        )
        return names_of(rows)[0] if rows else None

    def is_table(self, name: TableName) -> bool:
        sql = f"select c.relkind from {RELATIONS} where c.relname = $1 and n.nspname = $2"
        return [row[0] for row in self.rows(sql, name.name, name.schema)] == ["r"]

    def columns(self, relation: Relation) -> list[Column]:
        with self._connection.cursor() as cursor:
            cursor.execute(f"select * from {relation.sql} limit 0")
            schema = cursor.fetch_record_batch().read_all().schema
        said = self._said(relation.table)
        digits = self._digits(relation, schema)
        return [as_column(f, said.get(f.name), digits.get(f.name)) for f in schema]

    def _said(self, table: TableName | None) -> dict[str, Said]:
        if table is None:
            return {}
        rows = self.rows(
            "select a.attname, pg_catalog.format_type(a.atttypid, a.atttypmod), "
            f"pg_catalog.col_description(c.oid, a.attnum) from {RELATIONS} "
            "join pg_catalog.pg_attribute a on a.attrelid = c.oid "
            "where c.relname = $1 and n.nspname = $2 and a.attnum > 0 and not a.attisdropped",
            table.name,
            table.schema,
        )
        return {name: Said(declared, comment) for name, declared, comment in rows}

    def _digits(self, relation: Relation, schema: Any) -> dict[str, Decimal | None]:
        """Digits of the columns of decimal numbers: declared, or measured."""
        numbers = [field for field in schema if type_of(field) == "numeric"]
        found = {field.name: modifier(typmod_of(field)) for field in numbers}
        open_names = [name for name, digits in found.items() if digits is None]
        if open_names and len(set(schema.names)) == len(schema.names):
            (row,) = self.rows(measured_digits(open_names, relation.sql))
            for i, name in enumerate(open_names):
                found[name] = from_measured(*row[3 * i : 3 * i + 3])
        return found

    def key(self, table: TableName) -> list[str]:
        rows = self.rows(
            "select a.attname from pg_catalog.pg_index i "
            f"join {RELATIONS} on c.oid = i.indrelid "
            "join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey) "
            "where i.indisprimary and c.relname = $1 and n.nspname = $2 "
            "order by array_position(i.indkey::int2[], a.attnum)",
            table.name,
            table.schema,
        )
        return [str(name) for (name,) in rows]

    def count(self, relation: Relation) -> int:
        return int(self.rows(f"select count(*) from {relation.sql}")[0][0])

    def scan(self, sql: str, schema: Any, size: int) -> Iterator[Any]:
        hint = {"adbc.postgresql.batch_size_hint_bytes": str(size * BYTES_A_RECORD)}
        with self._connection.cursor(adbc_stmt_kwargs=hint) as cursor:
            cursor.execute(sql)
            for batch in cursor.fetch_record_batch():
                for start in range(0, batch.num_rows, size):
                    yield cast_batch(batch.slice(start, size), list(schema))

    def identity(self) -> Hashable:
        """The server by the moment it was started, and the database."""
        (row,) = self.rows(
            "select pg_catalog.pg_postmaster_start_time()::text, pg_catalog.current_database()"
        )
        return tuple(row)

    def tables_behind(self, relation: Relation) -> frozenset[TableName]:
        """Those that this transaction has locked, be it through views or functions."""
        self.rows(f"select from {relation.sql} limit 0")
        rows = self.rows(
            f"select n.nspname, c.relname from {RELATIONS} "
            "join pg_catalog.pg_locks l on l.relation = c.oid "
            "where l.pid = pg_catalog.pg_backend_pid() and l.locktype = 'relation' "
            "and l.database = (select d.oid from pg_catalog.pg_database d "
            "where d.datname = pg_catalog.current_database())"
        )
        return frozenset(names_of(rows))

    def can_read(self, relation: Relation) -> bool:
        _, manager = POSTGRES.load()
        try:
            self.rows(f"select from {relation.sql} limit 0")
        except manager.Error:
            return False
        return True

    def place_for(self, name: TableName) -> TableName:
        require_short([name.name, name.schema or ""])
        if name.schema is None:
            ((schema,),) = self.rows("select pg_catalog.current_schema()")
            name = TableName(name.name, schema or "")
        sql = "select pg_catalog.has_schema_privilege(oid, 'CREATE') from pg_catalog.pg_namespace"
        rows = self.rows(f"{sql} where nspname = $1", name.schema)
        if not rows:
            raise DatabaseProblem(f"There is no schema {name.schema!r}. Make it first.")
        if not rows[0][0]:
            raise DatabaseProblem(
                f"Your role must not make tables in the schema {name.schema!r}. It needs USAGE "
                "and CREATE on the schema that is written."
            )
        return name

    def create(self, table: TableName, schema: Any, batches: Iterable[Any]) -> None:
        import pyarrow as pa

        require_short(schema.names)
        found = targets(schema, BACKEND, target, FAMILIES, filled_by)
        self._run(f"create table {table.sql} ({definitions(schema, found)})")
        fields = [pa.field(f.name, t.arrow) for f, t in zip(schema, found, strict=True)]
        with feeding(batches, fields) as reader, self._connection.cursor() as cursor:
            cursor.adbc_ingest(table.name, reader, mode="append", db_schema_name=table.schema)
        for statement in comments(schema, table):
            self._run(statement)

    def remove(self, table: TableName) -> None:
        self._run(f"drop table {table.sql}")

    def commit(self) -> None:
        self._connection.commit()

    def close(self) -> None:
        _, manager = POSTGRES.load()
        with suppress(manager.Error):
            self._connection.rollback()
        with suppress(manager.Error):
            self._connection.close()
