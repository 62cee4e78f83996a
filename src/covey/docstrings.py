"""What numpydoc docstrings say of parameters, so that classes need not repeat each other."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable

# A section and its text up to the next; in it entries "name : kind" with indented lines below.
HEADING = re.compile(r"^\w[\w ]*\n-{3,}\n", re.M)
SECTION = re.compile(r"^Parameters\n-{10}\n(.*?)(?=^\w[\w ]*\n-{3,}\n|\Z)", re.M | re.S)
ENTRY = re.compile(r"^(\w+) : [^\n]*\n(?:[ \t]+[^\n]*(?:\n|\Z)|\n(?=[ \t]))*", re.M)


def parameter_entries(cls: type) -> dict[str, str]:
    """The entries of *Parameters* by name; a class takes over those of its bases."""
    entries: dict[str, str] = {}
    for one in reversed(cls.__mro__):
        section = SECTION.search(inspect.cleandoc(one.__doc__ or ""))
        found = ENTRY.finditer(section[1].rstrip() + "\n" if section else "")
        entries |= {entry[1]: entry[0] for entry in found}
    return entries


def parameter_texts(cls: type) -> dict[str, str]:
    """What is said of each parameter, as one paragraph without the line of its kind.

    Examples
    --------
    >>> class Drawn:
    ...     '''Records drawn at random.
    ...
    ...     Parameters
    ...     ----------
    ...     seed : int, default=0
    ...         Makes it
    ...         repeatable.
    ...     '''
    >>> parameter_texts(Drawn)
    {'seed': 'Makes it repeatable.'}
    """
    entries = parameter_entries(cls).items()
    return {name: " ".join(entry.partition("\n")[2].split()) for name, entry in entries}


def with_all_parameters(cls: type, names: Iterable[str]) -> str:
    """The docstring of a class with an entry for each of the named parameters, in that order."""
    entries = parameter_entries(cls)
    section = "Parameters\n----------\n" + "".join(entries[one] for one in names if one in entries)
    text = SECTION.sub("", inspect.cleandoc(cls.__doc__ or ""))
    heading = HEADING.search(text)
    at = heading.start() if heading else len(text)
    return f"{text[:at].rstrip()}\n\n{section}\n{text[at:]}".strip()
