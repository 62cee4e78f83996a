"""Variables of any kind as numbers, and numbers back as values.

A variable is read once into floats: numbers as they are, instants as microseconds, categories as
their place in the list of categories; NaN where a value is missing. `Variable.restore` turns
released floats back into a column of the same kind.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from covey.errors import InvalidParameter, SchemaError
from covey.tables.instants import read_instants, restore_instants
from covey.tables.numeric import LARGEST
from covey.tables.refusing import refuse_huge
from covey.types import BoolVector, FloatVector

NUMERIC = ("number", "integer", "date")
KINDS = (*NUMERIC, "ordinal", "nominal")


@dataclass(frozen=True)
class Kinds:
    """What the user said about the kinds of columns; the rest follows from the data.

    `ordinal` maps a column to its categories from low to high, or to nothing where the data have
    an order of their own. `integers` is True for all columns of whole numbers, or names some.
    """

    ordinal: Mapping[str, Sequence[Any]]
    nominal: tuple[str, ...]
    integers: bool | tuple[str, ...]

    @classmethod
    def read(cls, ordinal: Any = (), nominal: Any = (), integers: Any = False) -> Kinds:
        """Check what was given, and put it into one form."""
        if not isinstance(ordinal, Mapping):
            ordinal = dict.fromkeys(_names(ordinal, "ordinal"), ())
        if not isinstance(integers, bool):
            integers = _names(integers, "integers")
        chosen = cls(dict(ordinal), _names(nominal, "nominal"), integers)
        both = sorted(set(chosen.ordinal) & set(chosen.nominal))
        if both:
            raise InvalidParameter(f"{', '.join(map(repr, both))}: ordinal or nominal, not both.")
        return chosen

    def named(self) -> tuple[str, ...]:
        """Every column that was named."""
        whole = () if isinstance(self.integers, bool) else self.integers
        return (*self.ordinal, *self.nominal, *whole)

    def stays_whole(self, name: str) -> bool:
        return self.integers if isinstance(self.integers, bool) else name in self.integers


def _names(given: Any, role: str) -> tuple[str, ...]:
    if isinstance(given, str) or not all(isinstance(name, str) for name in given):
        raise InvalidParameter(f"{role} must be a list of column names.")
    if len(set(given)) < len(given):
        raise InvalidParameter(f"{role} must name each column once.")
    return tuple(given)


@dataclass(frozen=True)
class Variable:
    """A column as floats: NaN where a value is missing, codes where values are categories."""

    name: str
    kind: str
    values: FloatVector
    arrow_type: Any
    categories: Any = None  # a pyarrow array, for ordinal and nominal variables

    @property
    def known(self) -> BoolVector:
        return ~np.isnan(self.values)

    @property
    def n_categories(self) -> int:
        return 0 if self.categories is None else len(self.categories)

    @property
    def is_category(self) -> bool:
        return self.categories is not None

    def restore(self, released: FloatVector) -> Any:
        """A pyarrow array with the values that the floats stand for."""
        import pyarrow as pa

        missing = np.isnan(released)
        if self.is_category:
            return self._categories_at(np.where(missing, 0, released).astype(np.int64), missing)
        if self.kind == "date":
            return restore_instants(released, missing, self.arrow_type)
        if self.kind == "integer":
            whole = np.rint(np.where(missing, 0.0, released)).astype(np.int64)
            return pa.array(whole, mask=missing)
        return pa.array(released + 0.0, mask=missing)  # −0.0 and 0.0 are one value

    def _categories_at(self, codes: Any, missing: BoolVector) -> Any:
        import pyarrow as pa

        if pa.types.is_dictionary(self.arrow_type):
            indices = pa.array(codes, mask=missing).cast(self.arrow_type.index_type)
            return pa.DictionaryArray.from_arrays(
                indices, self.categories, ordered=self.arrow_type.ordered
            )
        return self.categories.take(pa.array(codes, mask=missing))


def read_variable(name: str, column: Any, kinds: Kinds) -> Variable:
    """Read a pyarrow column; its kind follows from its type unless `kinds` says otherwise."""
    import pyarrow as pa

    column = _in_one_piece(column)
    kind = _kind(name, column.type, kinds)
    if kind in ("ordinal", "nominal"):
        return _read_categories(name, kind, column, kinds.ordinal.get(name) or None)
    if kind == "date":
        return Variable(name, kind, read_instants(column), column.type)
    try:
        values = np.array(column.cast(pa.float64()).to_numpy(zero_copy_only=False))
    except pa.ArrowInvalid:  # a whole number that a float cannot hold
        refuse_huge([name])
        raise
    _require_usable(name, values)
    return Variable(name, kind, values, column.type)


def _in_one_piece(column: Any) -> Any:
    import pyarrow as pa

    if isinstance(column, pa.ChunkedArray):
        column = column.unify_dictionaries() if pa.types.is_dictionary(column.type) else column
        column = column.combine_chunks()
    return column


def _kind(name: str, arrow_type: Any, kinds: Kinds) -> str:
    import pyarrow.types as t

    if name in kinds.ordinal:
        return "ordinal"
    if name in kinds.nominal:
        return "nominal"
    if t.is_dictionary(arrow_type):
        return "ordinal" if arrow_type.ordered else "nominal"
    if t.is_boolean(arrow_type) or t.is_string(arrow_type) or t.is_large_string(arrow_type):
        return _not_whole(name, "nominal", kinds)
    if hasattr(t, "is_string_view") and t.is_string_view(arrow_type):
        return _not_whole(name, "nominal", kinds)
    if t.is_date(arrow_type) or t.is_timestamp(arrow_type) or t.is_time(arrow_type):
        return _not_whole(name, "date", kinds)
    if t.is_integer(arrow_type):
        return "integer" if kinds.stays_whole(name) else "number"
    if t.is_floating(arrow_type) or t.is_decimal(arrow_type):
        named = not isinstance(kinds.integers, bool) and name in kinds.integers
        return "integer" if named else "number"
    if t.is_null(arrow_type):
        return "number"
    raise SchemaError(
        f"{name!r} holds values of a kind that cannot be averaged ({arrow_type}). Leave it out, or "
        "turn it into numbers, text or dates first."
    )


def _not_whole(name: str, kind: str, kinds: Kinds) -> str:
    if not isinstance(kinds.integers, bool) and name in kinds.integers:
        raise SchemaError(f"{name!r} is named in integers, but does not hold numbers.")
    return kind


def _require_usable(name: str, values: FloatVector) -> None:
    infinite = int(np.isinf(values).sum())
    if infinite:
        raise SchemaError(f"{name!r} has {infinite} infinite value(s). Correct them first.")
    if (np.abs(values) > LARGEST).any():
        raise SchemaError(f"{name!r} has values beyond {LARGEST:g}. Correct them first.")


def _read_categories(name: str, kind: str, column: Any, order: Sequence[Any] | None) -> Variable:
    import pyarrow as pa
    import pyarrow.compute as pc

    encoded = column if pa.types.is_dictionary(column.type) else _without_nan(column)
    encoded = encoded if pa.types.is_dictionary(encoded.type) else encoded.dictionary_encode()
    found = encoded.dictionary
    codes = np.array(encoded.indices.cast(pa.float64()).to_numpy(zero_copy_only=False))
    if order is not None:
        wanted = _declared(name, order, found)
    elif pa.types.is_dictionary(column.type):
        wanted = found
    else:
        if kind == "ordinal" and not pa.types.is_primitive(found.type):
            raise SchemaError(
                f"{name!r} is ordinal but holds text: give its categories from low to high "
                f"(ordinal= as a list, or --ordinal '{name}=low<middle<high')."
            )
        wanted = found.take(pc.sort_indices(found))
    place = pc.index_in(found, value_set=wanted)
    return Variable(name, kind, _moved(name, codes, place), column.type, wanted)


def _without_nan(column: Any) -> Any:
    """NaN is a missing value, not a category."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if not pa.types.is_floating(column.type):
        return column
    return pc.if_else(pc.is_nan(column), pa.scalar(None, column.type), column)


def _declared(name: str, order: Sequence[Any], found: Any) -> Any:
    import pyarrow as pa

    values = list(order)
    if isinstance(order, str) or not values or len(set(values)) < len(values):
        raise InvalidParameter(f"The categories of {name!r} must be a list, each once.")
    try:
        if all(isinstance(value, str) for value in values):
            return pa.array(values).cast(found.type)  # numbers, written on a command line
        return pa.array(values, type=found.type)
    except (pa.ArrowInvalid, pa.ArrowTypeError, TypeError):
        raise InvalidParameter(
            f"The categories given for {name!r} are not of the kind that the column holds."
        ) from None


def _moved(name: str, codes: FloatVector, place: Any) -> FloatVector:
    """Codes in the order of the categories wanted; an error for values that are none of them."""
    places = np.array(place.to_numpy(zero_copy_only=False), dtype=np.float64)
    known = ~np.isnan(codes)
    moved = np.full(codes.size, np.nan)
    moved[known] = places[codes[known].astype(np.int64)]
    strange = int(np.isnan(moved[known]).sum())
    if strange:
        raise SchemaError(
            f"{name!r} has {strange} value(s) that are none of the categories given. List every "
            "category, from low to high."
        )
    return moved
