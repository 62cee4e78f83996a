"""Where measures are found: every module of these folders that declares one."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from covey.errors import InvalidParameter, unknown_name
from covey.measures.measure import Measure

FOLDERS = ("covey.measures.loss", "covey.measures.risk", "covey.measures.composites")


def available(kind: str | None = None) -> list[Measure]:
    """All measures, or those of a kind, in the order in which tables show them.

    Examples
    --------
    >>> [measure.name for measure in available("loss")][:2]
    ['il', 'g_il']
    """
    return [measure for measure in _found().values() if kind in (None, measure.kind)]


def get(name: str) -> Measure:
    """The measure that an evaluation has under `name`.

    Examples
    --------
    >>> get("il").label
    'information loss (IL)'
    """
    if name not in _found():
        raise InvalidParameter(unknown_name("measure", name, _found()))
    return _found()[name]


def is_known(name: str) -> bool:
    """Whether there is a measure of that name."""
    return name in _found()


def with_limits() -> list[str]:
    """The measures that a limit can be set on, by name.

    Examples
    --------
    >>> with_limits()[:2]
    ['g_dr', 'dr_domingo_torra']
    """
    limited = (measure for measure in available() if measure.limit)
    return [measure.name for measure in limited if measure.can_be_compared]


def comparable(kind: str) -> list[str]:
    """The measures of a kind that candidates can be ranked by.

    Examples
    --------
    >>> comparable("score")
    ['score', 'score_domingo_torra']
    """
    return [measure.name for measure in available(kind) if measure.can_be_compared]


@cache
def _found() -> dict[str, Measure]:
    found: dict[str, Measure] = {}
    for measure in sorted(_declared(), key=lambda measure: measure.place):
        if found.setdefault(measure.name, measure) is not measure:
            raise InvalidParameter(f"Two measures are called {measure.name!r}.")
    return found


def _declared() -> Iterator[Measure]:
    for folder in FOLDERS:
        for entry in iter_modules(import_module(folder).__path__):
            module = import_module(f"{folder}.{entry.name}")
            yield from (part for part in vars(module).values() if isinstance(part, Measure))
