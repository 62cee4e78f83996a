"""Which column names a statistics package takes."""

from __future__ import annotations

import re
from typing import NamedTuple

from covey.errors import SchemaError
from covey.sources.problems import quoted


class Naming(NamedTuple):
    """The rule for names, as a pattern and in words."""

    pattern: re.Pattern[str]
    most: int
    in_bytes: bool
    reserved: frozenset[str]
    any_case: bool
    words: str

    def check(self, names: list[str], format: str) -> None:
        """Raise if a name is not taken, or if two are one to the package."""
        unfit = [name for name in names if not self._fits(name)]
        if unfit:
            raise SchemaError(f"{format} takes names of {self.words}. Rename {quoted(unfit)}.")
        folded = [name.casefold() for name in names]
        same = [name for name in names if folded.count(name.casefold()) > 1]
        if self.any_case and same:
            raise SchemaError(
                f"{format} does not tell capital from small letters. Rename {quoted(same)}."
            )

    def _fits(self, name: str) -> bool:
        length = len(name.encode()) if self.in_bytes else len(name)
        word = name.upper() if self.any_case else name
        return (
            length <= self.most
            and self.pattern.fullmatch(name) is not None
            and word not in self.reserved
            and not (not self.any_case and re.fullmatch(r"str\d+", name))
        )


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


SPSS = Naming(
    re.compile(r"[^\W\d_](?:[\w.@#$]*[\w@#$])?"),
    most=64,
    in_bytes=True,
    reserved=_words("ALL AND BY EQ GE GT LE LT NE NOT OR TO WITH"),
    any_case=True,
    words="at most 64 bytes: a letter, then letters, digits, _ . @ # $, and no reserved word",
)

STATA = Naming(
    re.compile(r"[^\W\d]\w*"),
    most=32,
    in_bytes=False,
    reserved=_words(
        "_all _b byte _coef _cons double float if in int long _n _N _pi _pred _rc _skip strL "
        "using with"
    ),
    any_case=False,
    words="at most 32 letters, digits and _, beginning with a letter or _, and no reserved word",
)

SAS = Naming(
    re.compile(r"[A-Za-z_][A-Za-z0-9_]*"),
    most=32,
    in_bytes=True,
    reserved=_words("_N_ _ERROR_ _NUMERIC_ _CHARACTER_ _ALL_"),
    any_case=True,
    words="at most 32 letters (without accents), digits and _, beginning with a letter or _",
)
