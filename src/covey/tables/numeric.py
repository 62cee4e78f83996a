"""Numeric tables in and out: numpy arrays, or any data frame that narwhals knows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import narwhals as nw
import numpy as np

from covey.errors import SchemaError, unknown_name
from covey.parameters import Whole
from covey.tables.arrays import read_array
from covey.tables.frames import as_frame
from covey.tables.refusing import beyond_floats, listed, not_numeric, refuse_huge
from covey.types import FloatMatrix, FloatVector

# Sums of offsets between values this large still are floats.
LARGEST = 1e300


class NumericTable(NamedTuple):
    """A table as a matrix, with the way back to the container it came in."""

    values: FloatMatrix
    names: tuple[str, ...] | None
    rebuild: Callable[[FloatMatrix], Any]

    def column_number(self, column: Any) -> int:
        """Number of a column given by name or number."""
        return column_number(column, self.names or (), self.values.shape[1])


def column_number(column: Any, names: Sequence[str], n_columns: int) -> int:
    """Number of a column given by name or number; `SchemaError` if there is none such."""
    if isinstance(column, str):
        if not names:
            raise SchemaError(f"The columns have no names; there is none called {column!r}.")
        if column not in names:
            raise SchemaError(unknown_name("column", column, names))
        return list(names).index(column)
    if not Whole(0).allows(column) or int(column) >= n_columns:
        raise SchemaError(
            f"There is no column {column!r}: columns are numbered 0 to {n_columns - 1}."
        )
    return int(column)


def read_numeric(data: Any, *, missing: bool = False) -> NumericTable:
    """Read a table whose columns are all numeric and, unless `missing`, complete.

    Raises `SchemaError` naming the columns that hold text, have missing or infinite values, or
    look like identifiers. No message shows a value.
    """
    frame = as_frame(data)
    table = (
        NumericTable(read_array(data), None, lambda values: values)
        if frame is None
        else _from_frame(frame.wrapped, frame.restore, named=frame.named)
    )
    _require_cells(table)
    _require_finite(table, missing=missing)
    return table


def remember_features(estimator: Any, table: NumericTable) -> None:
    """Note the number and the names of the columns, as scikit-learn's estimators do."""
    estimator.n_features_in_ = table.values.shape[1]
    if table.names is not None:
        estimator.feature_names_in_ = np.array(table.names, dtype=object)
    elif hasattr(estimator, "feature_names_in_"):
        del estimator.feature_names_in_


def numeric_columns(frame: nw.DataFrame[Any]) -> list[str]:
    """Names of the columns that hold numbers (booleans are categories, not numbers)."""
    return [name for name, dtype in frame.schema.items() if dtype.is_numeric()]


def _from_frame(
    frame: nw.DataFrame[Any], restore: Callable[[Any], Any], *, named: bool
) -> NumericTable:
    text = [name for name in frame.columns if name not in set(numeric_columns(frame))]
    if text:
        raise not_numeric(text)
    values = np.empty((frame.shape[0], frame.shape[1]), dtype=np.float64)
    huge = []
    for j, name in enumerate(frame.columns):
        values[:, j] = _floats(frame[name])
        if frame.schema[name].is_integer() and beyond_floats(values[:, j]):
            huge.append(name)
    refuse_huge(huge)

    def rebuild(released: FloatMatrix) -> Any:
        columns = [
            nw.new_series(name, np.ascontiguousarray(released[:, j]), backend=frame.implementation)
            for j, name in enumerate(frame.columns)
        ]
        return restore(frame.with_columns(*columns).to_native())

    return NumericTable(values, tuple(frame.columns) if named else None, rebuild)


def _floats(column: nw.Series[Any]) -> FloatVector:
    try:
        return np.asarray(column.cast(nw.Float64).to_numpy())
    except ValueError:  # Arrow refuses whole numbers that a float cannot hold
        return np.asarray(column.to_numpy(), dtype=np.float64)


def _require_cells(table: NumericTable) -> None:
    if table.values.size == 0:
        n_records, n_variables = table.values.shape
        raise SchemaError(
            f"Found {n_records} record(s) and {n_variables} variable(s): the table is empty."
        )


def _require_finite(table: NumericTable, *, missing: bool) -> None:
    if table.values.min() >= -LARGEST and table.values.max() <= LARGEST:  # false for NaN
        return
    tests: dict[str, Callable[[FloatMatrix], Any]] = {
        "missing values (NaN)": np.isnan,
        "infinite values (inf)": np.isinf,
    }
    tests[f"values beyond {LARGEST:g}"] = lambda values: np.abs(values) > LARGEST
    for word, bad in list(tests.items())[missing:]:
        counts = bad(table.values).sum(axis=0)
        if counts.any():
            names = table.names or tuple(str(j) for j in range(counts.size))
            found = [f"{names[j]} ({counts[j]})" for j in np.flatnonzero(counts)]
            raise SchemaError(
                f"There are {word} in: {listed(found, quote=False)}. "
                "Remove these records or fill the values first."
            )
