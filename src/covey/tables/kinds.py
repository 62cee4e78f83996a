"""What kind of values a column holds: what the user said, and what follows from the data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from covey.errors import InvalidParameter, SchemaError
from covey.parameters import as_list

NUMERIC = ("number", "integer", "date")


@dataclass(frozen=True)
class Kinds:
    """What the user said about the kinds of columns; the rest follows from the data.

    `ordinal` maps a column to its categories from low to high, or to nothing where the data have
    an order of their own: ordered categories, or numbers and dates, which then stay numbers.
    `integers` is True for all columns of whole numbers, or names some.
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
        whole = () if isinstance(chosen.integers, bool) else chosen.integers
        for name in chosen.named():
            if (name in chosen.ordinal) + (name in chosen.nominal) + (name in whole) > 1:
                raise InvalidParameter(f"{name!r}: ordinal, nominal or whole numbers, not both.")
        return chosen

    def named(self) -> tuple[str, ...]:
        """Every column that was named."""
        whole = () if isinstance(self.integers, bool) else self.integers
        return (*self.ordinal, *self.nominal, *whole)

    def of(self, name: str, arrow_type: Any) -> str:
        """The kind of a column: one of `NUMERIC`, "ordinal" or "nominal"."""
        found = _natural_kind(arrow_type)
        if found == "":
            raise SchemaError(
                f"{name!r} holds values of a kind that cannot be grouped ({arrow_type}).",
                remedy="Leave it out, or turn it into numbers, text or dates first",
                column=name,
            )
        if name in self.ordinal:
            return "ordinal"
        if name in self.nominal:
            return "nominal"
        if not isinstance(self.integers, bool) and name in self.integers:
            if found not in ("number", "integer"):
                raise SchemaError(
                    f"{name!r} is named in integers, but does not hold numbers.",
                    parameter="integers",
                    column=name,
                )
            return "integer"
        return "number" if found == "integer" and self.integers is not True else found

    def orders_numbers(self, name: str, arrow_type: Any) -> bool:
        """Whether a column holds numbers or instants that are ordinal, without listed categories.

        These stay numbers: what stands for a group is a median, and none of them is rare.
        """
        listed = bool(self.ordinal.get(name))
        return name in self.ordinal and not listed and _natural_kind(arrow_type) in NUMERIC


def _names(given: Any, role: str) -> tuple[str, ...]:
    given = as_list(given)
    listed = isinstance(given, Sequence) and not isinstance(given, str)
    if not listed or not all(isinstance(name, str) for name in given):
        raise InvalidParameter(f"{role} must be a list of column names.", parameter=role)
    if len(set(given)) < len(given):
        raise InvalidParameter(f"{role} must name each column once.", parameter=role)
    return tuple(given)


def _natural_kind(arrow_type: Any) -> str:
    """What a type holds when nothing is said; nothing for what cannot be grouped."""
    import pyarrow.types as t

    if t.is_dictionary(arrow_type):
        return "ordinal" if arrow_type.ordered else "nominal"
    if t.is_boolean(arrow_type) or is_text(arrow_type):
        return "nominal"
    if is_instant(arrow_type):
        return "date"
    if t.is_integer(arrow_type):
        return "integer"
    numbers = t.is_floating(arrow_type) or t.is_decimal(arrow_type) or t.is_null(arrow_type)
    return "number" if numbers else ""


def is_instant(arrow_type: Any) -> bool:
    """Whether a type holds dates, times or both."""
    import pyarrow.types as t

    return bool(t.is_date(arrow_type) or t.is_timestamp(arrow_type) or t.is_time(arrow_type))


def is_text(arrow_type: Any) -> bool:
    import pyarrow.types as t

    view = hasattr(t, "is_string_view") and t.is_string_view(arrow_type)
    return bool(t.is_string(arrow_type) or t.is_large_string(arrow_type) or view)
