"""What a column holds, counted: the ground that guesses about it stand on."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

import numpy as np

from covey.errors import CoveyError
from covey.tables import column_names as names
from covey.tables.categories import codes_of
from covey.tables.kinds import Kinds
from covey.tables.variables import Variable, read_variable
from covey.tables.whole_numbers import (
    ENOUGH_NUMBERS,
    are_whole,
    follow_each_other,
    look_like_codes,
    look_like_keys,
)
from covey.types import FloatVector

# Numbers that people write for "unknown".
CODES_FOR_MISSING = {-1.0, -7.0, -8.0, -9.0, -77.0, -88.0, -99.0, -777.0, -888.0, -999.0, -9999.0}
NUMBERS = ("number", "integer")
# Codes that a name says are codes, at most.
MOST_NAMED_CODES = 200


class Facts(NamedTuple):
    """A column; `words` is its name as `column_names` has it.

    `variable` is None for a column that cannot be grouped.
    """

    name: str
    words: str
    kind: str
    n_records: int
    missing: int
    distinct: int
    variable: Variable | None

    @property
    def known(self) -> int:
        return self.n_records - self.missing

    @property
    def repeats(self) -> bool:
        return self.distinct < self.known

    @property
    def values(self) -> FloatVector:
        """Known values of a column of numbers."""
        assert self.variable is not None
        return self.variable.values[self.variable.known]

    @property
    def is_key(self) -> bool:
        """Whether its values name something, judged by the values alone."""
        if self.kind == "nominal":
            return self.known > 1
        return self.kind == "integer" and look_like_keys(np.unique(self.values))

    @property
    def are_codes(self) -> bool:
        """Whether its whole numbers are codes of categories, judged by name and values."""
        return self.kind == "integer" and coded_numbers(self.words, self.values)

    def named(self, pattern: str) -> bool:
        return names.suggests(pattern, self.words)


def facts_of(name: str, column: Any, columns: Collection[str]) -> Facts:
    """Count what a pyarrow column holds; `columns` are the names of all columns of the table."""
    try:
        variable = read_variable(name, column, Kinds.read(integers=True))
        kind, missing = variable.kind, int((~variable.known).sum())
        if kind == "number" and are_whole(variable.values[variable.known]):
            kind = "integer"
    except CoveyError:
        variable, kind, missing = None, "cannot be grouped", int(column.null_count)
    distinct = len(np.unique(codes_of(column))) - (missing > 0)
    words = names.words_of(name, columns)
    return Facts(name, words, kind, len(column), missing, distinct, variable)


def coded_numbers(words: str, values: FloatVector) -> bool:
    """Whether whole numbers are codes: few and small, or called so; not where they are counts."""
    if names.suggests(names.CODE, words):
        return len(np.unique(values)) <= MOST_NAMED_CODES and not _all_different(values)
    if names.suggests(names.COUNT, words) or names.suggests(names.AMOUNT, words):
        return False
    return look_like_codes(values)


def _all_different(values: FloatVector) -> bool:
    return len(np.unique(values)) == values.size


def averaged_codes(variables: Sequence[Variable]) -> tuple[str, ...]:
    """Variables that are averaged as numbers and seem to hold codes of categories.

    Numbers of which only the order counts are among them: their medians may be means of codes.
    """
    return tuple(variable.name for variable in variables if _is_averaged_code(variable))


def _is_averaged_code(variable: Variable) -> bool:
    values = variable.values[variable.known]
    ordered = variable.is_ordered_number and variable.clock is None
    if not (variable.kind == "number" or ordered) or not are_whole(values):
        return False
    return coded_numbers(names.as_words(variable.name), values)


def why_identifier(variable: Variable, *, counts: bool = True) -> str:
    """Why a variable seems to name records; "" if it does not, or is text, which is refused then.

    `counts` tells whether all records are there, so that different values can be counted.
    """
    if variable.is_category or variable.is_ordered_number:
        return ""
    words, values = names.as_words(variable.name), variable.values[variable.known]
    if names.suggests(names.IDENTIFIER, words):
        return "by its name"
    if variable.kind not in NUMBERS or not are_whole(values):
        return ""
    if names.suggests(names.AMOUNT, words):
        return ""
    if names.suggests(names.KEY, words):
        return "by its name"
    counted = counts and values.size > ENOUGH_NUMBERS and _all_different(values)
    return "it counts the records" if counted and follow_each_other(np.unique(values)) else ""


def looks_coded(variable: Variable) -> bool:
    """Whether the lowest value of numbers seems to stand for "unknown"."""
    if variable.kind not in NUMBERS:
        return False
    values = variable.values[variable.known]
    if values.size == 0 or float(values.min()) not in CODES_FOR_MISSING:
        return False
    lowest = values == values.min()
    return bool(lowest.sum() > 1 and not lowest.all() and values[~lowest].min() >= 0)
