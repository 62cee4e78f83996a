"""inspect: what a file holds, and settings to start from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from covey.errors import SchemaError, memory_explained
from covey.parameters import as_list
from covey.release.prepared import Original, open_original, require_few_categories
from covey.release.settings import Settings
from covey.sources.asking import Reading
from covey.tables.guess_words import Note, Reason
from covey.tables.inspecting import Inspected, inspect_table
from covey.tables.kinds import Kinds
from covey.tables.strata import stratify
from covey.tables.variables import read_variable
from covey.types import Progress


@dataclass(frozen=True)
class Inspection:
    """Columns with a guess at their roles, and what was noticed when the file was read.

    `smallest_stratum` is the number of records in the smallest stratum, if any column is one.
    """

    columns: tuple[Inspected, ...]
    n_records: int
    notes: tuple[str, ...]
    reading: Reading = field(default_factory=Reading)
    smallest_stratum: int | None = None

    def settings(self, k: int = 3) -> Settings:
        """The guesses as settings, to be read and corrected before they are used.

        Strata that are smaller than k are merged, so that the settings can be used as they are.
        """
        too_small = self.smallest_stratum is not None and self.smallest_stratum < k
        return Settings.from_dict(
            {
                "k": k,
                "identifiers": self._with("identifier"),
                "quasi_identifiers": self._with("quasi-identifier"),
                "confidential": self._with("confidential"),
                "strata": self._with("stratum"),
                "keep": self._with("kept"),
                "weight": self.weights,
                "nominal": [
                    column.name for column in self.columns if column.treatment == "nominal"
                ],
                "small_strata": "merge" if too_small else "error",
                **self.reading._asdict(),
            }
        )

    @property
    def weights(self) -> list[str]:
        """The weights, with the one to be used before the others."""
        used = self._treated("used")
        return [*used, *(name for name in self._with("weight") if name not in used)]

    def to_dict(self) -> dict[str, Any]:
        return {
            "records": self.n_records,
            "notes": list(self.notes),
            "columns": [column._asdict() for column in self.columns],
        }

    def _with(self, role: str) -> list[str]:
        return [column.name for column in self.columns if column.role == role]

    def _treated(self, treatment: str) -> list[str]:
        return [column.name for column in self.columns if column.treatment == treatment]


@memory_explained()
def inspect(
    data: Any,
    progress: Progress | None = None,
    encoding: str | None = None,
    *,
    table: str | None = None,
    query: str | None = None,
    order_by: str | Sequence[str] = (),
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
    reading = Reading(encoding, table, query, tuple(as_list(order_by)))
    return inspection_of(open_original(data, progress, reading), reading)


def inspection_of(original: Original, reading: Reading) -> Inspection:
    """The same for data that were opened before."""
    table = original.table
    columns = tuple(_if_it_can_be_grouped(table, column) for column in inspect_table(table))
    strata = [table[column.name] for column in columns if column.role == "stratum"]
    sizes = np.bincount(stratify(strata, table.num_rows)) if strata and table.num_rows else None
    smallest = None if sizes is None else int(sizes.min())
    return Inspection(columns, original.n_records, original.notes, reading, smallest)


def _if_it_can_be_grouped(table: Any, column: Inspected) -> Inspected:
    """The same column; one that `protect` would refuse is left out, and the note says why."""
    if column.role != "quasi-identifier" or column.kind != "nominal":
        return column
    try:
        variable = read_variable(column.name, table[column.name], Kinds.read())
        require_few_categories(variable, Settings(), table.schema.field(column.name))
    except SchemaError as error:
        return column._replace(role="not named", reason=Reason.REFUSED, note=Note(str(error)))
    return column
