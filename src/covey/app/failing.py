"""What went wrong, in words for somebody who looks at a page: no paths, options or internals."""

from __future__ import annotations

import errno
from typing import Any

from covey.errors import CoveyError, InvalidParameter
from covey.settings.declared import Declared
from covey.settings.setting import declared

# For those who work on the app: errors on the terminal, which may show values of the data.
TALKATIVE = "COVEY_APP_ERRORS"
# What parameters are called on the page, where it is not their own name.
PAGE_LABELS = {"k": "k"} | {one.name: one.shown.label for one in declared(Declared) if one.shown}
LIMIT = "threshold"  # of one of the risks
MEMORY = (
    "There was not enough memory for this. Close other programs and try again, or use the command "
    "line, which can work in parts: covey protect … --memory-limit 2GB."
)
DISK = (
    "There is no room left on the disk for temporary files. Make room and try again; nothing that "
    "you did before is lost."
)
UNEXPECTED = (
    "Something went wrong that Covey did not expect. Your file and your steps are still here: try "
    "other settings. Please report this as a bug, and say what you had chosen."
)
CRASHED = (
    "The work ended all of a sudden, most likely because memory ran out. Everything that you did "
    "before is still here. Close other programs and try again, or use the command line, which can "
    "work in parts: covey protect … --memory-limit 2GB."
)


def in_plain_words(error: Exception, work: Any) -> str:
    """The message for an error that came out of work on an upload."""
    if _is_of_a_full_disk(error):
        return DISK
    if isinstance(error, MemoryError):
        return MEMORY
    if isinstance(error, CoveyError):
        return _called_by_its_name(for_readers(error), work)
    return UNEXPECTED


def _is_of_a_full_disk(error: BaseException | None) -> bool:
    """Whether it, or what it was raised for, is that nothing more can be written."""
    while error is not None:
        if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
            return True
        error = error.__cause__ or error.__context__
    return False


def for_readers(error: CoveyError) -> str:
    """What an error says, with the names that things have on the page.

    How something is done in Python or on the command line is left out.

    >>> from covey.errors import not_allowed
    >>> for_readers(not_allowed("time_limit", "a number above 0", -1))
    'Time limit must be a number above 0; got -1.'
    >>> for_readers(not_allowed("missing", "a text", 9, may_be_none=True))
    'Missing values must be empty, or a text; got 9.'
    """
    problem = error.problem
    if isinstance(error, InvalidParameter) and error.must_be:
        allowed = f"empty, or {error.must_be}" if error.may_be_none else error.must_be
        problem = f"{_label(error)} must be {allowed}; got {error.got}."
    return f"{problem} {error.remedy}." if error.remedy else problem


def _label(error: InvalidParameter) -> str:
    """What the page calls a parameter, or an entry of one that is a table."""
    name = error.parameter or ""
    label = PAGE_LABELS.get(name) or name.replace("_", " ").capitalize()
    if error.entry is None:
        return label
    return f"The limit on {_measure(error.entry)}" if name == LIMIT else f"{label} of {error.entry}"


def _measure(name: str) -> str:
    from covey.measures.registry import get, is_known

    return get(name).label if is_known(name) else name.replace("_", " ")


def _called_by_its_name(message: str, work: Any) -> str:
    """The file by the name its owner knows, instead of where it lies in the private folder."""
    upload = getattr(work, "upload", None)
    if upload is None:
        return message
    message = message.replace(str(upload.path), upload.name).replace(upload.path.name, upload.name)
    return message.replace(f"{upload.path.parent}/", "")
