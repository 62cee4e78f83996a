"""Columns of any kind as category codes."""

from __future__ import annotations

from typing import Any

import narwhals as nw
import numpy as np

from covey.types import IntVector


def read_categories(data: Any) -> dict[str, IntVector]:
    """Codes of each column: equal values, missing ones among them, have equal codes."""
    frame = nw.from_native(data, eager_only=True, pass_through=True)
    if isinstance(frame, nw.DataFrame):
        return {name: _codes(frame[name].to_list()) for name in frame.columns}
    table = np.asarray(data, dtype=object)
    columns = table[:, None] if table.ndim == 1 else table
    return {str(j): _codes(list(columns[:, j])) for j in range(columns.shape[1])}


def _codes(values: list[Any]) -> IntVector:
    numbers: dict[Any, int] = {}
    # NaN differs from itself; here it is one category.
    keys = (None if value is None or value != value else value for value in values)
    return np.array([numbers.setdefault(key, len(numbers)) for key in keys], dtype=np.int64)
