"""A connection to a database inside one transaction: what a back end writes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Any

from covey.errors import SchemaError
from covey.sources.databases.columns import Column, Relation, reference
from covey.sources.databases.names import TableName


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
    def tables_behind(self, relation: Relation) -> frozenset[TableName]:
        """The tables that a table or query reads, as far as the database tells."""

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

    @abstractmethod
    def rows(self, sql: str, *values: Any) -> list[Any]:
        """The rows of a query, with values in place of its marks."""

    def require_calendar(self, relation: Relation, columns: Sequence[Column]) -> None:
        """Refuse dates that Arrow cannot hold: infinity, and years that overflow."""
        import pyarrow as pa

        kinds = (pa.types.is_date, pa.types.is_timestamp)
        names = [c.name for c in columns if any(is_it(c.field.type) for is_it in kinds)]
        if not names:
            return
        counts = ", ".join(
            f"count(*) filter (where not isfinite({here}) or "
            f"{here} not between '0001-01-01' and '9999-12-31')"
            for here in map(reference, names)
        )
        (row,) = self.rows(f"select {counts} from {relation.sql}")
        for name, count in zip(names, row, strict=True):
            if count:
                raise SchemaError(
                    f"{name!r} holds {count} date(s) outside the years 1 to 9999, such as "
                    "infinity. Correct or empty them, or leave the column out by a query."
                )


def names_of(rows: Sequence[Sequence[Any]]) -> list[TableName]:
    """Rows of (schema or None, name) as names."""
    return [TableName(str(name), schema) for schema, name in rows]
