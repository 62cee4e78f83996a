"""What went wrong with PostgreSQL, in words that show no data and no password."""

from __future__ import annotations

import os
from typing import Any


def reason(error: Any) -> str:
    """The reason in words. Messages on data (class 22 and others) may quote values: not shown."""
    code = error.sqlstate or ""
    text = _scrubbed(str(error))
    if not code and "Failed to connect" in text:
        return _no_connection(text.split("Failed to connect:", 1)[1].strip().splitlines()[0])
    if code in REASONS:
        return REASONS[code]
    if code.startswith("42") and "ERROR:" in text:
        said = text.split("ERROR:", 1)[1].strip().splitlines()[0]
        return f"the query could not be run: {said}."
    if code.startswith(("08", "57")) or not code:
        return "the connection was lost. Nothing was changed."
    return f"the database refused (SQLSTATE {code}). Nothing was changed."


def broken(text: str) -> str:
    """Why batches stopped to come; the message of the server may quote values."""
    if "ERROR:" in text and "terminating" not in text:
        return "the query could not be run on all records. Nothing was changed."
    return "the connection was lost. Nothing was changed."


MEANWHILE = (
    "the table exists already: somebody else made it meanwhile. Choose another name, or force it "
    "(force=True or --force)."
)
REASONS = {
    "23505": MEANWHILE,  # in the catalog: what Covey writes has no unique columns
    "42P07": MEANWHILE,
    "25006": "a query only reads, and this one would change the database.",
    "42501": (
        "your role has no permission. It needs SELECT on what is read, and USAGE and CREATE on "
        "the schema that is written; a table is replaced by its owner only."
    ),
    "2BP01": "the table cannot be replaced, for views or other tables depend on it.",
    "55P03": "the table is in use by somebody else. Try again later.",
    "53100": "the disk of the server is full. Nothing was changed.",
    "40001": "the data were changed meanwhile. Try again.",
}


def _no_connection(said: str) -> str:
    if "password" in said:
        return (
            "the role or the password was refused. The password is taken from PGPASSWORD, the "
            "password file (~/.pgpass) or the service file."
        )
    return f"no connection: {said.removesuffix('.')}."


def _scrubbed(text: str) -> str:
    secret = os.environ.get("PGPASSWORD")
    return text.replace(secret, "…") if secret else text
