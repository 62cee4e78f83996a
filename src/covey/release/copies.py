"""Columns that are released as they are and give away what grouping hides.

A copy of a quasi-identifier among them leads to the record whatever k is. So does a column whose
values belong to one unit each (a household, an employer): equal values tie the records of a unit
together.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from covey.errors import CoveyError, DisclosureWarning
from covey.release.numbers_in_text import numbers_in_text
from covey.release.prepared import Prepared
from covey.tables.categories import codes_of, plain_values
from covey.tables.kinds import Kinds
from covey.tables.roles import Roles
from covey.tables.variables import Variable, read_variable
from covey.tables.whole_numbers import are_whole
from covey.types import BoolVector, FloatVector, IntVector

# Correlations and shares of records above this make a copy.
NEARLY = 0.99
# One far value makes two columns go together; the order of the others has to agree as well.
SAME_ORDER = 0.9
# Fewer records may agree by chance.
ENOUGH = 10
# Records that are looked at, at equal steps through the table.
MOST_RECORDS = 100_000
# A value that stands for this many records on average does not tell another column by chance.
RECORDS_PER_VALUE = 10
# Cells of a table of two columns of categories that is counted at once.
MOST_CELLS = 4_000_000
# Records of units whose value no other unit has: so large a share is warned of.
TIED = 0.1


def warn_about_copies(prepared: Prepared, *, of_records: int | None = None) -> None:
    """Warn of columns released as they are that are nearly copies of quasi-identifiers.

    `of_records` is the number of all records, if these are a sample of them.
    """
    n_seen, found = prepared.noticed("copies", _copies)
    n_records = prepared.n_records if of_records is None else of_records
    where = f" (seen in a sample of {n_seen} records)" if n_seen < n_records else ""
    for name, copied in found:
        keys = ", ".join(map(repr, copied))
        _warn(
            f"{name!r} is released as it is, and it is nearly a copy of {keys}{where}: whoever "
            f"knows {copied[0]!r} finds the record, whatever k is. Name {name!r} as a "
            "quasi-identifier too, so that it is averaged, or drop it."
        )


def warn_about_ties(ties: Sequence[Tie], *, first: int | None = None) -> None:
    """Warn of columns that tie the records of a unit together; `first` records were looked at."""
    where = "" if first is None else f" (seen in the first {first} records)"
    for tie in ties:
        _warn(
            f"{tie.column!r} is released as it is, and it is the same for all records of one "
            f"{tie.unit!r} and different for others{where}: equal values tie the records of a unit "
            f"together, and k counts records. Name {tie.column!r} as a quasi-identifier, make it "
            f"coarser, or protect one record for each {tie.unit!r}."
        )


def as_they_are(roles: Roles) -> tuple[str, ...]:
    """Columns that are released as they are and are no strata."""
    return (*roles.confidential, *roles.keep, *roles.kept_weights)


# -- copies ------------------------------------------------------------------------------------


class _Copies(NamedTuple):
    """Records that were looked at, and the quasi-identifiers that each column is a copy of."""

    n_seen: int
    found: list[tuple[str, list[str]]]


def _copies(prepared: Prepared) -> _Copies:
    names = as_they_are(prepared.roles)
    if not names or prepared.n_records < ENOUGH:
        return _Copies(prepared.n_records, [])
    some = _some_records(prepared)
    keys = [_facts(variable) for variable in some.variables]
    columns = [_facts_of_column(name, some.table[name]) for name in names]
    found = [(one.name, [key.name for key in keys if _is_copy(one, key)]) for one in columns]
    return _Copies(some.n_records, [(name, copied) for name, copied in found if copied])


class _Facts(NamedTuple):
    """A column: codes of its values, −1 where missing, and its values and ranks as unit vectors.

    A column without an order has no vectors; vectors of one with gaps are NaN there. `inner` are
    the records between the least and the greatest value, if these repeat: they may be codes of
    what is unknown or does not apply.
    """

    name: str
    codes: IntVector
    vectors: tuple[FloatVector, ...] = ()
    is_complete: bool = True
    inner: BoolVector = np.ones(0, dtype=bool)


def _some_records(prepared: Prepared) -> Prepared:
    n = prepared.n_records
    if n <= MOST_RECORDS:
        return prepared
    return prepared.take(np.linspace(0, n - 1, MOST_RECORDS).astype(np.int64))


def _facts_of_column(name: str, column: Any) -> _Facts:
    try:
        return _facts(read_variable(name, column, Kinds.read()))
    except CoveyError:  # of a kind that cannot be grouped: equality is all there is
        return _Facts(name, codes_of(column))


def _facts(variable: Variable) -> _Facts:
    known = variable.known
    codes = np.full(known.size, -1, dtype=np.int64)
    codes[known] = np.unique(variable.values[known], return_inverse=True)[1]
    numbers = variable.values if variable.kind != "nominal" else numbers_in_text(variable)
    there = ~np.isnan(numbers)
    if not there.any():
        return _Facts(variable.name, codes)
    ranks = np.full(known.size, np.nan)
    ranks[there] = _average_ranks(numbers[there])
    vectors = tuple(_unit_vector(values, there) for values in (numbers, ranks))
    return _Facts(variable.name, codes, vectors, bool(there.all()), _between_ends(numbers, there))


def _average_ranks(numbers: FloatVector) -> FloatVector:
    """Ranks from 1; numbers that tie share the average of theirs."""
    _, which, counts = np.unique(numbers, return_inverse=True, return_counts=True)
    ranks: FloatVector = (np.cumsum(counts) - (counts - 1) / 2)[which]
    return ranks


def _between_ends(numbers: FloatVector, there: BoolVector) -> BoolVector:
    """Records that are at no end of the numbers that several records share."""
    inner: BoolVector = there.copy()
    for end in (numbers[there].min(), numbers[there].max()):
        at_end = numbers == end
        if at_end.sum() > 1:
            inner = inner & ~at_end
    return inner


def _unit_vector(values: FloatVector, inside: BoolVector) -> FloatVector:
    """Offsets from the mean over some records, of length 1; scaled before they are squared."""
    inner = values[inside]
    offsets = inner / max(float(np.abs(inner).max(initial=0.0)), 1e-300)
    offsets = offsets - (offsets.mean() if offsets.size else 0.0)
    found = np.full(values.size, np.nan)
    found[inside] = offsets / max(float(np.sqrt(np.square(offsets).sum())), 1e-300)
    return found


def _is_copy(column: _Facts, key: _Facts) -> bool:
    both = (column.codes >= 0) & (key.codes >= 0)
    if both.sum() < ENOUGH or not _varies(column.codes[both]) or not _varies(key.codes[both]):
        return False
    return _goes_with(column, key) or _tells(column.codes[both], key.codes[both])


def _goes_with(column: _Facts, key: _Facts) -> bool:
    """Whether the numbers of a column are nearly those of a key, or in nearly their order.

    They are judged without the ends that records share too: a code that both have does not make a
    copy, and one that only the copy has does not hide it.
    """
    if not (column.vectors and key.vectors):
        return False
    complete = column.is_complete and key.is_complete
    both = ~(np.isnan(column.vectors[0]) | np.isnan(key.vectors[0]))
    if both.sum() < ENOUGH:
        return False
    alike = _agreement(column, key, both, complete=complete)
    inner = column.inner & key.inner
    enough = max(ENOUGH, TIED * both.sum()) <= inner.sum() < both.sum()
    if not (enough and _varies(column.codes[inner]) and _varies(key.codes[inner])):
        return alike.is_close
    without_ends = _agreement(column, key, inner, complete=False)
    return without_ends.is_close or (alike.is_close and without_ends.order > SAME_ORDER)


class _Agreement(NamedTuple):
    """Correlations of two columns, by their values and by their ranks."""

    values: float
    order: float

    @property
    def is_close(self) -> bool:
        return self.order > NEARLY or (self.values > NEARLY and self.order > SAME_ORDER)


def _agreement(column: _Facts, key: _Facts, inside: BoolVector, *, complete: bool) -> _Agreement:
    pairs = zip(column.vectors, key.vectors, strict=True)
    return _Agreement(*(_correlation(*pair, inside, complete=complete) for pair in pairs))


def _varies(codes: IntVector) -> bool:
    return bool(codes.min() < codes.max())


def _correlation(
    first: FloatVector, second: FloatVector, both: BoolVector, *, complete: bool
) -> float:
    """How strongly two columns go together over the records that have both, 0 to 1."""
    if not complete:
        first, second = _unit_vector(first, both)[both], _unit_vector(second, both)[both]
    return float(abs((first * second).sum()))


def _tells(codes: IntVector, key: IntVector) -> bool:
    """Whether the category of a column tells that of a key, better than the commonest would."""
    n_values, n_keys = int(codes.max()) + 1, int(key.max()) + 1
    counts = np.bincount(codes)
    used, others = np.count_nonzero(counts), codes.size - int(counts.max())
    is_relabelled = used == np.count_nonzero(np.bincount(key)) and used - 1 <= others / 2
    if not is_relabelled and used > codes.size / RECORDS_PER_VALUE:
        return False
    if n_values * n_keys > MOST_CELLS and not is_relabelled:
        return False
    wrong = codes.size - _largest_of_each(codes, key, n_keys)
    by_chance = codes.size - int(np.bincount(key).max())
    return bool(wrong <= (1 - NEARLY) * by_chance)


def _largest_of_each(codes: IntVector, key: IntVector, n_keys: int) -> int:
    """Records that have the key that is most frequent with their value."""
    cells, counts = np.unique(codes * n_keys + key, return_counts=True)
    largest = np.zeros(int(codes.max()) + 1, dtype=np.int64)
    np.maximum.at(largest, cells // n_keys, counts)
    return int(largest.sum())


# -- units -------------------------------------------------------------------------------------


class Tie(NamedTuple):
    """A column whose values belong to one unit each, and the dropped column that names units."""

    column: str
    unit: str


def ties_of(prepared: Prepared) -> list[Tie]:
    """Columns released as they are that tie the records of a unit together."""
    found: list[Tie] = prepared.noticed("ties", lambda _: list(_ties(prepared)))
    return found


def _ties(prepared: Prepared) -> Iterator[Tie]:
    table, roles = prepared.table, prepared.roles
    codes = {name: codes_of(table[name]) for name in as_they_are(roles)}
    for unit in roles.dropped if codes else ():
        if unit not in table.column_names or not _may_name_units(table[unit]):
            continue
        known = _known(table[unit])
        units = codes_of(table[unit])[known]
        if not _repeats(units):
            continue
        for name, values in list(codes.items()):
            if _is_tied(values[known], units):
                codes.pop(name)  # said once
                yield Tie(name, unit)


def _may_name_units(column: Any) -> bool:
    """Amounts name nobody; text and whole numbers may, in whatever type they are stored."""
    import pyarrow as pa
    import pyarrow.types as t

    if t.is_floating(column.type) or t.is_decimal(column.type):
        numbers = column.cast(pa.float64(), safe=False).to_numpy()
        return are_whole(numbers[np.isfinite(numbers)])
    return not t.is_nested(column.type)


def _known(column: Any) -> BoolVector:
    """Records that have a unit: those that have none are no unit together."""
    import pyarrow.compute as pc

    missing = pc.is_null(plain_values(column), nan_is_null=True)
    return ~np.asarray(missing.to_numpy(zero_copy_only=False), dtype=bool)


def _repeats(units: IntVector) -> bool:
    """Whether there are several units, and a good part of the records shares one with others."""
    sizes = np.bincount(units)
    return sizes.size >= ENOUGH and int(sizes[sizes > 1].sum()) > TIED * units.size


def _is_tied(values: IntVector, units: IntVector) -> bool:
    """Whether nearly all units have one value, and many have one that no other unit has."""
    sizes = np.bincount(units)
    shared = sizes[units] > 1
    values, units = values[shared], units[shared]
    n_values = int(values.max()) + 1
    cells, counts = np.unique(units * n_values + values, return_counts=True)
    agreeing = np.zeros(sizes.size, dtype=np.int64)
    np.maximum.at(agreeing, cells // n_values, counts)
    if agreeing.sum() < NEARLY * units.size:
        return False
    n_units = np.bincount(cells % n_values, minlength=n_values)
    return bool((n_units[values] == 1).mean() > TIED)


def _warn(text: str) -> None:
    warnings.warn(text, DisclosureWarning, stacklevel=4)
