"""Columns of categories as places in the list of categories, and back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from covey.errors import InvalidParameter, SchemaError
from covey.tables.kinds import is_text
from covey.types import BoolVector, FloatVector, IntVector


class Levels(NamedTuple):
    """The place of each value in `categories`, a pyarrow array; NaN where it is missing."""

    codes: FloatVector
    categories: Any


def read_levels(name: str, kind: str, column: Any, order: Sequence[Any] | None) -> Levels:
    """Read a column of categories, in the `order` given or in the order they have."""
    import pyarrow as pa
    import pyarrow.compute as pc

    declared = pa.types.is_dictionary(column.type)
    plain = _handy(column)
    encoded = plain if declared else plain.dictionary_encode()
    codes = np.array(encoded.indices.cast(pa.float64()).to_numpy(zero_copy_only=False))
    found = encoded.dictionary
    if pa.types.is_floating(found.type):  # 0.0 and −0.0 are one category
        found = pc.add(found.cast(pa.float64()), 0.0).cast(found.type)
    if order is not None:
        wanted = _declared(name, order, found)
    elif declared and (kind == "nominal" or column.type.ordered):
        wanted = found
    else:
        if kind == "ordinal" and is_text(found.type):
            raise SchemaError(
                f"{name!r} is ordinal but holds text.",
                remedy="Give its categories from low to high",
                how=f"ordinal= as a list, or --ordinal '{name}=low<middle<high'",
                column=name,
            )
        wanted = found.take(pc.sort_indices(found))
    wanted = wanted.filter(_real(wanted)).unique()
    if pa.types.is_null(found.type):  # nothing is known, whatever was listed
        return Levels(np.full(len(column), np.nan), wanted)
    place = pc.index_in(found, value_set=wanted)
    return Levels(_moved(name, codes, place, _real(found)), wanted)


def values_at(codes: IntVector, missing: BoolVector, categories: Any, arrow_type: Any) -> Any:
    """The categories at some places, in the type the column had.

    A dictionary keeps only what occurs: an entry that nobody has would tell that somebody had it.
    """
    import pyarrow as pa

    if not pa.types.is_dictionary(arrow_type):
        values = categories.take(pa.array(codes, mask=missing))
        return values if pa.types.is_null(arrow_type) else values.cast(arrow_type)
    used, places = np.unique(codes[~missing], return_inverse=True)
    indices = np.zeros(codes.size, dtype=np.int64)
    indices[~missing] = places
    return pa.DictionaryArray.from_arrays(
        pa.array(indices, mask=missing).cast(arrow_type.index_type),
        categories.take(pa.array(used)),
        ordered=arrow_type.ordered,
    )


def without_unused(column: Any) -> Any:
    """A column whose dictionary, if it has one, keeps only the entries that occur."""
    import pyarrow as pa

    if pa.types.is_nested(column.type) and "dictionary" in str(column.type):
        return pa.array(column.to_pylist())
    if not pa.types.is_dictionary(column.type):
        return column
    if pa.types.is_duration(column.type.value_type):  # of such a list Parquet keeps bare numbers
        return column.cast(column.type.value_type)
    if isinstance(column, pa.ChunkedArray):
        column = column.unify_dictionaries().combine_chunks()
    if len(column.dictionary.unique()) < len(column.dictionary):
        column = column.dictionary_decode().dictionary_encode()
    missing = np.array(column.is_null().to_numpy(zero_copy_only=False), dtype=bool)
    codes = np.array(column.indices.fill_null(0).to_numpy(zero_copy_only=False), dtype=np.int64)
    return values_at(codes, missing, column.dictionary, column.type)


def _handy(column: Any) -> Any:
    """Types that pyarrow cannot encode or sort, as ones that it can; NaN is missing, −0.0 is 0."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if pa.types.is_floating(column.type):
        column = pc.add(column.cast(pa.float64()), 0.0)
        return pc.if_else(pc.is_nan(column), pa.scalar(None, column.type), column)
    if is_text(column.type):
        return column.cast(pa.large_string())
    return column


def _real(categories: Any) -> Any:
    """Which categories are values: neither null nor NaN."""
    import pyarrow as pa
    import pyarrow.compute as pc

    known = pc.is_valid(categories)
    if pa.types.is_floating(categories.type):
        return pc.and_(known, pc.invert(pc.fill_null(pc.is_nan(categories), False)))
    return known


def _declared(name: str, order: Any, found: Any) -> Any:
    """The categories that were listed, as values of the column."""
    import pyarrow as pa

    plain = (str, int, float)
    listed = isinstance(order, Sequence) and not isinstance(order, str) and len(order) > 0
    if not listed or not all(isinstance(value, plain) for value in order):
        raise InvalidParameter(f"The categories of {name!r} must be a list of texts or numbers.")
    if len(set(order)) < len(order):
        raise InvalidParameter(f"The categories of {name!r} must be a list, each once.")
    try:
        if pa.types.is_null(found.type):
            return pa.array(order)
        if all(isinstance(value, str) for value in order):
            return pa.array(order).cast(found.type)  # numbers, written on a command line
        return pa.array(order, type=found.type)
    except (pa.ArrowException, TypeError, ValueError, OverflowError):
        raise InvalidParameter(
            f"The categories given for {name!r} are not of the kind that the column holds."
        ) from None


def _moved(name: str, codes: FloatVector, place: Any, real: Any) -> FloatVector:
    """Codes in the order of the categories wanted; an error for values that are none of them."""
    places = np.array(place.to_numpy(zero_copy_only=False), dtype=np.float64)
    values = np.array(real.to_numpy(zero_copy_only=False), dtype=bool)
    known = ~np.isnan(codes)
    known[known] = values[codes[known].astype(np.int64)]
    moved = np.full(codes.size, np.nan)
    moved[known] = places[codes[known].astype(np.int64)]
    strange = int(np.isnan(moved[known]).sum())
    if strange:
        raise SchemaError(
            f"{name!r} has {strange} value(s) that are none of the categories given.",
            remedy="List every category, from low to high",
            column=name,
        )
    return moved
