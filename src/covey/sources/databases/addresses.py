"""Addresses of databases and file systems, and texts of all kinds, which never hold a password."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit

from covey.errors import InvalidParameter

SCHEMES = ("postgresql", "postgres")
REMOTE = ("s3", "memory")
ADVICE = (
    "An address must not hold a password: it would be kept in the history of the shell and in "
    "lists of running programs. Take it out, and set the environment variable PGPASSWORD, or use "
    "a password file (~/.pgpass) or a service file."
)
KEYS = (
    "An address must not hold a password or a key: it would be kept in the history of the shell "
    "and in lists of running programs. Take it out, and give the keys as other programs take them: "
    "by environment variables (such as AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY) or a file."
)
# The addresses that are taken. Others, which the driver would read in its own way, are not: what
# seems to be the end of a host or the name of a database may be part of a password for it.
HOST = r"(?:\[[^\[\]@/?#\s]*\]|[^\[\]:,@/?#\s]*)(?::[0-9]*)?"
ADDRESS = re.compile(
    rf"(?:{'|'.join(SCHEMES)})://(?:(?P<user>[^:@/?#\s]*)@)?{HOST}(?:,{HOST})*"
    r"(?:/[^:@/?#\s]*)?(?:\?(?P<options>[^@#\s]*))?",
    re.IGNORECASE,
)
# Names that end so stand for a secret, in whatever language of options.
SECRET_NAMES = (
    r"(?:passw(?:or)?d|passwort|passphrase|pwd|(?<=_)secret|(?:access|account|api|shared|secret)_?key"
    r"|(?:auth|access|bearer|session|sas|refresh)_?token|credentials?|connection_?string)"
)
SECRET = re.compile(
    # password=, 'password': and password :=, but not password::text
    rf"{SECRET_NAMES}['\"]?\s*(?:=|:(?!:))"
    # what the address of a file in a cloud is signed with
    r"|[?&](?:sig|signature|token|key|x-amz-[a-z-]+)="
    # user:password@, whatever signs the password has
    r"|://[^\s'\"]*:[^\s'\"]*@",
    re.IGNORECASE,
)
# Any scheme:/, for a path loses a slash; one letter is a drive of Windows.
SCHEME = re.compile(r"\s*[a-z][a-z0-9+.:_-]+:/", re.IGNORECASE)
USER_AND_PASSWORD = re.compile(r"(?![a-z]:[\\/])[^/\\]*:.*@", re.IGNORECASE | re.DOTALL)


def is_address(text: str) -> bool:
    """Whether a text is the address of a PostgreSQL database."""
    return text.strip().lower().startswith(tuple(f"{scheme}:" for scheme in SCHEMES))


def is_remote(text: str) -> bool:
    """Whether a text is the address of a file on another file system."""
    return text.strip().lower().startswith(tuple(f"{scheme}://" for scheme in REMOTE))


def holds_secret(text: str) -> bool:
    """Whether a text seems to hold a password or a key.

    Examples
    --------
    >>> holds_secret("from postgres_scan('host=h passwd=hush')"), holds_secret("select age")
    (True, False)
    """
    return SECRET.search(text) is not None


def require_no_secret(place: str) -> None:
    """Raise, without showing it, if the name of a place seems to hold a password.

    Every message about a place that cannot be opened shows its name.
    """
    if is_address(place):
        require_no_password(place)
    elif is_remote(place):
        _require_no_key(place)
    elif SCHEME.match(place) and not place.strip().lower().startswith("file:///"):
        raise InvalidParameter(
            "An address of this kind is not known. Name a file, write "
            "postgresql://USER@HOST:PORT/DATABASE, without a password, or s3://BUCKET/FILE."
        )
    elif (holds_secret(place) or USER_AND_PASSWORD.match(place)) and not _exists(place):
        raise InvalidParameter(ADVICE)


def _exists(place: str) -> bool:
    try:
        return Path(place).exists()
    except (OSError, ValueError):
        return False


def require_no_password(address: str) -> None:
    """Raise, without showing the address, if it holds a password or cannot be read."""
    found = ADDRESS.fullmatch(address)
    if found is None:
        raise InvalidParameter(ADVICE) if "@" in address else _unreadable()
    user, options = unquote(found["user"] or ""), unquote(found["options"] or "")
    if ":" in user or holds_secret(options) or _secret_options(found["options"] or ""):
        raise InvalidParameter(ADVICE)


def _require_no_key(address: str) -> None:
    """Raise, without showing it, if an address holds a key: before an @, or as an option."""
    _, _, options = address.partition("?")
    if "@" in address or holds_secret(address) or _secret_options(options):
        raise InvalidParameter(KEYS)


def _secret_options(query: str) -> bool:
    names = [name for name, _ in parse_qsl(query, keep_blank_values=True)]
    return any(re.search(SECRET_NAMES, name, re.IGNORECASE) for name in names)


def _unreadable() -> InvalidParameter:
    return InvalidParameter(
        "The address of the database could not be read. Write "
        "postgresql://USER@HOST:PORT/DATABASE, without a password. Signs such as @ : / ? # in a "
        "name are written %40 %3A %2F %3F %23."
    )


def database_name(address: str) -> str:
    """The database of an address in a few words, without host and user."""
    parts = urlsplit(address)
    named = unquote(parts.path.strip("/")) or dict(parse_qsl(parts.query)).get("dbname", "")
    return f"the PostgreSQL database {named!r}" if named else "a PostgreSQL database"
