"""Names of tables and columns: quoted always, part of a text of SQL never."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from string import ascii_lowercase, ascii_uppercase
from typing import NamedTuple
from uuid import uuid4

from covey.errors import InvalidParameter, SchemaError
from covey.sources.problems import quoted

LONGEST = 63
SMALL = str.maketrans(ascii_uppercase, ascii_lowercase)
PART = r'(?:"(?:[^"]|"")+"|[^".][^.]*)'
NAME = re.compile(rf"(?:(?P<schema>{PART})\.)?(?P<name>{PART})", re.DOTALL)


class TableName(NamedTuple):
    """A table, and the schema it is in if that was said.

    Examples
    --------
    >>> TableName.read("persons")
    TableName(name='persons', schema=None)
    >>> TableName.read('stats."a.b"')
    TableName(name='a.b', schema='stats')
    """

    name: str
    schema: str | None = None

    @classmethod
    def read(cls, text: str) -> TableName:
        """TABLE or SCHEMA.TABLE; a name that has a full stop of its own stands in quotes."""
        found = NAME.fullmatch(text)
        if found is None or "\0" in text:
            raise InvalidParameter(
                f"{text!r} is no name of a table. Write TABLE or SCHEMA.TABLE; put a name that "
                'has a full stop of its own between double quotes: "a.b".'
            )
        schema = found["schema"]
        return cls(_unquoted(found["name"]), None if schema is None else _unquoted(schema))

    @property
    def sql(self) -> str:
        """The name as SQL takes it."""
        return ".".join(quote(part) for part in (self.schema, self.name) if part is not None)

    def __str__(self) -> str:
        return self.name if self.schema is None else f"{self.schema}.{self.name}"


def _unquoted(part: str) -> str:
    if part.startswith('"') and part.endswith('"') and len(part) > 1:
        return part[1:-1].replace('""', '"')
    return part


def quote(name: str) -> str:
    """An identifier as SQL takes it, whatever signs it has."""
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """A text as SQL takes it."""
    return "'" + text.replace("'", "''") + "'"


def require_short(names: Iterable[str]) -> None:
    """Refuse names that PostgreSQL would cut."""
    long = [name for name in names if len(name.encode()) > LONGEST]
    if long:
        raise SchemaError(
            f"PostgreSQL cuts names after {LONGEST} bytes: choose a shorter one for {quoted(long)}."
        )


def folded(name: str) -> str:
    """A name as DuckDB and SQLite compare it: capitals of A to Z only are not told apart."""
    return name.translate(SMALL)


def require_distinct(names: Iterable[str], backend: str) -> None:
    """Refuse names that differ in capitals only, where these are not told apart."""
    counts = Counter(map(folded, names))
    doubled = [name for name, count in counts.items() if count > 1]
    if doubled:
        raise SchemaError(
            f"{backend} does not tell capitals from small letters: rename one of {quoted(doubled)}."
        )


def unused_name() -> str:
    """A name for something of our own that nobody has given to anything."""
    return f"covey_{uuid4().hex}"


def listed(parts: Iterable[str]) -> str:
    return ", ".join(parts)
