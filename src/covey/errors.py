"""What Covey raises and warns about.

Every error names the value, what is allowed and what to do, and never shows a data value other than
the labels of strata that are too small.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches


class CoveyError(Exception):
    """Base of everything Covey raises on purpose."""


class InvalidParameter(CoveyError, ValueError):
    """A parameter has a value that is not allowed."""


class SchemaError(CoveyError, ValueError):
    """The data do not have the columns or the kinds of columns that were asked for."""


class Infeasible(CoveyError, ValueError):
    """The data cannot be protected as asked: fewer records than k, say."""


class GuaranteeViolated(CoveyError, RuntimeError):
    """A technique broke its promise. Nothing is released; this is a bug in Covey."""


class CellFailed(CoveyError, RuntimeError):
    """A part of a large file could not be protected. Nothing is released."""


class MissingExtra(CoveyError, ImportError):
    """An optional dependency is not installed; the message names the extra that brings it."""


class NotEnoughMemory(CoveyError, MemoryError):
    """Memory ran out. Nothing is released."""

    def __init__(self, message: str | None = None) -> None:
        super().__init__(
            message
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


def missing_extra(purpose: str, package: str, extra: str) -> MissingExtra:
    return MissingExtra(
        f"{purpose} needs the package {package!r}. Install it with: pip install 'covey[{extra}]'"
    )


def unknown_name(kind: str, name: object, known: Iterable[str]) -> str:
    """Say that `name` is not one of `known`, and which one may have been meant."""
    names = [str(candidate) for candidate in known]
    close = get_close_matches(str(name), names, n=1, cutoff=0.6)
    hint = f"Did you mean {close[0]!r}?" if close else f"Known: {', '.join(names)}."
    return f"There is no {kind} {str(name)!r}. {hint}"
