"""Two files brought record to record and column to column."""

from __future__ import annotations

from typing import Any, NamedTuple

import narwhals as nw

from covey.errors import SchemaError, unknown_name
from covey.tables.numeric import numeric_columns


class Aligned(NamedTuple):
    """Two frames with the same records and columns in the same order, and what was left out."""

    original: Any
    released: Any
    left_out: dict[str, str]


def align(original: Any, released: Any, identifier: str | None = None) -> Aligned:
    """Keep the numeric columns both frames have; join the rows on `identifier` if given.

    Without an identifier the rows are taken to be in the same order.
    """
    first = nw.from_native(original, eager_only=True)
    second = nw.from_native(released, eager_only=True)
    if identifier is not None:
        first, second = _joined(first, second, identifier)
    numeric = set(numeric_columns(first)) & set(numeric_columns(second)) - {identifier}
    shared = [name for name in first.columns if name in numeric]
    if not shared:
        raise SchemaError("The two files have no numeric column in common.")
    everything = dict.fromkeys([*first.columns, *second.columns])
    left_out = {
        name: _reason(name, first, second, identifier) for name in everything if name not in shared
    }
    return Aligned(first.select(shared).to_native(), second.select(shared).to_native(), left_out)


def _reason(
    name: str, first: nw.DataFrame[Any], second: nw.DataFrame[Any], identifier: str | None
) -> str:
    if name == identifier:
        return "identifier"
    if name not in second.columns:
        return "only in the original"
    return "only in the release" if name not in first.columns else "not numeric"


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
