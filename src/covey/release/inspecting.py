"""inspect: what a file holds, and settings to start from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from covey.errors import memory_explained
from covey.release.preparing import open_original
from covey.release.settings import Settings
from covey.sources.asking import Reading
from covey.tables.inspecting import Inspected, inspect_table
from covey.types import Progress


@dataclass(frozen=True)
class Inspection:
    """Columns with a guess at their roles, and what was noticed when the file was read."""

    columns: tuple[Inspected, ...]
    n_records: int
    notes: tuple[str, ...]
    reading: Reading = field(default_factory=Reading)

    def settings(self, k: int = 3) -> Settings:
        """The guesses as settings, to be read and corrected before they are used."""
        return Settings.from_dict(
            {
                "k": k,
                "identifiers": self._with("identifier"),
                "quasi_identifiers": self._with("quasi-identifier"),
                "confidential": self._with("confidential"),
                "strata": self._with("stratum"),
                "weight": next(iter(self._with("weight")), None),
                **self.reading._asdict(),
            }
        )

    def to_dict(self) -> dict[str, Any]:
        return {
            "records": self.n_records,
            "notes": list(self.notes),
            "columns": [column._asdict() for column in self.columns],
        }

    def _with(self, role: str) -> list[str]:
        return [column.name for column in self.columns if column.role == role]


@memory_explained()
def inspect(
    data: Any,
    progress: Progress | None = None,
    encoding: str | None = None,
    *,
    table: str | None = None,
    query: str | None = None,
    order_by: Sequence[str] = (),
) -> Inspection:
    """Look at a data frame, a file or a table of a database, and guess what its columns are for.

    Nothing is applied: the guesses are a start for whoever knows the data. `table`, `query` and
    `order_by` are for databases, as in `protect`.

    Examples
    --------
    >>> import pyarrow as pa
    >>> found = inspect(pa.table({"person_id": ["a", "b"], "age": [31, 35]}))
    >>> [(column.name, column.role) for column in found.columns]
    [('person_id', 'identifier'), ('age', 'quasi-identifier')]
    """
    reading = Reading(encoding, table, query, tuple(order_by))
    original = open_original(data, progress, reading)
    columns = tuple(inspect_table(original.table))
    return Inspection(columns, original.n_records, original.notes, reading)
