"""An original and a release of it, record by record and column by column."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np

from covey.errors import InvalidParameter, SchemaError
from covey.parameters import as_list
from covey.partition import Partition
from covey.scaling import power_of_two
from covey.tables.numeric import column_number, read_numeric
from covey.threads import in_parallel
from covey.types import BoolVector, FloatMatrix, FloatVector, IntVector

Result = TypeVar("Result")

LARGEST_LABEL = 2**62


@dataclass(frozen=True, eq=False)
class Pair:
    """Original and released values in raw units; NaN where a value is missing.

    Variables named in `nominal` hold codes of categories: only equality means anything. Measures
    take a pair in the place of both files; what several of them need is then computed once.
    """

    original: FloatMatrix
    released: FloatMatrix
    names: tuple[str, ...]
    nominal: tuple[str, ...] = ()
    _computed: dict[str, Any] = field(default_factory=dict, repr=False)

    def once(self, what: str, compute: Callable[[], Result]) -> Result:
        """The result of `compute`, which is called the first time only."""
        if what not in self._computed:
            self._computed[what] = compute()
        found: Result = self._computed[what]
        return found

    def computed(self, what: str) -> Any:
        """What `once` computed; None if it never did."""
        return self._computed.get(what)

    @property
    def complete(self) -> bool:
        """Whether no cell is missing in either file."""
        return bool(self.known.all())

    @property
    def known(self) -> BoolVector:
        """Cells that are there in both."""
        return self.once("known", lambda: ~(np.isnan(self.original) | np.isnan(self.released)))

    @property
    def orders(self) -> list[IntVector]:
        """The records by their value in each released variable, stably; missing ones last."""
        return self.once("orders", lambda: stable_orders(self.released))

    @property
    def classes(self) -> Partition:
        """Records that are equal in all released variables."""
        return self.once("classes", lambda: equal_rows(self.released, self.orders))

    @property
    def first_of_class(self) -> IntVector:
        """The first record of each class."""
        return self.once("first of class", lambda: _first_of_each(self.classes))

    def select(self, columns: Sequence[int]) -> Pair:
        """Some of the variables, by number, with what is known of their order."""
        chosen = list(columns)
        if chosen == list(range(len(self.names))):
            return self
        original = np.ascontiguousarray(self.original[:, chosen])
        same = self.released is self.original
        orders = self.computed("orders")
        return Pair(
            original,
            original if same else np.ascontiguousarray(self.released[:, chosen]),
            tuple(self.names[j] for j in chosen),
            tuple(self.names[j] for j in chosen if self.names[j] in self.nominal),
            {} if orders is None else {"orders": [orders[j] for j in chosen]},
        )

    def numbers(self) -> Pair:
        """The variables that are not nominal."""
        if not self.nominal:
            return self
        numbers = [j for j, name in enumerate(self.names) if name not in self.nominal]
        return self.once("numbers", lambda: self.select(numbers))

    def with_nominal(self, names: Sequence[str]) -> Pair:
        """The same values with other variables as codes of categories."""
        if set(names) == set(self.nominal):
            return self
        return Pair(
            self.original, self.released, self.names, tuple(names), {"classes": self.classes}
        )


def read_pair(
    original: Any,
    released: Any,
    columns: Sequence[Any] | None = None,
    nominal: Sequence[Any] = (),
) -> Pair:
    """Read an original and its release; refuse what is not aligned.

    Rows must be in the same order. Named columns are matched by name, unnamed ones by position.
    `columns` picks some of them, by name or number; those in `nominal` hold codes of categories.
    A pair that was read before is taken as it is.
    """
    if isinstance(original, Pair):
        coded = column_names(nominal, original.names)
        pair = original.with_nominal(coded) if coded else original
        return pair if columns is None else pair.select(column_numbers(columns, pair.names))
    first = read_numeric(original, missing=True)
    second = first if released is original else read_numeric(released, missing=True)
    n, m = first.values.shape[0], second.values.shape[0]
    if n != m:
        raise SchemaError(
            f"The original has {n} records and the release {m}: they must be the same records in "
            "the same order."
        )
    released_values = second.values
    if first.names is not None and second.names is not None:
        _require_same(first.names, second.names)
        if first.names != second.names:
            released_values = second.values[:, [second.names.index(name) for name in first.names]]
    elif first.values.shape[1] != second.values.shape[1]:
        raise SchemaError(
            f"The original has {first.values.shape[1]} columns and the release "
            f"{second.values.shape[1]}."
        )
    names = first.names or second.names or tuple(str(j) for j in range(first.values.shape[1]))
    coded = column_names(nominal, names)
    pair = _in_handy_units(Pair(first.values, np.ascontiguousarray(released_values), names, coded))
    return pair if columns is None else pair.select(column_numbers(columns, names))


def _in_handy_units(pair: Pair) -> Pair:
    """Both files with each variable divided by the same power of two, which loses no digit.

    No measure depends on units, but squares of very large or small values leave the range of
    floats.
    """
    sizes = np.maximum(
        np.nan_to_num(np.abs(pair.original)).max(axis=0, initial=0.0),
        np.nan_to_num(np.abs(pair.released)).max(axis=0, initial=0.0),
    )
    scale = np.array([power_of_two(float(size)) for size in sizes])
    original = pair.original / scale
    same = pair.released is pair.original
    return Pair(original, original if same else pair.released / scale, pair.names, pair.nominal)


def column_names(columns: Sequence[Any], names: Sequence[str]) -> tuple[str, ...]:
    """Names of columns given by name or number."""
    return tuple(names[column_number(column, names, len(names))] for column in as_list(columns))


def column_numbers(columns: Sequence[Any], names: Sequence[str]) -> list[int]:
    """Column numbers of names or numbers, in the order given; at least one, each once."""
    columns = as_list(columns)
    if not isinstance(columns, Sequence):
        raise InvalidParameter(f"Columns must be given as a list; got {columns!r}.")
    numbers = [column_number(column, names, len(names)) for column in columns]
    if not numbers or len(set(numbers)) < len(numbers):
        raise InvalidParameter("Columns must be given as a list of at least one, each once.")
    return numbers


def _require_same(original: tuple[str, ...], released: tuple[str, ...]) -> None:
    only_original = [name for name in original if name not in released]
    only_released = [name for name in released if name not in original]
    if only_original or only_released:
        parts = [
            f"only in the {place}: {', '.join(map(repr, names))}"
            for place, names in (("original", only_original), ("release", only_released))
            if names
        ]
        raise SchemaError(f"The columns differ ({'; '.join(parts)}). Choose those both have.")


def released_classes(released: Any, keys: Sequence[Any] | None = None) -> Partition:
    """Classes of records that are equal in the released `keys` (all columns if not given)."""
    if isinstance(released, Pair):
        return read_pair(released, released, keys).classes
    table = read_numeric(released, missing=True)
    if keys is None:
        return equal_rows(table.values)
    names = table.names or tuple(str(j) for j in range(table.values.shape[1]))
    return equal_rows(table.values[:, column_numbers(keys, names)])


def stable_orders(values: FloatMatrix) -> list[IntVector]:
    """The rows by their value in each column, stably; missing values last."""
    return in_parallel(lambda column: np.argsort(column, kind="stable"), list(values.T))


def equal_rows(values: FloatMatrix, orders: Sequence[IntVector] | None = None) -> Partition:
    """Classes of equal rows, in the order of their values; missing equals missing."""
    orders = stable_orders(values) if orders is None else orders
    labels, n_labels = np.zeros(values.shape[0], dtype=np.int64), 1
    for column, order in zip(values.T, orders, strict=True):
        codes, n_codes = _codes(column, order)
        if n_labels * n_codes > LARGEST_LABEL:
            found, labels = np.unique(labels, return_inverse=True)
            n_labels = int(found.size)
        labels, n_labels = labels * n_codes + codes, n_labels * n_codes
    return Partition(np.unique(labels, return_inverse=True)[1])


def _first_of_each(classes: Partition) -> IntVector:
    first = np.empty(classes.n_groups, dtype=np.int64)
    first[classes.labels[::-1]] = np.arange(classes.n_records)[::-1]  # the last one assigned stays
    return first


def _codes(column: FloatVector, order: IntVector) -> tuple[IntVector, int]:
    """The place of each value among the different ones, and how many there are."""
    ordered = column[order]
    missing = np.isnan(ordered)
    new = np.ones(ordered.size, dtype=np.bool_)
    new[1:] = (ordered[1:] != ordered[:-1]) & ~(missing[1:] & missing[:-1])
    codes = np.empty(order.size, dtype=np.int64)
    codes[order] = np.cumsum(new) - 1
    return codes, int(new.sum())


def scores_of_both(pair: Pair) -> tuple[FloatMatrix, FloatMatrix]:
    """Z-scores of both by the original's mean and SD.

    A variable that does not vary in the original tells records nothing apart: zero in both.
    """
    mean, deviation = centre_of(pair)
    scale = np.where(deviation > 0, deviation, np.inf)
    first = (pair.original - mean) / scale
    same = pair.released is pair.original
    return first, first if same else (pair.released - mean) / scale


def centre_of(pair: Pair) -> tuple[FloatVector, FloatVector]:
    """Mean and SD of each variable in the original."""
    return pair.once("centre", lambda: mean_and_deviation(pair.original))


def mean_and_deviation(values: FloatMatrix) -> tuple[FloatVector, FloatVector]:
    """Mean and SD of each variable over what is known; exactly 0 where nothing varies."""
    known = ~np.isnan(values)
    counts = np.maximum(known.sum(axis=0), 1)
    mean = np.where(known, values, 0.0).sum(axis=0) / counts
    squares = np.where(known, np.square(values - mean), 0.0).sum(axis=0) / counts
    return mean, np.where(varies(values, known), np.sqrt(squares), 0.0)


def varies(values: FloatMatrix, known: BoolVector) -> BoolVector:
    """Which variables vary. The mean of equal values may differ from them by rounding."""
    low = np.where(known, values, np.inf).min(axis=0)
    high = np.where(known, values, -np.inf).max(axis=0)
    return np.asarray(high > low)
