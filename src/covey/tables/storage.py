"""Columns of any library in Arrow types that every step can work with.

Views, run ends, small decimals and the extensions that are text or truth are stored plainly. What
cannot be stored so is marked, and refused only if somebody wants to use it: identifiers may hold
anything.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import narwhals as nw
import numpy as np

from covey.errors import SchemaError, ways

UNUSABLE = b"unusable"

SEVERAL = "holds values of several kinds, or of an unknown one."
HUGE = "holds whole numbers of over 64 bits."
NOT_UNICODE = "holds text that is not valid UTF-8."
UNKNOWN = "holds values of a kind that Covey does not know ({})."
REMEDY = "Turn it into plain numbers, text or dates, or name it as an identifier to drop it"


class Unusable(Exception):
    """Why a column cannot be used, as the end of a sentence that begins with its name."""


def stored_table(frame: nw.DataFrame[Any]) -> Any:
    """A frame as a pyarrow table of plain types; columns that cannot be are marked."""
    import pyarrow as pa

    if frame.implementation.is_pyarrow():
        native = frame.to_native()
        return marked_table(native.columns, native.schema, native.num_rows)
    columns = [_as_arrow(frame[name]) for name in frame.columns]
    fields = [
        pa.field(name, pa.null() if isinstance(column, Unusable) else column.type)
        for name, column in zip(frame.columns, columns, strict=True)
    ]
    return marked_table(columns, pa.schema(fields), len(frame))


def marked_table(columns: Iterable[Any], schema: Any, n_records: int) -> Any:
    """Arrow columns stored plainly; those that cannot be, or could not be read, are marked."""
    import pyarrow as pa

    fields, arrays = [], []
    for column, field in zip(columns, schema, strict=True):
        try:
            if isinstance(column, Unusable):
                raise column
            arrays.append(stored(column))
            fields.append(field.with_type(arrays[-1].type))
        except Unusable as reason:
            arrays.append(pa.nulls(n_records))
            fields.append(pa.field(field.name, pa.null(), metadata={UNUSABLE: str(reason)}))
    return pa.Table.from_arrays(arrays, schema=pa.schema(fields))


def require_usable(schema: Any, dropped: Iterable[str]) -> None:
    """Raise for the first column that is marked and not dropped."""
    for field in schema:
        if UNUSABLE in (field.metadata or {}) and field.name not in set(dropped):
            raise unusable(field.name, field.metadata[UNUSABLE].decode())


def unusable(name: str, reason: str) -> SchemaError:
    """The error for a column that is of no use, and is not dropped either."""
    how = ways("identifiers")
    return SchemaError(f"{name!r} {reason}", remedy=REMEDY, how=how, column=name)


def stored(column: Any) -> Any:
    """An Arrow column in a plain type; `Unusable` if there is none, or its text is no text."""
    import pyarrow as pa

    plain = plain_type(column.type)
    try:
        changed = column if plain == column.type else _converted(column, plain)
        changed = _without_null_entries(changed)
        _require_unicode(changed)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, pa.ArrowTypeError, UnicodeError):
        raise Unusable(_unknown(column.type)) from None
    return changed


def plain_type(type: Any) -> Any:
    """The type that values of a type are stored in."""
    import pyarrow as pa
    import pyarrow.types as t

    if t.is_dictionary(type):
        value = plain_type(type.value_type)
        alone = t.is_nested(value) or t.is_null(value)
        return value if alone else pa.dictionary(type.index_type, value, type.ordered)
    if isinstance(type, pa.BaseExtensionType):
        known = {"arrow.bool8": pa.bool_(), "arrow.uuid": pa.string(), "arrow.json": pa.string()}
        if type.extension_name not in known:
            raise Unusable(_unknown(type))
        return known[type.extension_name]
    if t.is_run_end_encoded(type):
        return plain_type(type.value_type)
    if t.is_decimal32(type) or t.is_decimal64(type):
        return pa.decimal128(type.precision, type.scale)
    if t.is_list(type) or t.is_large_list(type):
        kept = pa.list_ if t.is_list(type) else pa.large_list
        return kept(type.value_field.with_type(_plain_inside(type.value_type)))
    inside = [type.field(i).type for i in range(type.num_fields)] if t.is_nested(type) else []
    if t.is_interval(type) or t.is_union(type) or any(plain_type(one) != one for one in inside):
        raise Unusable(_unknown(type))
    return _without_views(type)


def _plain_inside(type: Any) -> Any:
    """The type of what a list holds: itself, or what a cast can make of it."""
    import pyarrow.types as t

    plain = plain_type(type)
    lists = t.is_list(type) or t.is_large_list(type)
    if not lists and plain not in (type, _without_views(type)):
        raise Unusable(_unknown(type))
    return plain


def _without_views(type: Any) -> Any:
    import pyarrow as pa
    import pyarrow.types as t

    views: tuple[tuple[Any, Any], ...] = (
        (t.is_string_view, pa.large_string()),
        (t.is_binary_view, pa.large_binary()),
    )
    return next((plain for is_it, plain in views if is_it(type)), type)


def _unknown(type: Any) -> str:
    return UNKNOWN.replace("{}", str(type))


def _converted(column: Any, type: Any) -> Any:
    import pyarrow as pa

    if isinstance(column, pa.ChunkedArray):
        return pa.chunked_array([_converted(chunk, type) for chunk in column.chunks], type)
    if pa.types.is_run_end_encoded(column.type):
        return _converted(_without_runs(column), type)
    if pa.types.is_dictionary(column.type):
        return _converted_dictionary(column, type)
    if isinstance(column.type, pa.BaseExtensionType):
        if column.type.extension_name == "arrow.uuid":
            return pa.array([None if one is None else str(one) for one in column.to_pylist()], type)
        return column.storage.cast(type)
    return column if column.type == type else column.cast(type)


def _without_runs(column: Any) -> Any:
    """Every value of a run-end encoded array; pyarrow itself decodes no categories."""
    import pyarrow as pa

    places = column.offset + np.arange(len(column))
    runs = np.searchsorted(column.run_ends.to_numpy(), places, side="right")
    return column.values.take(pa.array(runs))


def _converted_dictionary(column: Any, type: Any) -> Any:
    import pyarrow as pa

    if pa.types.is_null(type):
        return pa.nulls(len(column))
    if not pa.types.is_dictionary(type):
        return _converted(column.dictionary, type).take(column.indices)
    values = _converted(column.dictionary, type.value_type)
    return pa.DictionaryArray.from_arrays(column.indices, values, ordered=type.ordered)


def _without_null_entries(column: Any) -> Any:
    """Categories without an entry that is missing: Parquet cannot hold one."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if not pa.types.is_dictionary(column.type):
        return column
    if isinstance(column, pa.ChunkedArray):
        return pa.chunked_array([_without_null_entries(one) for one in column.chunks], column.type)
    if column.dictionary.null_count == 0:
        return column
    known = pc.is_valid(column.dictionary)
    place = pc.subtract(pc.cumulative_sum(known.cast(pa.int64())), 1)
    place = pc.if_else(known, place, pa.scalar(None, pa.int64()))
    indices = place.take(column.indices).cast(column.type.index_type)
    values = column.dictionary.filter(known)
    return pa.DictionaryArray.from_arrays(indices, values, ordered=column.type.ordered)


def _require_unicode(column: Any) -> None:
    """Raise if bytes that nobody checked are no text."""
    import pyarrow as pa

    if not _holds_text(column.type):
        return
    try:
        column.validate(full=True)
    except pa.ArrowInvalid:
        raise Unusable(NOT_UNICODE) from None


def _holds_text(type: Any) -> bool:
    import pyarrow.types as t

    if t.is_dictionary(type):
        return _holds_text(type.value_type)
    return bool(t.is_string(type) or t.is_large_string(type) or t.is_nested(type))


# -- frames of other libraries -----------------------------------------------------------------


def _as_arrow(column: nw.Series[Any]) -> Any:
    """A column as an Arrow array; `Unusable`, not raised, if it cannot be one."""
    native = column.to_native()
    try:
        if column.implementation.is_pandas_like():
            column = nw.from_native(_without_spans(native), series_only=True)
        elif column.dtype == nw.Object:  # of these Arrow gets the places in memory
            return Unusable(SEVERAL)
        elif column.dtype == nw.Int128:
            column = column.cast(nw.Int64)
        return column.to_arrow()
    except MemoryError:
        raise
    except OverflowError:
        return Unusable(HUGE)
    except UnicodeError:
        return Unusable(NOT_UNICODE)
    except Exception:  # each library has its own, whose texts may quote values
        return Unusable(HUGE if column.dtype == nw.Int128 else SEVERAL)


def _without_spans(series: Any) -> Any:
    """A pandas series with periods and intervals as text, and nothing left out to save room."""
    kind = str(series.dtype)
    if kind == "category":
        if str(series.cat.categories.dtype).startswith(("interval", "period")):
            return series.cat.rename_categories([str(one) for one in series.cat.categories])
        return series
    if kind.startswith(("interval", "period")):
        return series.map(str, na_action="ignore").astype(object)
    return series.sparse.to_dense() if kind.startswith("Sparse") else series
