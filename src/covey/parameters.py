"""Declared parameters: what a value may be, said once for checks, help texts and docs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from numbers import Integral, Real
from typing import Any, Protocol, TypeVar

from covey.errors import InvalidParameter, not_allowed

Value = TypeVar("Value")


class Parameter(Protocol):
    """What a parameter may be: `allows` decides, `allowed` says it in words."""

    @property
    def allowed(self) -> str: ...

    def allows(self, value: Any) -> bool: ...


@dataclass(frozen=True)
class Whole:
    """A whole number of at least `minimum` and, if given, at most `maximum`."""

    minimum: int
    maximum: int | None = None

    @property
    def allowed(self) -> str:
        text = f"a whole number of at least {self.minimum}"
        return text if self.maximum is None else f"{text} and at most {self.maximum}"

    def allows(self, value: Any) -> bool:
        return (
            isinstance(value, Integral)
            and not isinstance(value, bool)
            and int(value) >= self.minimum
            and (self.maximum is None or int(value) <= self.maximum)
        )


@dataclass(frozen=True)
class Number:
    """A finite number above `above` (or equal, when `closed`) and at most `maximum`."""

    above: float
    maximum: float = float("inf")
    closed: bool = False

    @property
    def allowed(self) -> str:
        low = f"{'of at least' if self.closed else 'above'} {self.above:g}"
        return f"a number {low}" + (
            "" if self.maximum == float("inf") else f" and at most {self.maximum:g}"
        )

    def allows(self, value: Any) -> bool:
        if not isinstance(value, Real) or isinstance(value, bool):
            return False
        number = float(value)
        enough = number >= self.above if self.closed else number > self.above
        return enough and number <= self.maximum and number != float("inf")


@dataclass(frozen=True)
class OneOf:
    """One of a few words or values."""

    options: tuple[Any, ...]

    @property
    def allowed(self) -> str:
        options = ", ".join(repr(option) for option in self.options)
        return options if len(self.options) == 1 else f"one of {options}"

    def allows(self, value: Any) -> bool:
        # 1 == True and 1 == 1.0 in Python, but they are not the same request.
        return any(type(value) is type(option) and value == option for option in self.options)


@dataclass(frozen=True)
class OneOfNames:
    """One of the names that `known` gives when it is asked: not all may be there yet."""

    known: Callable[[], tuple[str, ...]]

    @property
    def options(self) -> tuple[str, ...]:
        return self.known()

    @property
    def allowed(self) -> str:
        return OneOf(self.options).allowed

    def allows(self, value: Any) -> bool:
        return OneOf(self.options).allows(value)


@dataclass(frozen=True)
class Flag:
    """True or False."""

    allowed: str = "True or False"

    def allows(self, value: Any) -> bool:
        return isinstance(value, bool)


@dataclass(frozen=True)
class Text:
    """Any text."""

    allowed: str = "a text"

    def allows(self, value: Any) -> bool:
        return isinstance(value, str)


@dataclass(frozen=True)
class Maybe:
    """None, or what `parameter` allows."""

    parameter: Parameter

    @property
    def allowed(self) -> str:
        return f"None or {self.parameter.allowed}"

    def allows(self, value: Any) -> bool:
        return value is None or self.parameter.allows(value)


@dataclass(frozen=True)
class NumberOrWord:
    """What `number` allows, or one of the `words`."""

    number: Number
    words: OneOf

    @property
    def allowed(self) -> str:
        return f"{self.number.allowed} or {self.words.allowed}"

    def allows(self, value: Any) -> bool:
        return self.number.allows(value) or self.words.allows(value)


@dataclass(frozen=True)
class Satisfies:
    """Whatever `test` accepts; `allowed` says it in words."""

    allowed: str
    test: Callable[[Any], bool]

    def allows(self, value: Any) -> bool:
        return self.test(value)


def as_list(given: Any) -> Any:
    """What names columns, as a list: one name stands for a list of it, an index for its names.

    Examples
    --------
    >>> as_list("region"), as_list(["region", "sex"])
    (('region',), ['region', 'sex'])
    """
    if isinstance(given, str):
        return (given,)
    return given.tolist() if hasattr(given, "tolist") else given


def declared(default: Value, allowed: Parameter) -> Value:
    """A parameter as a field of a dataclass: its default, and what it may be.

    Examples
    --------
    >>> @dataclass
    ... class Halving:
    ...     depth: int = declared(3, Whole(1))
    >>> Halving().depth, declarations(Halving)
    (3, {'depth': Whole(minimum=1, maximum=None)})
    """
    return field(default=default, metadata={"allowed": allowed})


def declarations(cls: Any) -> dict[str, Parameter]:
    """What each declared parameter of a dataclass may be, in the order of its signature."""
    in_order = sorted(fields(cls), key=lambda one: bool(one.kw_only))
    return {one.name: one.metadata["allowed"] for one in in_order if "allowed" in one.metadata}


K = Whole(2)
SHARE = Number(0.0, maximum=1.0)
EPOCHS = Whole(1, maximum=2**31 - 1)


def check(declared: Mapping[str, Parameter], values: Mapping[str, Any]) -> None:
    """Raise `InvalidParameter` for the first value that its declaration does not allow."""
    for name, parameter in declared.items():
        require(parameter, **{name: values[name]})


def require(parameter: Parameter, **values: Any) -> None:
    """Raise `InvalidParameter` for the first of the named values that is not allowed."""
    for name, value in values.items():
        if not parameter.allows(value):
            raise _refusal(parameter, name, value)


def require_entries(parameter: Parameter, name: str, table: Mapping[str, Any]) -> None:
    """Raise `InvalidParameter` for the first value of a table that is not allowed.

    `name` is what one of its values is called: the threshold of a risk, say.
    """
    for entry, value in table.items():
        if not parameter.allows(value):
            raise _refusal(parameter, name, value, entry)


def _refusal(
    parameter: Parameter, name: str, value: Any, entry: str | None = None
) -> InvalidParameter:
    if isinstance(parameter, Maybe):
        inner = parameter.parameter.allowed
        return not_allowed(name, inner, value, entry=entry, may_be_none=True)
    return not_allowed(name, parameter.allowed, value, entry=entry)
