"""Numbers as text: what is a number, what is a code, and where the decimal sign is."""

from __future__ import annotations

from collections.abc import Iterable
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
            if _any(column, CODE) or (name in fractional and _any(column, MANY_DIGITS)):
                codes.add(name)
            if name in fractional:
                with_point = _having(column, ".")
                pointed |= {name} if len(with_point) else set()
                decimal |= set() if _all(with_point, GROUPED % r"\.") else {name}
    return Signs(frozenset(codes), frozenset(pointed - decimal))


def has_decimal_comma(texts: Any) -> bool:
    """Whether every text is missing or a number, and some have a decimal comma."""
    values = _numerals(texts)
    return len(_having(values, ",")) > 0 and _all(values, DECIMAL_COMMA)


def may_be_grouped(texts: Any) -> bool:
    """Whether every comma may as well separate thousands."""
    return _all(_having(_numerals(texts), ","), GROUPED % ",")


def from_decimal_comma(texts: Any) -> Any:
    """Floating point numbers from texts with a decimal comma."""
    import pyarrow as pa
    import pyarrow.compute as pc

    known = pc.if_else(pc.is_in(texts, _words()), pa.scalar(None, pa.string()), texts)
    return pc.cast(pc.replace_substring(pc.utf8_trim(known, " \t"), ",", "."), pa.float64())


def _numerals(texts: Any) -> Any:
    import pyarrow.compute as pc

    return texts.filter(pc.invert(pc.is_in(texts, _words())))


def _words() -> Any:
    import pyarrow as pa

    return pa.array(MISSING_WORDS)


def _having(texts: Any, sign: str) -> Any:
    """The texts with a sign in them, save the words for a missing value."""
    import pyarrow.compute as pc

    return _numerals(texts.filter(pc.match_substring(texts, sign)))


def _any(texts: Any, pattern: str) -> bool:
    import pyarrow.compute as pc

    return bool(pc.any(pc.match_substring_regex(texts, pattern)).as_py())


def _all(texts: Any, pattern: str) -> bool:
    import pyarrow.compute as pc

    return bool(pc.all(pc.match_substring_regex(texts, pattern), min_count=0).as_py())
