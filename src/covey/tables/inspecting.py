"""A first guess at what each column is, with the reason. Never applied on its own."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from covey.errors import CoveyError
from covey.tables.categories import codes_of
from covey.tables.kinds import Kinds
from covey.tables.variables import Variable, read_variable
from covey.types import FloatVector

IDENTIFIER_NAMES = r"(^|_)(id|uuid|guid|ssn|nin|iban|email|e_mail|phone|tel|passport|address)(_|$)"
PERSON_NAMES = r"(^|_)(name|surname|firstname|lastname|forename)(_|$)"
WEIGHT_NAMES = r"(^|_)(weight|weights|wgt|pond|hochrechnung|grossing)(_|$|\d)"
STRATUM_NAMES = r"(^|_)(region|stratum|strata|nuts\d?|district|canton|province|state|country)(_|$)"
CONFIDENTIAL_NAMES = (
    r"(^|_)(diagnosis|disease|illness|health|disability|religion|ethnicity|union|party|"
    r"conviction|crime|sexual|hiv)(_|$)"
)
# Numbers that people write for "unknown".
CODES_FOR_MISSING = {-1.0, -7.0, -8.0, -9.0, -77.0, -88.0, -99.0, -777.0, -888.0, -999.0, -9999.0}
MOST_STRATA = 50
# Among fewer records whole numbers may all differ by chance.
ENOUGH_NUMBERS = 50


class Inspected(NamedTuple):
    """A column: what it holds, the role it probably has, why, and what to look at."""

    name: str
    kind: str
    missing: int
    distinct: int
    role: str
    reason: str
    note: str


class _Facts(NamedTuple):
    name: str
    words: str
    kind: str
    n_records: int
    missing: int
    distinct: int
    variable: Variable | None

    @property
    def all_different(self) -> bool:
        known = self.n_records - self.missing
        enough = known > (1 if self.kind == "nominal" else ENOUGH_NUMBERS)
        return enough and self.distinct == known and self.kind in ("nominal", "integer")


def why_identifier(variable: Variable, *, counts: bool = True) -> str:
    """Why a variable seems to name records; "" if it does not, or is text, which is refused then.

    `counts` tells whether all records are there, so that different values can be counted.
    """
    import pyarrow as pa

    if variable.is_category or variable.is_ordered_number:
        return ""
    if re.search(IDENTIFIER_NAMES, _as_words(variable.name)):
        return "by its name"
    values = variable.values[variable.known]
    whole = pa.types.is_integer(variable.arrow_type) and values.size > ENOUGH_NUMBERS
    return "it counts the records" if counts and whole and _is_running_number(values) else ""


def _is_running_number(values: FloatVector) -> bool:
    """All different and close together, which amounts are not."""
    close = float(np.ptp(values)) < 2 * values.size
    return close and len(np.unique(values)) == values.size


def _as_words(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|[\s.\-]+", "_", name).lower()


def inspect_table(table: Any) -> list[Inspected]:
    """Look at every column of a pyarrow table."""
    return [_inspected(_facts(name, table[name])) for name in table.column_names]


def _facts(name: str, column: Any) -> _Facts:
    try:
        variable = read_variable(name, column, Kinds.read(integers=True))
        kind, missing = variable.kind, int((~variable.known).sum())
    except CoveyError:
        variable, kind, missing = None, "cannot be grouped", int(column.null_count)
    words = _as_words(name)
    distinct = len(set(codes_of(column).tolist())) - (missing > 0)
    return _Facts(name, words, kind, len(column), missing, distinct, variable)


def _inspected(facts: _Facts) -> Inspected:
    role, reason = next((role, reason) for role, reason, holds in _GUESSES if holds(facts))
    return Inspected(
        facts.name, facts.kind, facts.missing, facts.distinct, role, reason, _note(facts)
    )


def _named(pattern: str) -> Callable[[_Facts], bool]:
    return lambda facts: re.search(pattern, facts.words) is not None


_GUESSES: tuple[tuple[str, str, Callable[[_Facts], bool]], ...] = (
    ("identifier", "name", _named(IDENTIFIER_NAMES)),
    ("identifier", "no two values are equal", lambda facts: facts.all_different),
    (
        "identifier",
        "perhaps names of persons",
        lambda facts: facts.kind == "nominal" and _named(PERSON_NAMES)(facts),
    ),
    (
        "weight",
        "name",
        lambda facts: facts.kind in ("number", "integer") and _named(WEIGHT_NAMES)(facts),
    ),
    (
        "stratum",
        "name, few values",
        lambda facts: facts.distinct <= MOST_STRATA and _named(STRATUM_NAMES)(facts),
    ),
    ("confidential", "name", _named(CONFIDENTIAL_NAMES)),
    ("not named", "no values", lambda facts: facts.distinct == 0),
    (
        "not named",
        "of a kind that cannot be grouped",
        lambda facts: facts.variable is None,
    ),
    (
        "not named",
        "text with too many different values",
        lambda facts: facts.kind == "nominal" and facts.distinct > facts.n_records / 3,
    ),
    ("quasi-identifier", "others may know it", lambda _: True),
)


def _note(facts: _Facts) -> str:
    if _may_hide_missing(facts):
        return (
            "The lowest value is negative, repeated and looks like a code. If it means "
            "'unknown', empty these cells first."
        )
    if facts.kind == "integer" and 2 < facts.distinct <= 10:
        return "Few whole numbers: if these are codes, name it as nominal or ordinal."
    if facts.kind == "nominal" and 2 < facts.distinct <= 12:
        return "If its categories have an order, name it as ordinal and list them."
    return ""


def _may_hide_missing(facts: _Facts) -> bool:
    return facts.variable is not None and looks_coded(facts.variable)


def looks_coded(variable: Variable) -> bool:
    """Whether the lowest value of numbers seems to stand for "unknown"."""
    if variable.kind not in ("number", "integer"):
        return False
    values = variable.values[variable.known]
    if values.size == 0 or float(values.min()) not in CODES_FOR_MISSING:
        return False
    lowest = values == values.min()
    return bool(lowest.sum() > 1 and not lowest.all() and values[~lowest].min() >= 0)
