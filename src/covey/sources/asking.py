"""What to read, beside the place: the encoding of a file, the table or query of a database."""

from __future__ import annotations

import re
from typing import NamedTuple

from covey.errors import InvalidParameter
from covey.sources.databases.addresses import holds_secret

# What a query may begin with. The connection is read-only anyway; this is for the message.
SELECTS = ("select", "with", "from", "values", "table")
COMMENT = re.compile(r"\s+|--[^\n]*(\n|$)|/\*.*?\*/|\(", re.DOTALL)
# A piece of SQL: texts and names in quotes, which may hold anything; what says nothing; the rest.
PIECE = re.compile(
    r"(?P<said>[eE]'(?:[^'\\]|\\.|'')*'|'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|\$(?P<tag>\w*)\$.*?\$(?P=tag)\$)"
    r"|(?P<unsaid>--[^\n]*|/\*.*?\*/|[\s;]+)|(?P<rest>.)",
    re.DOTALL,
)


class Reading(NamedTuple):
    """How records are read; all None for a file that tells everything itself."""

    encoding: str | None = None
    table: str | None = None
    query: str | None = None
    order_by: tuple[str, ...] = ()

    def check(self) -> None:
        """Raise for what does not go together."""
        if self.table is not None and self.query is not None:
            raise InvalidParameter("Give a table or a query, not both.")
        if self.query is not None:
            require_select(self.query)
            _require_no_secret(self.query)

    def refuse_database_options(self, what: str) -> None:
        """Raise if something is asked for that only a database has."""
        given = [name for name in ("table", "query", "order_by") if getattr(self, name)]
        if given:
            raise InvalidParameter(f"{given[0]} is for databases; {what} is none. Leave it out.")

    def refuse_for_frame(self, what: str) -> None:
        """Raise if anything is asked for: a frame is read as it is."""
        if self.encoding is not None:
            raise InvalidParameter(f"encoding is for files; {what} has none.")
        self.refuse_database_options(what)


def require_select(query: str) -> None:
    """Raise unless a query begins as one that only reads."""
    place = 0
    while skipped := COMMENT.match(query, place):
        place = skipped.end()
    word = re.match(r"\w*", query[place:])
    first = word[0].lower() if word else ""
    if first not in SELECTS:
        raise InvalidParameter(
            f"A query only reads: it must be one SELECT, but it begins with {first!r}."
        )


def without_end(query: str) -> str:
    """A query without the semicolon and the comments that it may end in.

    Examples
    --------
    >>> without_end("select ';--' as a; -- all; of them")
    "select ';--' as a"
    """
    said = [piece.end() for piece in PIECE.finditer(query) if piece["unsaid"] is None]
    return query[: said[-1]] if said else ""


def _require_no_secret(query: str) -> None:
    """Raise, without showing it, if a query seems to hold a password.

    DuckDB can be told to read from a server: the address would be in the query.
    """
    if holds_secret(query):
        raise InvalidParameter(
            "The query seems to hold a password, which settings, scripts and reports would keep. "
            "Take it out."
        )
