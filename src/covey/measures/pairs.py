"""An original and a release of it, record by record and column by column."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from covey.errors import InvalidParameter, SchemaError
from covey.parameters import as_list
from covey.partition import Partition
from covey.scaling import power_of_two
from covey.tables.numeric import column_number, read_numeric
from covey.types import BoolVector, FloatMatrix, FloatVector


class Pair(NamedTuple):
    """Original and released values in raw units; NaN where a value is missing.

    Variables named in `nominal` hold codes of categories: only equality means anything.
    """

    original: FloatMatrix
    released: FloatMatrix
    names: tuple[str, ...]
    nominal: tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        return not (np.isnan(self.original).any() or np.isnan(self.released).any())

    @property
    def known(self) -> BoolVector:
        """Cells that are there in both."""
        return ~(np.isnan(self.original) | np.isnan(self.released))

    def select(self, columns: Sequence[int]) -> Pair:
        chosen = list(columns)
        return Pair(
            np.ascontiguousarray(self.original[:, chosen]),
            np.ascontiguousarray(self.released[:, chosen]),
            tuple(self.names[j] for j in chosen),
            tuple(self.names[j] for j in chosen if self.names[j] in self.nominal),
        )

    def numbers(self) -> Pair:
        """The variables that are not nominal."""
        if not self.nominal:
            return self
        return self.select([j for j, name in enumerate(self.names) if name not in self.nominal])


def read_pair(
    original: Any,
    released: Any,
    columns: Sequence[Any] | None = None,
    nominal: Sequence[Any] = (),
) -> Pair:
    """Read an original and its release; refuse what is not aligned.

    Rows must be in the same order. Named columns are matched by name, unnamed ones by position.
    `columns` picks some of them, by name or number; those in `nominal` hold codes of categories.
    """
    first, second = read_numeric(original, missing=True), read_numeric(released, missing=True)
    n, m = first.values.shape[0], second.values.shape[0]
    if n != m:
        raise SchemaError(
            f"The original has {n} records and the release {m}: they must be the same records in "
            "the same order."
        )
    released_values = second.values
    if first.names is not None and second.names is not None:
        _require_same(first.names, second.names)
        released_values = second.values[:, [second.names.index(name) for name in first.names]]
    elif first.values.shape[1] != second.values.shape[1]:
        raise SchemaError(
            f"The original has {first.values.shape[1]} columns and the release "
            f"{second.values.shape[1]}."
        )
    names = first.names or second.names or tuple(str(j) for j in range(first.values.shape[1]))
    coded = tuple(names[column_number(column, names, len(names))] for column in as_list(nominal))
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
    return Pair(pair.original / scale, pair.released / scale, pair.names, pair.nominal)


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
    table = read_numeric(released, missing=True)
    if keys is None:
        return equal_rows(table.values)
    names = table.names or tuple(str(j) for j in range(table.values.shape[1]))
    return equal_rows(table.values[:, column_numbers(keys, names)])


def equal_rows(values: FloatMatrix) -> Partition:
    """Classes of equal rows; missing equals missing."""
    labels = np.zeros(values.shape[0], dtype=np.int64)
    for j in range(values.shape[1]):
        _, codes = np.unique(values[:, j] + 0.0, return_inverse=True)  # −0.0 equals 0.0
        _, labels = np.unique(labels * (int(codes.max()) + 1) + codes, return_inverse=True)
    return Partition(labels)


def scores_of_both(pair: Pair) -> tuple[FloatMatrix, FloatMatrix]:
    """Z-scores of both by the original's mean and SD.

    A variable that does not vary in the original tells records nothing apart: zero in both.
    """
    mean, deviation = mean_and_deviation(pair.original)
    scale = np.where(deviation > 0, deviation, np.inf)
    return (pair.original - mean) / scale, (pair.released - mean) / scale


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
