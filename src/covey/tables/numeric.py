"""Numeric tables in and out: numpy arrays, or any data frame that narwhals knows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import narwhals as nw
import numpy as np

from covey.errors import SchemaError
from covey.types import FloatMatrix


class NumericTable(NamedTuple):
    """A table as a matrix, with the way back to the container it came in."""

    values: FloatMatrix
    names: tuple[str, ...] | None
    rebuild: Callable[[FloatMatrix], Any]


def read_numeric(data: Any) -> NumericTable:
    """Read a table whose columns are all numeric and complete.

    Raises `SchemaError` naming the columns that hold text or have missing or infinite values.
    """
    frame = nw.from_native(data, eager_only=True, pass_through=True)
    if isinstance(frame, nw.DataFrame):
        table = _from_frame(frame)
    else:
        _refuse_lazy(frame)
        table = NumericTable(_from_array(data), None, lambda values: values)
    _require_cells(table)
    _require_finite(table)
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


def _from_frame(frame: nw.DataFrame[Any]) -> NumericTable:
    text = [name for name in frame.columns if name not in set(numeric_columns(frame))]
    if text:
        raise SchemaError(
            f"Not numeric: {_listed(text)}. Microaggregation averages numbers; "
            "leave these columns out or turn them into numbers first."
        )
    values = np.empty((frame.shape[0], frame.shape[1]), dtype=np.float64)
    for j, name in enumerate(frame.columns):
        values[:, j] = frame[name].cast(nw.Float64).to_numpy()

    def rebuild(released: FloatMatrix) -> Any:
        columns = [
            nw.new_series(name, np.ascontiguousarray(released[:, j]), backend=frame.implementation)
            for j, name in enumerate(frame.columns)
        ]
        return frame.with_columns(*columns).to_native()

    return NumericTable(values, tuple(str(name) for name in frame.columns), rebuild)


def _from_array(data: Any) -> FloatMatrix:
    # scikit-learn's own message for a one-dimensional array prints its values.
    if np.ndim(data) == 1:
        raise SchemaError(
            "Expected a table (2 dimensions), got one row or column. Reshape your data with "
            ".reshape(-1, 1) if it is one variable."
        )
    from sklearn.utils.validation import check_array

    try:
        values: FloatMatrix = check_array(
            data, dtype=np.float64, order="C", ensure_all_finite=False, ensure_min_samples=0
        )
    except ValueError as error:
        if "convert string" not in str(error) and "dtype" not in str(error):
            raise
        raise SchemaError(
            f"Not numeric: {_listed(_text_columns(data))}. Microaggregation averages numbers; "
            "leave these columns out or turn them into numbers first."
        ) from None
    return values


def _text_columns(data: Any) -> list[str]:
    def is_text(column: Any) -> bool:
        try:
            column.astype(np.float64)
        except (TypeError, ValueError):
            return True
        return False

    array = np.asarray(data, dtype=object)
    return [str(j) for j in range(array.shape[1]) if is_text(array[:, j])]


def _refuse_lazy(frame: Any) -> None:
    wrapped = nw.from_native(frame, pass_through=True)
    if isinstance(wrapped, nw.LazyFrame):
        raise SchemaError("Got a lazy frame; collect it first (for example with .collect()).")


def _require_cells(table: NumericTable) -> None:
    if table.values.size == 0:
        n_records, n_variables = table.values.shape
        raise SchemaError(
            f"Found {n_records} record(s) and {n_variables} variable(s): the table is empty."
        )


def _require_finite(table: NumericTable) -> None:
    for word, bad in (("missing values (NaN)", np.isnan), ("infinite values (inf)", np.isinf)):
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
