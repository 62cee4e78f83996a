"""A table that was written and that nobody sees yet."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any

from covey.sources.databases.columns import Relation, select_all
from covey.sources.databases.names import TableName, listed, quote
from covey.sources.databases.session import Session
from covey.sources.problems import DatabaseProblem
from covey.sources.source import BATCH, Classes, Room, Staged

Explained = Callable[[], AbstractContextManager[None]]


class StagedTable(Staged):
    """A table inside a transaction that is still open."""

    def __init__(self, explained: Explained, session: Session, table: TableName) -> None:
        self._explained = explained
        self._session = session
        self._table = table

    def read_back(self) -> Any:
        import pyarrow as pa

        with self._explained():
            relation = Relation(self._table, None)
            columns = self._session.columns(relation)
            schema = pa.schema([column.field for column in columns])
            sql = select_all(relation, columns, columns)
            return pa.Table.from_batches(self._session.scan(sql, schema, BATCH), schema=schema)

    def classes(self, columns: Sequence[str], room: Room) -> Classes:
        counts = (
            f"select count(*) as n from {self._table.sql} group by {listed(map(quote, columns))}"
        )
        with self._explained():
            (row,) = self._session.rows(f"select min(n), sum(n) from ({counts}) as classes")
        return Classes(int(row[0]), int(row[1]))

    def keep(self) -> None:
        try:
            with self._explained():
                self._session.commit()
        except DatabaseProblem as error:
            raise DatabaseProblem(
                f"{error} The last step failed: look whether the table {str(self._table)!r} is "
                "there before you try again."
            ) from None
        self._session.close()

    def drop(self) -> None:
        self._session.close()
