"""Where techniques register themselves and are found by name."""

from __future__ import annotations

from covey.errors import InvalidParameter, unknown_name
from covey.technique import Class, Technique, TechniqueInfo

_REGISTERED: dict[str, type[Technique]] = {}


def register(cls: Class) -> Class:
    """Class decorator: add a technique to the registry under its lower-case class name."""
    _REGISTERED[cls.__name__.lower()] = cls
    return cls


def available() -> list[TechniqueInfo]:
    """All techniques, by name.

    Examples
    --------
    >>> [info.name for info in available()][:2]
    ['egmmat', 'iamat']
    """
    return [_REGISTERED[name].describe() for name in sorted(_REGISTERED)]


def default() -> str:
    """The name of the technique that "auto" stands for.

    Examples
    --------
    >>> default()
    'nearoptimal'
    """
    return next(name for name, cls in sorted(_REGISTERED.items()) if cls.is_default)


def get(name: str) -> type[Technique]:
    """The technique registered under `name`.

    Examples
    --------
    >>> get("mdav").__name__
    'MDAV'
    """
    if name.lower() not in _REGISTERED:
        raise InvalidParameter(unknown_name("technique", name, sorted(_REGISTERED)))
    return _REGISTERED[name.lower()]
