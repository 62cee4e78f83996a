"""Data frames of any library, through narwhals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

import narwhals as nw

from covey.errors import SchemaError
from covey.tables.refusing import listed


class Frame(NamedTuple):
    """A frame with column names that are text, and the way back to the names it came with."""

    wrapped: nw.DataFrame[Any]
    restore: Callable[[Any], Any]
    named: bool


def as_frame(data: Any) -> Frame | None:
    """Wrap a data frame, or return None for what is none (an array, a list)."""
    if _is_pandas(data) and not all(isinstance(name, str) for name in data.columns):
        # pandas allows numbers and tuples as names; everything else works with text.
        renamed = data.set_axis([f"column {j}" for j in range(data.shape[1])], axis=1)
        return Frame(
            _wrap(renamed), lambda native: native.set_axis(data.columns, axis=1), named=False
        )
    wrapped = _wrap(data)
    if isinstance(wrapped, nw.LazyFrame):
        raise SchemaError("Got a lazy frame; collect it first (for example with .collect()).")
    if not _is_frame(wrapped):
        return None
    _require_names(wrapped.columns)
    return Frame(wrapped, lambda native: native, named=True)


def require_frame(data: Any) -> nw.DataFrame[Any]:
    """Wrap a data frame; `SchemaError` for anything else."""
    frame = as_frame(data)
    if frame is None:
        raise SchemaError(
            "Expected a data frame with named columns (pandas, polars, pyarrow); for an array use "
            "a technique's fit_transform."
        )
    if not frame.named:
        others = [repr(name) for name in data.columns if not isinstance(name, str)]
        raise SchemaError(
            "The columns of the data frame must have names that are text, and "
            f"{listed(others, quote=False)} have not. Rename them first, for example with "
            "df.columns = [str(name) for name in df.columns]."
        )
    return frame.wrapped


def _require_names(names: list[str]) -> None:
    """Raise for a name with half a character, which no format and no screen can hold."""
    for place, name in enumerate(names, start=1):
        try:
            name.encode()
        except UnicodeError:
            raise SchemaError(
                f"The name of column {place} has a character that is not valid Unicode. Rename "
                "the column."
            ) from None


def in_pandas(table: Any) -> Any:
    """A pyarrow table as a data frame of pandas.

    What pandas can hold in Arrow's own types alone (times finer than a microsecond, say) came in
    these types, so all columns are given them.
    """
    import pyarrow as pa

    try:
        return table.to_pandas()
    except (pa.ArrowInvalid, ValueError, OverflowError):
        import pandas as pd  # type: ignore[import-untyped]

        return table.to_pandas(types_mapper=pd.ArrowDtype)


def backend_of(data: Any) -> Any:
    """The library that a frame is of; None for an array or a list."""
    frame = as_frame(data)
    return None if frame is None else frame.wrapped.implementation


def _is_pandas(data: Any) -> bool:
    return type(data).__module__.startswith("pandas") and hasattr(data, "columns")


def _is_frame(wrapped: Any) -> bool:
    return isinstance(wrapped, nw.DataFrame)


def _wrap(data: Any) -> Any:
    try:
        return nw.from_native(data, pass_through=True)
    except nw.exceptions.DuplicateError:
        raise _same_names(data) from None


def _same_names(data: Any) -> SchemaError:
    names = data.column_names if hasattr(data, "column_names") else data.columns
    doubled = [name for name, count in Counter(names).items() if count > 1]
    words = listed(doubled).removeprefix("columns ")
    return SchemaError(
        f"The data frame has more than one column named {words}. Rename or drop the others, so "
        "that a name says which column is meant."
    )
