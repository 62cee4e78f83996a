"""What is declared of a setting, and how the declarations of a class are found."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, field, fields, replace
from functools import cache
from typing import Annotated, Any, NamedTuple, get_args, get_origin, get_type_hints

from covey.parameters import Maybe, Parameter, require
from covey.settings.forms import Form, Table, Value


class Group(NamedTuple):
    """Settings that stand together in help, docs and docstrings; `about` goes behind the title."""

    title: str
    about: str = ""


class Shown(NamedTuple):
    """How the form of the app shows a setting.

    `section` is the place in the form, `words` what the values are called there, and `for_role`
    the role without which the setting has no effect and is not shown.
    """

    section: str
    label: str
    hint: str = ""
    words: Mapping[str, str] = {}
    for_role: str | None = None


@dataclass(frozen=True)
class Setting:
    """What is declared of a setting, once, for everything that shows, reads or checks it.

    Attributes
    ----------
    form : Form
        What it may be, and how it is read.
    help : str
        A sentence on what it does, short enough for the help of the command line.
    group : Group
        The settings it stands with.
    more : str
        What else there is to say, for docstrings and docs.
    option : str
        The option on the command line, if it is not the name with hyphens.
    metavar : str, optional
        What the help shows behind the option, if it is not the type.
    narrowed : callable, optional
        What it may be beside the values of the other settings, if that is less.
    by_position : bool
        Whether `protect` takes it without its name. New settings are named.
    always : bool
        Whether a settings file says it even if it is the default.
    reported : bool
        Whether it is for the reports, and changes nothing in a release.
    shown : Shown, optional
        How the app shows it, if the app has a field for it.
    python : str
        The annotation of the argument of `protect`, if it is not that of the form or the type.
    typed : str
        The same in the words of a docstring.
    unset : object
        What the argument of `protect` is when nothing is given, if it is not the default.
    name, type, default
        Found in the class that declares it.
    """

    form: Form
    help: str
    group: Group
    more: str = ""
    option: str = ""
    metavar: str | None = None
    narrowed: Callable[[Any], Parameter] | None = None
    by_position: bool = False
    always: bool = False
    reported: bool = False
    shown: Shown | None = None
    python: str = ""
    typed: str = ""
    unset: Any = ...
    name: str = ""
    type: Any = None
    default: Any = field(default=None, compare=False)

    def read(self, given: Any) -> Any:
        """Turn what was given in Python or a file into the value that is kept."""
        return self.form.read(self.name, given)

    def check(self, settings: Any) -> None:
        """Raise `InvalidParameter` if the value that `settings` has for it is not allowed."""
        value = getattr(settings, self.name)
        self.form.check(self.name, value)
        if self.narrowed is not None:
            require(self.narrowed(settings), **{self.name: value})

    def asks(self, given: Any) -> bool:
        """Whether a value given to `protect` asks for anything."""
        return given is not self.when_unset and self.read(given) != self.read(self.when_unset)

    # -- as the command line and the docs write it -----------------------------------------

    @property
    def flag(self) -> str:
        """The option on the command line."""
        return self.option or f"--{self.name.replace('_', '-')}"

    @property
    def options(self) -> tuple[Any, ...]:
        """The values to choose from; none if there are others."""
        return getattr(self.parameter, "options", ())

    @property
    def parameter(self) -> Parameter | None:
        """What a single value may be, if it is given; None for lists and tables."""
        found = self.form.parameter if isinstance(self.form, Value) else None
        return found.parameter if isinstance(found, Maybe) else found

    @property
    def one_type(self) -> type:
        """The type of a single value."""
        kinds = [one for one in get_args(self.type) or (self.type,) if one is not type(None)]
        return kinds[0] if len(kinds) == 1 and isinstance(kinds[0], type) else str

    # -- as an argument of `protect` -------------------------------------------------------

    @property
    def when_unset(self) -> Any:
        """The default of the argument; an empty table is written as nothing."""
        if self.unset is not ...:
            return self.unset
        if isinstance(self.form, Table):
            return () if self.form.takes_names else None
        return self.default

    @property
    def annotation(self) -> str:
        """The annotation of the argument."""
        plain = self.python or self.form.python or self.one_type.__name__
        return f"{plain} | None" if self.when_unset is None and plain != "Any" else plain

    @property
    def words(self) -> str:
        """The type and the default, as a numpydoc docstring has them."""
        return f"{self.typed or self._type_in_words()}{self._default_in_words()}"

    def _type_in_words(self) -> str:
        if self.options:
            return "{" + ", ".join(f'"{option}"' for option in self.options) + "}"
        return self.form.words or self.annotation.removesuffix(" | None").replace(" | ", " or ")

    def _default_in_words(self) -> str:
        value = self.when_unset
        if value is None:
            return ", optional"
        text = f'"{value}"' if isinstance(value, str) else repr(value)
        return "" if value == () else f", default={text}"


def declared(owner: type) -> tuple[Setting, ...]:
    """The settings that the fields of a dataclass declare, in their order."""
    return _declared(owner)


@cache
def _declared(owner: type) -> tuple[Setting, ...]:
    hints = get_type_hints(owner, include_extras=True)
    return tuple(_declared_in(one, hints[one.name]) for one in fields(owner))


def _declared_in(entry: Any, hint: Any) -> Setting:
    if get_origin(hint) is not Annotated:
        raise TypeError(f"The setting {entry.name} is not declared: Annotated[…, Setting(…)].")
    kind, setting = get_args(hint)
    assert isinstance(setting, Setting)
    default = entry.default if entry.default_factory is MISSING else entry.default_factory()
    return replace(setting, name=entry.name, type=kind, default=default)
