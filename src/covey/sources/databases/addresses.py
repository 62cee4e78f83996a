"""Addresses of PostgreSQL databases, which never hold a password."""

from __future__ import annotations

from urllib.parse import parse_qsl, unquote, urlsplit

from covey.errors import InvalidParameter

SCHEMES = ("postgresql", "postgres")
SECRETS = ("password", "sslpassword")
ADVICE = (
    "An address must not hold a password: it would be kept in the history of the shell and in "
    "lists of running programs. Take it out, and set the environment variable PGPASSWORD, or use "
    "a password file (~/.pgpass) or a service file."
)


def is_address(text: str) -> bool:
    """Whether a text is the address of a PostgreSQL database."""
    return text.lower().startswith(tuple(f"{scheme}:" for scheme in SCHEMES))


def require_no_password(address: str) -> None:
    """Raise, without showing the address, if it holds a password or cannot be read."""
    try:
        parts = urlsplit(address)
        _ = parts.port
    except ValueError:
        raise _unreadable() from None
    if not address[address.index(":") :].startswith("://"):
        raise _unreadable()
    if ":" in parts.netloc.rpartition("@")[0] or _secret_options(parts.query):
        raise InvalidParameter(ADVICE)


def _secret_options(query: str) -> bool:
    names = [name.lower() for name, _ in parse_qsl(query, keep_blank_values=True)]
    return any(name in SECRETS for name in names)


def _unreadable() -> InvalidParameter:
    return InvalidParameter(
        "The address of the database could not be read. Write "
        "postgresql://USER@HOST:PORT/DATABASE, without a password."
    )


def database_name(address: str) -> str:
    """The database of an address in a few words, without host and user."""
    parts = urlsplit(address)
    named = unquote(parts.path.strip("/")) or dict(parse_qsl(parts.query)).get("dbname", "")
    return f"the PostgreSQL database {named!r}" if named else "a PostgreSQL database"
