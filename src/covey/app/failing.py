"""What went wrong, in words for somebody who looks at a page: no paths, options or internals."""

from __future__ import annotations

import errno
import re
from typing import Any

from covey.errors import CoveyError
from covey.settings.declared import Declared
from covey.settings.setting import declared

# For those who work on the app: errors on the terminal, which may show values of the data.
TALKATIVE = "COVEY_APP_ERRORS"
# For readers of Python and of the command line: "(small_strata= or --small-strata)".
OPTIONS = re.compile(r"\s*\((?:\w+= |--)[^()]*\)")
# "min_contributors must be None or a whole number", "threshold of 'g_dr' must be a number"
MUST = re.compile(r"^([a-z]\w*) must be (None or )?")
LIMIT = re.compile(r"^threshold of '(\w+)' must be")
PAGE_LABELS = {one.name: one.shown.label for one in declared(Declared) if one.shown}
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
        return for_readers(_called_by_its_name(str(error), work))
    return UNEXPECTED


def _is_of_a_full_disk(error: BaseException | None) -> bool:
    """Whether it, or what it was raised for, is that nothing more can be written."""
    while error is not None:
        if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
            return True
        error = error.__cause__ or error.__context__
    return False


def for_readers(message: str) -> str:
    """A message with the names that things have on the page.

    >>> for_readers("min_contributors must be None or a whole number of at least 1; got 9.")
    'Fewest values behind a released one must be empty, or a whole number of at least 1; got 9.'
    >>> for_readers("time_limit must be a number above 0; got -1.")
    'Time limit must be a number above 0; got -1.'
    """
    plain = without_options(message)
    plain = LIMIT.sub(lambda found: f"The limit on {_measure(found[1])} must be", plain)
    return MUST.sub(_as_on_the_page, plain)


def _as_on_the_page(found: re.Match[str]) -> str:
    name = found[1]
    label = PAGE_LABELS.get(name) or name.replace("_", " ").capitalize()
    return f"{name if name == 'k' else label} must be {'empty, or ' if found[2] else ''}"


def _measure(name: str) -> str:
    from covey.measures.evaluation import LABELS
    from covey.release.candidates import COMPOSITES

    return COMPOSITES.get(name) or LABELS.get(name) or name.replace("_", " ")


def without_options(message: str) -> str:
    """A message without the names that parameters have in Python and on the command line."""
    return OPTIONS.sub("", message)


def _called_by_its_name(message: str, work: Any) -> str:
    """The file by the name its owner knows, instead of where it lies in the private folder."""
    upload = getattr(work, "upload", None)
    if upload is None:
        return message
    message = message.replace(str(upload.path), upload.name).replace(upload.path.name, upload.name)
    return message.replace(f"{upload.path.parent}/", "")
