"""Where techniques register themselves and are found by name."""

from __future__ import annotations

import inspect
from dataclasses import Field
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import TypeVar

from covey.capabilities import TechniqueInfo
from covey.docstrings import with_all_parameters
from covey.errors import InvalidParameter, unknown_name
from covey.technique import Technique

Class = TypeVar("Class", bound="type[Technique]")

_REGISTERED: dict[str, type[Technique]] = {}


def register(cls: Class) -> Class:
    """Class decorator: add a technique to the registry under its lower-case class name.

    Its docstring is completed by the entries of the parameters that it takes over from its bases.
    """
    if any(isinstance(value, Field) for value in vars(cls).values()):
        raise TypeError(f"{cls.__name__} needs @dataclass(eq=False, repr=False) below @register.")
    cls.__doc__ = with_all_parameters(cls, inspect.signature(cls).parameters)
    _REGISTERED[cls.__name__.lower()] = cls
    return cls


def registered() -> dict[str, type[Technique]]:
    """All techniques by lower-case name, in the order of these names."""
    _import_folder()
    return dict(sorted(_REGISTERED.items()))


def available() -> list[TechniqueInfo]:
    """All techniques, by name.

    Examples
    --------
    >>> [info.name for info in available()][:2]
    ['egmmat', 'iamat']
    """
    return [cls.describe() for cls in registered().values()]


def default() -> str:
    """The name of the technique that "auto" stands for.

    Examples
    --------
    >>> default()
    'nearoptimal'
    """
    return next(name for name, cls in registered().items() if cls.is_default)


def get(name: str) -> type[Technique]:
    """The technique registered under `name`.

    Examples
    --------
    >>> get("mdav").__name__
    'MDAV'
    """
    known = registered()
    if name.lower() not in known:
        raise InvalidParameter(unknown_name("technique", name, list(known)))
    return known[name.lower()]


@cache
def _import_folder() -> None:
    """Import every module of the folder: each registers the techniques it has."""
    for module in iter_modules(import_module(__package__).__path__):
        import_module(f"{__package__}.{module.name}")
