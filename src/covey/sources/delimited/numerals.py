"""Numbers as text: what is a number, what is a code, and where the decimal sign is."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any, NamedTuple

from covey.sources.contents import MISSING_WORDS

BLANK = r"[ \t]*"
WHOLE = r"[-+]?(?:0|[1-9][0-9]*)"
CODE = rf"^{BLANK}[-+]?0[0-9xX]"
MANY_DIGITS = rf"^{BLANK}[-+]?[0-9]{{16,}}{BLANK}$"
DECIMAL_COMMA = rf"^{BLANK}(?:{WHOLE}|{WHOLE}?,[0-9]+(?:[eE][-+]?[0-9]+)?|[-+]?,[0-9]+){BLANK}$"
GROUPED = rf"^{BLANK}[-+]?[1-9][0-9]{{0,2}}(?:%s[0-9]{{3}})+{BLANK}$"


class Signs(NamedTuple):
    """What the texts of a column of numbers give away.

    `codes`: a number would lose digits of some value (leading zeros, more than a number holds).
    `grouped`: every full stop may as well separate thousands.
    """

    codes: frozenset[str]
    grouped: frozenset[str]


def read_signs(batches: Iterable[Any], fractional: frozenset[str]) -> Signs:
    """Look through record batches of text columns that were read as numbers.

    Parameters
    ----------
    batches : iterable of pyarrow.RecordBatch
        The columns as text.
    fractional : frozenset of str
        Those that were read as floating point numbers.
    """
    codes: set[str] = set()
    pointed: set[str] = set()
    decimal: set[str] = set()
    for batch in batches:
        for name, column in zip(batch.schema.names, batch.columns, strict=True):
            if some(column, CODE) or (name in fractional and some(column, MANY_DIGITS)):
                codes.add(name)
            if name in fractional:
                with_point = _having(column, ".")
                pointed |= {name} if len(with_point) else set()
                decimal |= set() if every(with_point, GROUPED % r"\.") else {name}
    return Signs(frozenset(codes), frozenset(pointed - decimal))


class Commas:
    """What the texts of a column, seen piece by piece, say about decimal commas in it."""

    def __init__(self) -> None:
        self._some = False
        self._numbers = self._grouped = True

    def add(self, texts: Any) -> None:
        """Look at some more texts, unless it is clear already that they are no numbers."""
        if not self._numbers:
            return
        values = known(texts)
        with_comma = _having(values, ",")
        self._some = self._some or len(with_comma) > 0
        self._numbers = every(values, DECIMAL_COMMA)
        self._grouped = self._grouped and every(with_comma, GROUPED % ",")

    @property
    def are_decimal(self) -> bool:
        """Whether every text is missing or a number, and some have a decimal comma."""
        return self._some and self._numbers

    @property
    def may_be_grouped(self) -> bool:
        """Whether every comma may as well separate thousands."""
        return self._grouped


def from_decimal_comma(texts: Any) -> Any:
    """Floating point numbers from texts with a decimal comma."""
    import pyarrow as pa
    import pyarrow.compute as pc

    numbers = pc.replace_substring(pc.utf8_trim(missing_as_null(texts), " \t"), ",", ".")
    return pc.cast(numbers, pa.float64())


def missing_as_null(texts: Any) -> Any:
    """The texts without the words for a missing value."""
    import pyarrow as pa
    import pyarrow.compute as pc

    return pc.if_else(pc.is_in(texts, _words()), pa.scalar(None, pa.string()), texts)


def known(texts: Any) -> Any:
    """The texts that are not words for a missing value."""
    import pyarrow.compute as pc

    return texts.filter(pc.invert(pc.is_in(texts, _words())))


@cache
def _words() -> Any:
    import pyarrow as pa

    return pa.array(MISSING_WORDS)


def _having(texts: Any, sign: str) -> Any:
    """The texts with a sign in them, save the words for a missing value."""
    import pyarrow.compute as pc

    return known(texts.filter(pc.match_substring(texts, sign)))


def some(texts: Any, pattern: str) -> bool:
    """Whether a text has the pattern."""
    import pyarrow.compute as pc

    return bool(pc.any(pc.match_substring_regex(texts, pattern)).as_py())


def every(texts: Any, pattern: str) -> bool:
    """Whether each text has the pattern."""
    import pyarrow.compute as pc

    return bool(pc.all(pc.match_substring_regex(texts, pattern), min_count=0).as_py())
