"""What the columns of a text file hold, decided when all their texts were seen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from covey.sources.delimited.dates import Evidence, Form, Reading
from covey.sources.delimited.dialects import DELIMITERS, Dialect
from covey.sources.delimited.numerals import Commas, Signs, from_decimal_comma
from covey.sources.problems import quoted


class Texts:
    """What the texts of a column say about decimal commas and dates."""

    def __init__(self) -> None:
        self.commas = Commas()
        self.dates = Evidence()

    def add(self, column: Any) -> None:
        self.commas.add(column)
        self.dates.add(column)


class Decisions(NamedTuple):
    """How columns are read that Arrow alone would read otherwise.

    `texts` stay text although they look like numbers, `commas` are numbers, `forms` tells which
    columns are dates.
    """

    texts: frozenset[str]
    commas: tuple[str, ...]
    forms: Mapping[str, Form]
    notes: tuple[str, ...]

    def apply(self, table: Any) -> Any:
        """Records whose columns are what was decided; an empty text is missing."""
        for name in self.commas:
            table = replaced(table, name, from_decimal_comma(table[name]))
        for name, form in self.forms.items():
            table = replaced(table, name, form.apply(table[name]))
        return _empty_as_missing(table)


def decide(dialect: Dialect, signs: Signs, looked_at: Mapping[str, Texts]) -> Decisions:
    """Decide from what columns of numbers give away and what columns of text say."""
    commas, unclear = _decimal_commas(dialect, looked_at)
    grouped = signs.grouped if dialect.delimiter != "," else frozenset()
    rest = {name: one for name, one in looked_at.items() if name not in commas}
    forms = {name: one.dates.form() for name, one in rest.items()}
    notes = (
        *_dialect_notes(dialect),
        *(["Decimal comma."] if commas else []),
        *_text_notes(signs.codes, "to keep every digit"),
        *_text_notes(
            (grouped - signs.codes) | unclear,
            "because their numbers may have decimals or separated thousands",
        ),
        *_date_notes(forms),
    )
    return Decisions(signs.codes | grouped, commas, forms, notes)


def _decimal_commas(
    dialect: Dialect, looked_at: Mapping[str, Texts]
) -> tuple[tuple[str, ...], frozenset[str]]:
    """Columns with a decimal comma, and those where the comma may separate thousands.

    A column of the second kind is believed to have decimals if another column surely has.
    """
    if dialect.delimiter == ",":
        return (), frozenset()
    numbers = [name for name, one in looked_at.items() if one.commas.are_decimal]
    unclear = frozenset(name for name in numbers if looked_at[name].commas.may_be_grouped)
    if len(unclear) < len(numbers):
        return tuple(numbers), frozenset()
    return (), unclear


def replaced(table: Any, name: str, column: Any) -> Any:
    return table.set_column(table.column_names.index(name), name, column)


def _empty_as_missing(table: Any) -> Any:
    import pyarrow as pa
    import pyarrow.compute as pc

    for field in table.schema:
        if pa.types.is_string(field.type):
            texts = table[field.name]
            known = pc.if_else(pc.equal(texts, ""), pa.scalar(None, pa.string()), texts)
            table = replaced(table, field.name, known)
    return table


def _dialect_notes(dialect: Dialect) -> Iterator[str]:
    if dialect.columns > 1:
        yield f"Columns are separated by {DELIMITERS[dialect.delimiter]}."
    if dialect.encoding == "utf-8-sig":
        yield "Encoding: UTF-8 with a byte order mark."
    elif dialect.encoding.startswith("utf-") and dialect.encoding != "utf-8":
        yield f"Encoding: {dialect.encoding.upper()}."
    elif dialect.given:
        yield f"Encoding: {dialect.encoding}, as you said."
    elif dialect.encoding != "utf-8":
        yield f"Encoding: {dialect.encoding}, recognised by its letters; look at the accents."


def _text_notes(names: Iterable[str], reason: str) -> Iterator[str]:
    if names:
        yield f"Read as text {reason}: {quoted(sorted(names))}."


def _date_notes(forms: Mapping[str, Form]) -> Iterator[str]:
    for reading in Reading:
        names = sorted(name for name, form in forms.items() if form.reading is reading)
        if names and reading.value:
            yield reading.value.format(quoted(names))
