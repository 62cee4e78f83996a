"""Two files brought record to record and column to column."""

from __future__ import annotations

from typing import Any, NamedTuple

import narwhals as nw
import numpy as np

from covey.errors import SchemaError, unknown_name
from covey.tables.categories import MOST_CATEGORIES, codes_of
from covey.tables.frames import as_frame
from covey.tables.numeric import numeric_columns


class Aligned(NamedTuple):
    """Two frames with the same records and columns in the same order, and what was left out.

    Columns in `nominal` hold codes of the categories that were there.
    """

    original: Any
    released: Any
    left_out: dict[str, str]
    nominal: tuple[str, ...]


def align(original: Any, released: Any, identifier: str | None = None) -> Aligned:
    """Keep the columns that both frames have; join the rows on `identifier` if given.

    Text, categories and true/false become codes. Without an identifier the rows are taken to be
    in the same order.
    """
    import pyarrow as pa

    first = nw.from_native(original, eager_only=True)
    second = nw.from_native(released, eager_only=True)
    if identifier is not None:
        first, second = _joined(first, second, identifier)
    numeric = set(numeric_columns(first)) & set(numeric_columns(second)) - {identifier}
    coded = {name: codes for name in first.columns if (codes := _coded(name, first, second))}
    coded.pop(identifier or "", None)
    shared = [name for name in first.columns if name in numeric or name in coded]
    if not shared:
        raise SchemaError("The two files have no column in common that can be compared.")
    everything = dict.fromkeys([*first.columns, *second.columns])
    left_out = {
        name: _reason(name, first, second, identifier) for name in everything if name not in shared
    }
    tables = [
        pa.table(
            {
                name: coded[name][place] if name in coded else frame[name].to_arrow()
                for name in shared
            }
        )
        for place, frame in enumerate((first, second))
    ]
    nominal = tuple(name for name in shared if name in coded)
    return Aligned(tables[0], tables[1], left_out, nominal)


class WithCodes(NamedTuple):
    """Two tables in which the columns in `nominal` hold codes of categories."""

    original: Any
    released: Any
    nominal: tuple[str, ...]


def with_codes(original: Any, released: Any) -> WithCodes:
    """Two data frames with text, categories and true/false as codes; anything else as it is."""
    frames = as_frame(original), as_frame(released)
    if frames[0] is None or frames[1] is None or not (frames[0].named and frames[1].named):
        return WithCodes(original, released, ())
    first, second = frames[0].wrapped, frames[1].wrapped
    coded = {name: codes for name in first.columns if (codes := _coded(name, first, second))}
    tables = [
        frame.with_columns(
            *(
                nw.new_series(name, codes[place], backend=frame.implementation)
                for name, codes in coded.items()
            )
        ).to_native()
        for place, frame in enumerate((first, second))
    ]
    return WithCodes(tables[0], tables[1], tuple(coded))


def _coded(name: str, first: nw.DataFrame[Any], second: nw.DataFrame[Any]) -> Any:
    """Codes of a column of categories in both files, or None."""
    if name not in second.columns or len(first) != len(second):
        return None
    columns = [frame[name] for frame in (first, second)]
    if any(column.dtype not in _CATEGORIES for column in columns):
        return None
    import pyarrow as pa

    try:
        texts = pa.concat_arrays([_as_text(column) for column in columns])
    except UnicodeError:
        raise SchemaError(
            f"{name!r} holds text that is not valid UTF-8. Correct it, or leave the column out."
        ) from None
    codes = codes_of(texts).astype(np.float64)
    if np.unique(codes).size > MOST_CATEGORIES:
        return None
    return codes[: len(first)], codes[len(first) :]


def _as_text(column: nw.Series[Any]) -> Any:
    """Categories of any library as one kind of text: truth is "true" and "false" in all."""
    import pyarrow as pa

    values = column.to_arrow()
    values = values.combine_chunks() if isinstance(values, pa.ChunkedArray) else values
    if pa.types.is_dictionary(values.type):
        values = values.dictionary_decode()
    return values.cast(pa.large_string())


_CATEGORIES = (nw.String, nw.Categorical, nw.Enum, nw.Boolean)


def _reason(
    name: str, first: nw.DataFrame[Any], second: nw.DataFrame[Any], identifier: str | None
) -> str:
    if name == identifier:
        return "identifier"
    if name not in second.columns:
        return "only in the original"
    return "only in the release" if name not in first.columns else "cannot be compared"


def _joined(
    first: nw.DataFrame[Any], second: nw.DataFrame[Any], identifier: str
) -> tuple[nw.DataFrame[Any], nw.DataFrame[Any]]:
    keys = [
        _unique_keys(frame, identifier, place)
        for frame, place in ((first, "original"), (second, "release"))
    ]
    if set(keys[0]) != set(keys[1]):
        raise SchemaError(
            f"The two files do not have the same values of {identifier!r}: "
            f"{len(set(keys[0]) - set(keys[1]))} are only in the original, "
            f"{len(set(keys[1]) - set(keys[0]))} only in the release."
        )
    place_of = {key: place for place, key in enumerate(keys[1])}
    return first, second[[place_of[key] for key in keys[0]]]


def _unique_keys(frame: nw.DataFrame[Any], identifier: str, place: str) -> list[Any]:
    if identifier not in frame.columns:
        raise SchemaError(f"In the {place}: {unknown_name('column', identifier, frame.columns)}")
    keys = frame[identifier].to_list()
    if len(set(keys)) < len(keys) or None in keys:
        raise SchemaError(f"{identifier!r} does not tell all records of the {place} apart.")
    return keys
