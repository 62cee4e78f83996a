"""The forms a setting can have: one value, names of columns, a table of names and values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from covey.errors import InvalidParameter
from covey.parameters import Number, Parameter, Text, as_list, require, require_entries
from covey.tables.roles import names_of_weights


@dataclass(frozen=True)
class Form:
    """Base of all forms: how a value is read from what users give, and what it may be.

    `python` is the annotation of an argument of this form and `words` its type in docstrings; both
    are empty for a single value, whose type tells.
    """

    python: ClassVar[str] = ""
    words: ClassVar[str] = ""

    @property
    def allowed(self) -> str:
        """What the setting may be, in words."""
        raise NotImplementedError

    def read(self, name: str, given: Any) -> Any:
        """Turn what was given in Python or a file into the value that `Settings` holds."""
        return given

    def check(self, name: str, value: Any) -> None:
        """Raise `InvalidParameter` for a value that is not allowed."""


@dataclass(frozen=True)
class Value(Form):
    """One value, which `parameter` allows."""

    parameter: Parameter

    @property
    def allowed(self) -> str:
        """What the setting may be, in words."""
        return self.parameter.allowed

    def check(self, name: str, value: Any) -> None:
        """Raise `InvalidParameter` for a value that is not allowed."""
        require(self.parameter, **{name: value})


@dataclass(frozen=True)
class Names(Form):
    """Names of columns. `beside` are the values that may stand for such a list: None, or True."""

    beside: tuple[Any, ...] = ()
    python: ClassVar[str] = "Sequence[str]"
    words: ClassVar[str] = "list of str"

    @property
    def allowed(self) -> str:
        """What the setting may be, in words."""
        return "".join(f"{value} or " for value in self.beside) + "a list of column names"

    def read(self, name: str, given: Any) -> Any:
        """One name stands for a list of it."""
        names = as_list(given)
        if any(names is value for value in self.beside):
            return names
        if not isinstance(names, Sequence):
            raise InvalidParameter(f"{name} must be {self.allowed}.")
        return tuple(names)

    def check(self, name: str, value: Any) -> None:
        """Raise `InvalidParameter` for a name that is no text."""
        if isinstance(value, tuple) and not all(isinstance(one, str) for one in value):
            raise InvalidParameter(f"{name} must be {self.allowed}.")


@dataclass(frozen=True)
class NamesOrAll(Names):
    """Names of columns, True for all of them, or False for none."""

    beside: tuple[Any, ...] = (True, False)
    python: ClassVar[str] = "bool | Sequence[str]"
    words: ClassVar[str] = "bool or list of str"

    def read(self, name: str, given: Any) -> Any:
        """No names are False."""
        return super().read(name, given) or False


@dataclass(frozen=True)
class Weights(Form):
    """No weight, one by its name, or several, each once."""

    python: ClassVar[str] = "str | Sequence[str]"
    words: ClassVar[str] = "str or list of str"

    @property
    def allowed(self) -> str:
        """What the setting may be, in words."""
        return "None, a column name or a list of them, each once"

    def read(self, name: str, given: Any) -> Any:
        """A list of one weight is its name; no weight is None."""
        weights = names_of_weights(as_list(given))
        return weights if len(weights) > 1 else next(iter(weights), None)


@dataclass(frozen=True)
class Table(Form):
    """Names and values; each value may be anything. Some tables may be lists of their names."""

    takes_names: ClassVar[bool] = False
    python: ClassVar[str] = "Mapping[str, Any]"
    words: ClassVar[str] = "mapping"

    @property
    def allowed(self) -> str:
        """What the setting may be, in words."""
        return "a table of names and values"

    def read(self, name: str, given: Any) -> Any:
        """Nothing, or an empty list, is an empty table."""
        given = () if given is None else as_list(given)
        if isinstance(given, Mapping):
            return dict(given)
        listed = isinstance(given, list | tuple) and all(isinstance(one, str) for one in given)
        if not listed or (given and not self.takes_names):
            raise InvalidParameter(f"{name} must be {self.allowed}.")
        return {one: self.value_of(one) for one in given}

    def value_of(self, name: str) -> Any:
        """What stands for the value where only the name is given."""
        raise NotImplementedError


@dataclass(frozen=True)
class Numbers(Table):
    """A number by name. In messages one is called `each`: "threshold of 'g_dr'"."""

    number: Number
    each: str
    python: ClassVar[str] = "Mapping[str, float]"

    @property
    def allowed(self) -> str:
        """What the setting may be, in words."""
        return f"a table of names, each with {self.number.allowed}"

    def check(self, name: str, value: Any) -> None:
        """Raise `InvalidParameter` for a number that is not allowed."""
        require_entries(self.number, self.each, value)


@dataclass(frozen=True)
class Listed(Table):
    """A table that may also be given as a list of its names."""

    takes_names: ClassVar[bool] = True
    words: ClassVar[str] = "mapping or list of str"

    @property
    def allowed(self) -> str:
        """What the setting may be, in words."""
        return "a list of texts, or a table of names and values"


@dataclass(frozen=True)
class Orders(Listed):
    """Categories from low to high, by column; none for a column that has an order of its own."""

    python: ClassVar[str] = "Mapping[str, Sequence[Any]] | Sequence[str]"

    def read(self, name: str, given: Any) -> Any:
        """A list of categories is a tuple of them."""
        orders = super().read(name, given)
        return {one: tuple(o) if isinstance(o, list) else o for one, o in orders.items()}

    def value_of(self, name: str) -> Any:
        """No categories."""
        return ()

    def check(self, name: str, value: Any) -> None:
        """Raise `InvalidParameter` for categories that are no list."""
        for column, order in value.items():
            if not isinstance(order, tuple):
                raise InvalidParameter(
                    f"The categories of {column!r} must be a list, from low to high."
                )


@dataclass(frozen=True)
class Rules(Listed):
    """Edit rules by name; a rule without a name is its own."""

    python: ClassVar[str] = "Mapping[str, str] | Sequence[str]"

    def value_of(self, name: str) -> Any:
        """The rule itself."""
        return name

    def check(self, name: str, value: Any) -> None:
        """Raise `InvalidParameter` for a rule that is no text."""
        for entry, rule in value.items():
            require(Text(), **{f"the rule {entry!r}": rule})
