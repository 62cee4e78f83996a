"""Arrays, and what is like an array, as a matrix of floats."""

from __future__ import annotations

from typing import Any

import numpy as np

from covey.errors import SchemaError
from covey.tables.refusing import ADVICE, beyond_floats, not_numeric, refuse_huge
from covey.types import FloatMatrix

_KINDS = {"b": "true and false", "m": "durations", "M": "dates", "S": "text", "U": "text"}


def read_array(data: Any) -> FloatMatrix:
    """Values as floats, NaN where a masked array hides one."""
    dimensions = _dimensions(data)
    if dimensions != 2:
        raise SchemaError(
            f"Expected a table (2 dimensions), got {dimensions}. Reshape your data with "
            ".reshape(-1, 1) if it is one variable."
        )
    kind = "" if _is_sparse(data) else np.asarray(data).dtype.kind
    if kind in _KINDS:
        raise SchemaError(f"Not numeric: the array holds {_KINDS[kind]}. {ADVICE}")
    text = _text_columns(data) if kind == "O" else []
    if text:
        raise not_numeric(text)
    values = _floats_of(data) if _is_plain(data) else _as_floats(data)
    if kind in ("i", "u"):
        refuse_huge([str(j) for j in range(values.shape[1]) if beyond_floats(values[:, j])])
    if np.ma.isMaskedArray(data):
        values = np.where(np.ma.getmaskarray(data), np.nan, values)
    return values


def _dimensions(data: Any) -> int:
    try:
        return int(np.ndim(data))
    except ValueError:
        raise SchemaError("The rows of the table do not have the same length.") from None


def _is_sparse(data: Any) -> bool:
    if isinstance(data, np.ndarray):
        return False
    from scipy.sparse import issparse

    return bool(issparse(data))


def _is_plain(data: Any) -> bool:
    """Whether there is nothing to find out about it: an array of real numbers, with variables."""
    return type(data) is np.ndarray and data.dtype.kind in "fiu" and data.shape[1] > 0


def _floats_of(data: Any) -> FloatMatrix:
    values: FloatMatrix = np.ascontiguousarray(data, dtype=np.float64)
    return values


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
        raise SchemaError(f"The data could not be read as a table of numbers. {ADVICE}") from None
    return values


def _text_columns(data: Any) -> list[str]:
    array = np.asarray(data, dtype=object)
    return [
        str(j)
        for j in range(array.shape[1])
        if any(isinstance(value, str | bytes) for value in array[:, j])
    ]
