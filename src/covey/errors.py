"""What Covey raises and warns about.

Every error names the value, what is allowed and what to do, and never shows a data value other than
the labels of strata that are too small.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from typing import NoReturn


class CoveyError(Exception):
    """Base of everything Covey raises on purpose.

    Its message has all parts; each is also there by itself, for whoever says it in other words.

    Parameters
    ----------
    problem : str
        What is wrong, and what would be allowed.
    remedy : str, optional
        What to do about it, as a sentence without its full stop.
    how : str, optional
        How to do that in Python and on the command line; see `ways`.
    parameter, column : str, optional
        The parameter and the column that it is about.

    Examples
    --------
    >>> str(CoveyError("The file is there.", remedy="Replace it", how=ways("force")))
    'The file is there. Replace it (force= or --force).'
    """

    def __init__(
        self,
        problem: str = "",
        *,
        remedy: str = "",
        how: str = "",
        parameter: str | None = None,
        column: str | None = None,
    ) -> None:
        self.problem = problem
        self.remedy = remedy
        self.how = how
        self.parameter = parameter
        self.column = column
        advice = remedy + (f" ({how})" if how else "")
        super().__init__(f"{problem} {advice}." if advice else problem)


def ways(*settings: str) -> str:
    """How settings are given in Python and on the command line.

    Examples
    --------
    >>> ways("small_strata")
    'small_strata= or --small-strata'
    """
    return ", ".join(f"{name}= or --{name.replace('_', '-')}" for name in settings)


class InvalidParameter(CoveyError, ValueError):
    """A parameter has a value that is not allowed.

    `must_be` says what is allowed, if that is all there is to say; see `not_allowed`. `entry` is
    the name that the value has in a parameter that is a table, and `may_be_none` says whether None
    is allowed too.
    """

    must_be: str = ""
    got: str = ""
    entry: str | None = None
    may_be_none: bool = False


def not_allowed(
    parameter: str,
    must_be: str,
    got: object,
    *,
    entry: str | None = None,
    may_be_none: bool = False,
) -> InvalidParameter:
    """The error for a value that is not what it must be.

    Examples
    --------
    >>> str(not_allowed("k", "a whole number of at least 2", 1))
    'k must be a whole number of at least 2; got 1.'
    >>> str(not_allowed("threshold", "a number of at least 0", -1, entry="il"))
    "threshold of 'il' must be a number of at least 0; got -1."
    """
    name = parameter if entry is None else f"{parameter} of {entry!r}"
    allowed = f"None or {must_be}" if may_be_none else must_be
    error = InvalidParameter(f"{name} must be {allowed}; got {got!r}.", parameter=parameter)
    error.must_be, error.got, error.entry = must_be, repr(got), entry
    error.may_be_none = may_be_none
    return error


class SchemaError(CoveyError, ValueError):
    """The data do not have the columns or the kinds of columns that were asked for."""


class Infeasible(CoveyError, ValueError):
    """The data cannot be protected as asked: fewer records than k, say."""


class GuaranteeViolated(CoveyError, RuntimeError):
    """A technique broke its promise. Nothing is released; this is a bug in Covey."""


class CellFailed(CoveyError, RuntimeError):
    """A part of a large file could not be protected. Nothing is released."""


class HoldsOriginals(CoveyError, TypeError):
    """What holds original values was to be pickled; a pickle would carry them wherever it goes."""


class MissingExtra(CoveyError, ImportError):
    """An optional dependency is not installed; the message names the extra that brings it."""


class NotEnoughMemory(CoveyError, MemoryError):
    """Memory ran out. Nothing is released."""

    def __init__(self, problem: str = "") -> None:
        super().__init__(
            problem
            or "There is not enough memory for this. Nothing was written. Close other programs, "
            "leave out columns, or work in parts: out= and memory_limit= in Python, "
            "--memory-limit on the command line."
        )


@contextmanager
def memory_explained() -> Iterator[None]:
    """Say what to do when memory runs out; also a decorator."""
    try:
        yield
    except MemoryError as error:
        if isinstance(error, CoveyError):
            raise
        raise NotEnoughMemory from None


class DisclosureWarning(UserWarning):
    """What was asked for is legal but exposes more than a joint release would."""


def refuse_to_pickle(what: object) -> NoReturn:
    """Raise for an object that holds original values."""
    raise HoldsOriginals(
        f"A {type(what).__name__} holds the original values and the identifiers, so it is not "
        "pickled. Keep the release with release.write(...) and what made it with "
        "release.settings.write(...); covey.protect(data, settings=...) makes it again."
    )


def missing_extra(purpose: str, package: str, extra: str) -> MissingExtra:
    return MissingExtra(
        f"{purpose} needs the package {package!r} (covey[{extra}]). Install it with: "
        f"{install_command(extra)}"
    )


def install_command(extra: str) -> str:
    """What installs the packages of an extra, wherever Covey itself came from.

    It names them: ``covey[extra]`` would be looked for in an index, where a checkout is not.
    """
    from importlib import metadata

    try:
        declared = metadata.requires("covey") or []
    except metadata.PackageNotFoundError:  # it runs from its source, which is then at hand
        declared = []
    packages = dict.fromkeys(_packages(extra, declared))
    if not packages:
        return f"pip install '.[{extra}]' in the folder of Covey's source"
    return "pip install " + " ".join(f'"{package}"' for package in packages)


def _packages(extra: str, declared: Iterable[str]) -> Iterator[str]:
    """What an extra brings; other extras that it names are looked up in their turn."""
    declared = list(declared)
    of_extra = re.compile(rf"extra == ['\"]{extra}['\"]")
    for part in filter(of_extra.search, declared):
        package = part.split(";")[0].strip()
        named = re.fullmatch(r"covey\[([^\]]+)\]", package)
        if named is None:
            yield package
            continue
        for other in named[1].split(","):
            yield from _packages(other.strip(), declared)


def unknown_name(kind: str, name: object, known: Iterable[str]) -> str:
    """Say that `name` is not one of `known`, and which one may have been meant."""
    names = [str(candidate) for candidate in known]
    close = get_close_matches(str(name), names, n=1, cutoff=0.6)
    hint = f"Did you mean {close[0]!r}?" if close else f"Known: {', '.join(names)}."
    return f"There is no {kind} {str(name)!r}. {hint}"
