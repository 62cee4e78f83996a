"""Techniques as a page offers them, from what each declares about itself."""

from __future__ import annotations

import re
from functools import cache
from typing import Any, NamedTuple

from covey.parameters import (
    Flag,
    Maybe,
    Number,
    NumberOrWord,
    OneOf,
    OneOfNames,
    Parameter,
    Whole,
)
from covey.techniques import TechniqueInfo, available, default, get

# What a technique promises that never promises k for the whole record, and the parameter of one
# that does not when it is given.
# Declared by a test and its words; this is what a form has for them.
NOT_DECLARED_BY_PARTS = {"variables": "columns", "random_state": "whole"}

REFERENCE = re.compile(r"\[\d+\]_")


class Field(NamedTuple):
    """A parameter for a form.

    `input` is "whole", "number", "number or word", "choice", "flag", "text" or "columns" (some of
    the quasi-identifiers); `least`, `most` and `options` are
    there where they mean something; `may_be_empty` says that None is allowed. `allowed` says in
    words what a value may be, and `about` what it does.
    """

    name: str
    input: str
    default: Any
    allowed: str
    may_be_empty: bool = False
    least: float | None = None
    most: float | None = None
    options: tuple[Any, ...] = ()
    about: str = ""


class Card(NamedTuple):
    """A technique: its name in settings, its title, one sentence, the paper, and what it can do.

    `is_joint` says that k holds for whole records, `block_parameter` is what weakens it.
    """

    name: str
    title: str
    sentence: str
    paper: str
    is_joint: bool
    block_parameter: str | None
    is_recommended: bool
    is_quick: bool
    by_one_variable: bool
    fields: tuple[Field, ...]


@cache
def technique_cards() -> tuple[Card, ...]:
    """All techniques, the recommended one first."""
    cards = [_card(info) for info in available()]
    order = sorted(
        cards,
        key=lambda card: (
            not card.is_recommended,
            not card.is_joint,
            card.block_parameter is not None,
            card.title,
        ),
    )
    return tuple(order)


def technique_name(name: str) -> str:
    """What people call a technique: "auto" is the recommended one."""
    return get(default() if name == "auto" else name).__name__


def _card(info: TechniqueInfo) -> Card:
    declared = info.cls.parameters
    fields = [
        _field(name, declared[name], default)._replace(about=_for_people(info.about.get(name, "")))
        for name, default in info.parameters.items()
        if name not in ("k", "weights") and name in declared
    ]
    return Card(
        info.name,
        info.cls.__name__,
        info.summary,
        info.paper,
        info.cls.guarantee == "joint",
        info.cls.block_parameter,
        info.cls.is_default,
        info.cls.is_quick,
        info.cls.by_one_variable,
        tuple(fields),
    )


def _for_people(text: str) -> str:
    """What a docstring says of a parameter, without the marks of docstrings."""
    return REFERENCE.sub("the paper", text).replace("`", "")


def _field(name: str, parameter: Parameter, default: Any) -> Field:
    allowed = parameter.allowed
    empty = isinstance(parameter, Maybe)
    if isinstance(parameter, Maybe):
        parameter = parameter.parameter
    if name in NOT_DECLARED_BY_PARTS:
        return Field(name, NOT_DECLARED_BY_PARTS[name], default, allowed, default is None, least=0)
    if isinstance(parameter, Whole):
        most = parameter.maximum
        return Field(name, "whole", default, allowed, empty, parameter.minimum, most)
    if isinstance(parameter, Number):
        most_number = None if parameter.maximum == float("inf") else parameter.maximum
        return Field(name, "number", default, allowed, empty, parameter.above, most_number)
    if isinstance(parameter, NumberOrWord):
        return Field(name, "number or word", default, allowed, empty)
    if isinstance(parameter, OneOf | OneOfNames):
        return Field(name, "choice", default, allowed, empty, options=parameter.options)
    return Field(name, "flag" if isinstance(parameter, Flag) else "text", default, allowed, empty)
