"""Variables of any kind as numbers, and numbers back as values.

A variable is read once into floats: numbers as they are, instants as microseconds from one of
them, categories as their place in the list of categories; NaN where a value is missing.
`Variable.restore` turns released floats back into a column of the same kind.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from covey.errors import SchemaError, ways
from covey.tables.instants import Clock, read_instants
from covey.tables.kinds import Kinds, is_instant
from covey.tables.levels import read_levels, values_at
from covey.tables.numeric import LARGEST
from covey.tables.refusing import beyond_floats, refuse_huge
from covey.types import BoolVector, FloatVector, IntVector

CORRECT = "Correct them first"


@dataclass(frozen=True)
class Variable:
    """A column as floats: NaN where a value is missing, codes where values are categories."""

    name: str
    kind: str
    values: FloatVector
    arrow_type: Any
    categories: Any = None  # a pyarrow array, for ordinal and nominal variables
    clock: Clock | None = None  # for dates and times

    @property
    def known(self) -> BoolVector:
        return ~np.isnan(self.values)

    @property
    def n_categories(self) -> int:
        return 0 if self.categories is None else len(self.categories)

    @property
    def is_category(self) -> bool:
        return self.categories is not None

    @property
    def is_ordered_number(self) -> bool:
        """Whether only the order of its numbers or instants counts: groups get a median."""
        return self.kind == "ordinal" and self.categories is None

    @property
    def is_whole(self) -> bool:
        """Whether released numbers are whole numbers."""
        import pyarrow.types as t

        ordered = self.is_ordered_number and self.clock is None
        return self.kind == "integer" or (ordered and t.is_integer(self.arrow_type))

    def take(self, rows: IntVector) -> Variable:
        """The same with some of the records only."""
        values = self.values[rows]
        return Variable(self.name, self.kind, values, self.arrow_type, self.categories, self.clock)

    def has_new(self, released: FloatVector) -> bool:
        """Whether some released floats are none of its values."""
        return not np.isin(released[~np.isnan(released)], self.values[self.known]).all()

    def restore(self, released: FloatVector) -> Any:
        """A pyarrow array with the values that the floats stand for."""
        import pyarrow as pa

        missing = np.isnan(released)
        if self.is_category:
            codes = np.where(missing, 0, released).astype(np.int64)
            return values_at(codes, missing, self.categories, self.arrow_type)
        if self.clock is not None:
            return self.clock.restore(released, missing)
        if self.is_whole:
            whole = np.rint(np.where(missing, 0.0, released)).astype(np.int64)
            found = pa.array(whole, mask=missing)
            return found.cast(self.arrow_type) if self.is_ordered_number else found
        return pa.array(released + 0.0, mask=missing)  # −0.0 and 0.0 are one value


def read_variable(name: str, column: Any, kinds: Kinds) -> Variable:
    """Read a pyarrow column; its kind follows from its type unless `kinds` says otherwise."""
    import pyarrow as pa

    _require_one_order(name, column, kinds)
    column = _in_one_piece(column)
    kind = kinds.of(name, column.type)
    if kind in ("ordinal", "nominal") and not kinds.orders_numbers(name, column.type):
        levels = read_levels(name, kind, column, kinds.ordinal.get(name) or None)
        return Variable(name, kind, levels.codes, column.type, levels.categories)
    if is_instant(column.type):
        values, clock = read_instants(name, column)
        return Variable(name, kind, values, column.type, clock=clock)
    try:
        values = np.array(column.cast(pa.float64()).to_numpy(zero_copy_only=False))
    except pa.ArrowInvalid:  # a whole number that a float cannot hold
        refuse_huge([name])
        raise
    _require_usable(name, values)
    found = Variable(name, kind, values, column.type)
    if found.is_whole and beyond_floats(values):
        refuse_huge([name])
    return found


def _require_one_order(name: str, column: Any, kinds: Kinds) -> None:
    """Parts of a table may list ordered categories differently: then nobody knows the order."""
    import pyarrow as pa

    if not (pa.types.is_dictionary(column.type) and column.type.ordered) or kinds.ordinal.get(name):
        return
    chunks = column.chunks if isinstance(column, pa.ChunkedArray) else [column]
    if any(not chunk.dictionary.equals(chunks[0].dictionary) for chunk in chunks):
        raise SchemaError(
            f"The parts of the table list the ordered categories of {name!r} differently.",
            remedy="Give them from low to high",
            how=ways("ordinal"),
            column=name,
        )


def _in_one_piece(column: Any) -> Any:
    import pyarrow as pa

    if isinstance(column, pa.ChunkedArray):
        column = column.unify_dictionaries() if pa.types.is_dictionary(column.type) else column
        column = column.combine_chunks()
    return column


def _require_usable(name: str, values: FloatVector) -> None:
    infinite = int(np.isinf(values).sum())
    if infinite:
        raise SchemaError(
            f"{name!r} has {infinite} infinite value(s).", remedy=CORRECT, column=name
        )
    if (np.abs(values) > LARGEST).any():
        raise SchemaError(f"{name!r} has values beyond {LARGEST:g}.", remedy=CORRECT, column=name)
