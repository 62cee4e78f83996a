"""Numeric tables in and out: numpy arrays, or any data frame that narwhals knows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import narwhals as nw
import numpy as np
from scipy.sparse import issparse

from covey.errors import SchemaError, unknown_name
from covey.parameters import Whole
from covey.tables.frames import as_frame
from covey.types import FloatMatrix, FloatVector

# Sums of offsets between values this large still are floats.
LARGEST = 1e300

_AVERAGES = (
    "Microaggregation averages numbers; leave these columns out or turn them into numbers first."
)


_KINDS = {"b": "true and false", "m": "durations", "M": "dates", "S": "text", "U": "text"}


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
        NumericTable(_from_array(data), None, lambda values: values)
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
        raise SchemaError(f"Not numeric: {_listed(text)}. {_AVERAGES}")
    values = np.empty((frame.shape[0], frame.shape[1]), dtype=np.float64)
    huge = []
    for j, name in enumerate(frame.columns):
        values[:, j] = _floats(frame[name])
        if frame.schema[name].is_integer() and _beyond_floats(values[:, j]):
            huge.append(name)
    _refuse_huge(huge)

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


def _from_array(data: Any) -> FloatMatrix:
    dimensions = _dimensions(data)
    if dimensions != 2:
        raise SchemaError(
            f"Expected a table (2 dimensions), got {dimensions}. Reshape your data with "
            ".reshape(-1, 1) if it is one variable."
        )
    kind = "" if issparse(data) else np.asarray(data).dtype.kind
    if kind in ("b", "m", "M", "S", "U"):
        raise SchemaError(f"Not numeric: the array holds {_KINDS[kind]}. {_AVERAGES}")
    if kind == "O" and _text_columns(data):
        raise SchemaError(f"Not numeric: {_listed(_text_columns(data))}. {_AVERAGES}")
    values = _as_floats(data)
    if kind in ("i", "u"):
        _refuse_huge([str(j) for j in range(values.shape[1]) if _beyond_floats(values[:, j])])
    if np.ma.isMaskedArray(data):
        values = np.where(np.ma.getmaskarray(data), np.nan, values)
    return values


def _dimensions(data: Any) -> int:
    try:
        return int(np.ndim(data))
    except ValueError:
        raise SchemaError("The rows of the table do not have the same length.") from None


def _as_floats(data: Any) -> FloatMatrix:
    """Let scikit-learn read what is like an array, but keep values out of its messages."""
    from sklearn.utils.validation import check_array

    try:
        values: FloatMatrix = check_array(
            data, dtype=np.float64, order="C", ensure_all_finite=False, ensure_min_samples=0
        )
    except ValueError as error:
        if "feature(s)" in str(error):
            raise
        if "omplex" in str(error):
            raise SchemaError("Complex data not supported: numbers must be real.") from None
        raise SchemaError(
            f"The data could not be read as a table of numbers. {_AVERAGES}"
        ) from None
    return values


def _beyond_floats(values: FloatVector) -> bool:
    """Whether whole numbers are too large for a float to hold every one of them."""
    return bool((np.abs(values) > 2.0**53).any())


def _refuse_huge(names: list[str]) -> None:
    if names:
        raise SchemaError(
            f"Whole numbers beyond 2^53 in {_listed(names)}: these look like identifiers, and "
            "their digits would be lost. Leave them out, or turn measurements into floats first."
        )


def _text_columns(data: Any) -> list[str]:
    array = np.asarray(data, dtype=object)
    return [
        str(j)
        for j in range(array.shape[1])
        if any(isinstance(value, str | bytes) for value in array[:, j])
    ]


def _require_cells(table: NumericTable) -> None:
    if table.values.size == 0:
        n_records, n_variables = table.values.shape
        raise SchemaError(
            f"Found {n_records} record(s) and {n_variables} variable(s): the table is empty."
        )


def _require_finite(table: NumericTable, *, missing: bool) -> None:
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
                f"There are {word} in: {_listed(found, quote=False)}. "
                "Remove these records or fill the values first."
            )


def _listed(names: list[str], quote: bool = True, most: int = 8) -> str:
    shown = [repr(name) if quote else name for name in names[:most]]
    return "columns " + ", ".join(shown) + (" …" if len(names) > most else "")
