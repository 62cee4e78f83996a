"""What goes wrong with files."""

from __future__ import annotations

from collections.abc import Iterable

from covey.errors import CoveyError

SHOWN_NAMES = 8


class FileProblem(CoveyError, OSError):
    """A file cannot be read or written."""


def quoted(names: Iterable[str]) -> str:
    """Column names as a message shows them; a long list is cut."""
    texts = [repr(name) for name in names]
    rest = len(texts) - SHOWN_NAMES
    return ", ".join(texts[:SHOWN_NAMES]) + (f" and {rest} more" if rest > 0 else "")


class DatabaseProblem(CoveyError, OSError):
    """A database cannot be reached, read or written."""
