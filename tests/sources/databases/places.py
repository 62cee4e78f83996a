"""One way to talk plain SQL to every database, without the code that is tested."""

from __future__ import annotations

import sqlite3
from abc import ABC, abstractmethod
from contextlib import closing
from pathlib import Path
from typing import Any

from .servers import SECRET, Server

COLUMNS = (
    'id integer primary key, age smallint, "Größe ""cm""" bigint, income numeric(12, 2), '
    "score double precision, region varchar(20), member boolean, born date, seen timestamp"
)
NAMES = ["id", "age", 'Größe "cm"', "income", "score", "region", "member", "born", "seen"]
SIZE = 'Größe "cm"'
N = 120


def records(n: int = N) -> list[tuple[Any, ...]]:
    """Persons, with gaps; texts of SQL for dates."""
    return [
        (
            i,
            20 + (7 * i) % 50,
            None if i % 11 == 0 else 150 + (13 * i) % 40,
            None if i % 7 == 0 else 1000 + 12.25 * ((17 * i) % 97),
            (i * i % 101) / 8,
            f"Süd-{i % 3}",
            None if i % 13 == 0 else i % 2 == 0,
            f"19{50 + i % 50}-0{1 + i % 9}-1{i % 10}",
            f"2020-01-{1 + i % 28:02d} 10:{i % 60:02d}:00",
        )
        for i in range(1, n + 1)
    ]


class Place(ABC):
    """A database with a table of persons."""

    kind: str
    address: str
    path: Path | None = None

    @abstractmethod
    def run(self, *statements: str) -> None:
        """Run statements, and commit."""

    @abstractmethod
    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """The rows of a query."""

    def fill(self, n: int = N, table: str = "persons") -> None:
        """Make the table of persons, its rows from the last to the first."""
        values = ", ".join(f"({', '.join(map(_sql, row))})" for row in reversed(records(n)))
        filled = [f"insert into {table} values {values}"] if n else []
        self.run(f"create table {table} ({COLUMNS})", *filled)

    def classes(self, table: str, columns: str) -> list[int]:
        """The sizes of the classes of equal records, counted by the database."""
        return [row[0] for row in self.rows(f"select count(*) from {table} group by {columns}")]


def _sql(value: Any) -> str:
    if value is None:
        return "null"
    return str(value).lower() if isinstance(value, bool) else repr(value)


class DuckDB(Place):
    kind = "DuckDB"

    def __init__(self, path: Path) -> None:
        self.path, self.address = path, str(path)

    def run(self, *statements: str) -> None:
        import duckdb

        with duckdb.connect(self.address) as connection:
            for statement in statements:
                connection.execute(statement)

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        import duckdb

        with duckdb.connect(self.address, read_only=True) as connection:
            return connection.execute(query).fetchall()


class SQLite(Place):
    kind = "SQLite"

    def __init__(self, path: Path) -> None:
        self.path, self.address = path, str(path)

    def run(self, *statements: str) -> None:
        with closing(sqlite3.connect(self.address)) as connection, connection:
            for statement in statements:
                connection.execute(statement)

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        with closing(sqlite3.connect(self.address)) as connection:
            return connection.execute(query).fetchall()


class Postgres(Place):
    kind = "PostgreSQL"

    def __init__(self, server: Server, database: str) -> None:
        self.server, self.database = server, database
        self.address = server.address(database)

    def run(self, *statements: str, database: str | None = None) -> None:
        from adbc_driver_postgresql import dbapi

        address = self.server.address(database or self.database)
        with dbapi.connect(address, autocommit=True) as link, link.cursor() as cursor:
            for statement in statements:
                cursor.execute(statement)

    def empty(self) -> None:
        """Leave nothing of what a test made."""
        schemas = self.rows(
            "select quote_ident(nspname) from pg_namespace where nspname not like 'pg\\_%' "
            "and nspname <> 'information_schema'"
        )
        self.run(
            *(f"drop schema {name} cascade" for (name,) in schemas),
            "create schema public",
            "grant usage on schema public to public",
            f"drop role if exists steward_{self.database}",
        )

    def role(self, *grants: str) -> str:
        """The address for a role that may do only what is granted; its password is `SECRET`."""
        name = f"steward_{self.database}"
        self.run(f"create role {name} login password '{SECRET}'")
        self.run(*(grant.format(role=name) for grant in grants))
        return self.server.address(self.database, name)

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        from adbc_driver_postgresql import dbapi

        with dbapi.connect(self.address) as link, link.cursor() as cursor:
            cursor.execute(query)
            return cursor.fetchall()
