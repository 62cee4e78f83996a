"""The columns of a table or query: how they are read, and in which order the rows come."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from covey.errors import SchemaError, unknown_name
from covey.sources.asking import without_end
from covey.sources.databases.names import TableName, literal, quote

# What stands for the table or query in every text of SQL.
ALIAS = "asked"
# A declared type that may stand in a statement as it is: character varying(20), numeric(12,2).
PLAIN_TYPE = re.compile(r"[a-z]+( [a-z]+)*(\([0-9]+(, ?[0-9]+)?\))?( [a-z]+)*", re.IGNORECASE)
LABEL, DECLARED = b"label", b"declared"


class Relation(NamedTuple):
    """What is read: a table that was found, or a query."""

    table: TableName | None
    query: str | None

    @property
    def sql(self) -> str:
        """It as the source of a SELECT."""
        if self.table is not None:
            return f"{self.table.sql} as {ALIAS}"
        assert self.query is not None
        return f"(\n{without_end(self.query)}\n) as {ALIAS}"

    def __str__(self) -> str:
        return "The query" if self.table is None else f"The table {str(self.table)!r}"


class Column(NamedTuple):
    """A column: its Arrow field, what is selected, and what rows are ordered by."""

    field: Any
    select: str
    order: str

    @property
    def name(self) -> str:
        return str(self.field.name)


def column(name: str, type: Any, comment: str | None = None, declared: str | None = None) -> Any:
    """An Arrow field that remembers the comment and the declared type of its column."""
    import pyarrow as pa

    metadata = {LABEL: comment, DECLARED: declared}
    kept = {key: text.encode() for key, text in metadata.items() if text}
    return pa.field(name, type, metadata=kept or None)


def reference(name: str) -> str:
    """A column of what is read."""
    return f"{ALIAS}.{quote(name)}"


def declared_as(field: Any, backend: str) -> str | None:
    """The type that a column was declared with, if it came from the same kind of database."""
    text = (field.metadata or {}).get(DECLARED, b"").decode()
    home, _, declared = text.partition(":")
    return declared if home == backend and PLAIN_TYPE.fullmatch(declared) else None


def without_declaration(field: Any) -> Any:
    """The field without the type that its column was declared with."""
    metadata = {key: text for key, text in (field.metadata or {}).items() if key != DECLARED}
    return field.with_metadata(metadata or None)


def comments(schema: Any, table: TableName) -> list[str]:
    """Statements that describe the columns."""
    return [
        f"comment on column {table.sql}.{quote(field.name)} is "
        f"{literal(field.metadata[LABEL].decode())}"
        for field in schema
        if field.metadata and LABEL in field.metadata
    ]


class Order(NamedTuple):
    """The columns that rows are ordered by, and a note if nobody said which."""

    columns: list[Column]
    notes: tuple[str, ...] = ()


def order_of(columns: Sequence[Column], order_by: Sequence[str], key: Sequence[str]) -> Order:
    """Rows in an order that is the same in every run.

    By what was asked for, then by the other columns; else by the key; else by all columns. Rows
    that are then still equal are equal in everything.
    """
    by_name = {column.name: column for column in columns}
    for name in order_by:
        if name not in by_name:
            raise SchemaError(unknown_name("column", name, by_name))
    if key and not order_by and set(key) <= set(by_name):
        return Order([by_name[name] for name in key])
    first = [by_name[name] for name in dict.fromkeys(order_by)]
    rest = [column for column in columns if column.name not in order_by]
    note = "Without a key, rows are ordered by all columns."
    return Order([*first, *rest], () if order_by else (note,))


def select_all(relation: Relation, columns: Sequence[Column], order: Sequence[Column]) -> str:
    """The text that reads all columns in a fixed order."""
    selected = ", ".join(f"{part.select} as {quote(part.name)}" for part in columns)
    ordered = ", ".join(f"{part.order} nulls last" for part in order)
    return f"select {selected} from {relation.sql} order by {ordered}"
