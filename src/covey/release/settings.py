"""Settings: everything that decides a release, as a value and as a TOML file."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

from covey import techniques
from covey.errors import InvalidParameter, unknown_name
from covey.measures.registry import with_limits
from covey.parameters import (
    Flag,
    Maybe,
    Number,
    OneOf,
    Text,
    Whole,
    as_list,
    require,
    require_entries,
)
from covey.scale.blocks import usual_cell
from covey.sources.asking import Reading
from covey.sources.files import FileProblem
from covey.sources.whole import write_text
from covey.tables.roles import names_of_weights
from covey.tables.strata import SMALL
from covey.technique import Technique

# "auto" stands for this one, in blocks when there are more records than are grouped at once.
AUTO, MOST_AT_ONCE = techniques.default(), 2_000_000
MISSING = ("group", "pattern", "error")
LISTS = (
    *("identifiers", "quasi_identifiers", "confidential", "strata", "keep", "nominal"),
    "order_by",
)
# Records in a block, at least: smaller ones would lose too much.
LEAST_BLOCK = 1_000
# The largest numbers that are grouped, multiplied by the root of more, would leave the floats.
IMPORTANCE = Number(0.0, maximum=1e9, closed=True)
PERCENT = Number(0.0, maximum=100.0, closed=True)
TABLES = ("parameters", "ordinal", "importance", "rules", "thresholds")


@dataclass(frozen=True)
class Settings:
    """What `protect` was asked for. Lists are tuples and unset values None or empty.

    `block_size` is how many records are grouped at a time, None for all of them (or for what
    "auto" decides).
    `encoding` is that of a CSV file; `table`, `query` and `order_by` are for databases.
    `parameters` are the technique's own. `rules` are edit rules by name and `thresholds` the
    highest risks allowed, in percent: both are for the reports and do not change the release.
    `weight` may be a list: means are weighted by the first. With `exact`, linkage is measured on
    all records instead of a sample, however long that takes.
    """

    k: int = 3
    technique: str = "auto"
    parameters: Mapping[str, Any] = field(default_factory=dict)
    identifiers: tuple[str, ...] = ()
    quasi_identifiers: tuple[str, ...] | None = None
    confidential: tuple[str, ...] = ()
    strata: tuple[str, ...] = ()
    weight: str | tuple[str, ...] | None = None
    keep: tuple[str, ...] = ()
    ordinal: Mapping[str, Any] = field(default_factory=dict)
    nominal: tuple[str, ...] = ()
    integers: bool | tuple[str, ...] = False
    importance: Mapping[str, float] = field(default_factory=dict)
    missing: str = "group"
    min_contributors: int | None = None
    small_strata: str = "error"
    block_size: int | None = None
    encoding: str | None = None
    table: str | None = None
    query: str | None = None
    order_by: tuple[str, ...] = ()
    rules: Mapping[str, str] = field(default_factory=dict)
    thresholds: Mapping[str, float] = field(default_factory=dict)
    exact: bool = False

    def __post_init__(self) -> None:
        """One name as a text is a list of one, wherever a list of columns is meant."""
        for name in (*LISTS, "integers"):
            object.__setattr__(self, name, _as_names(getattr(self, name), name))

    def check(self) -> None:
        """Raise `InvalidParameter` for a value that is not allowed; columns are checked later."""
        require(Whole(2), k=self.k)
        require(Text(), technique=self.technique)
        require(Maybe(Text()), encoding=self.encoding, table=self.table, query=self.query)
        self.reading.check()
        require(Flag(), exact=self.exact)
        require(OneOf(MISSING), missing=self.missing)
        require(OneOf(SMALL), small_strata=self.small_strata)
        require(Maybe(Whole(1, maximum=int(self.k))), min_contributors=self.min_contributors)
        require(Maybe(Whole(LEAST_BLOCK)), block_size=self.block_size)
        for name in TABLES:
            if not isinstance(getattr(self, name), Mapping):
                raise InvalidParameter(f"{name} must be a table of names and values.")
        for name, rule in self.rules.items():
            require(Text(), **{f"the rule {name!r}": rule})
        for column, order in self.ordinal.items():
            if not isinstance(order, tuple):
                raise InvalidParameter(
                    f"The categories of {column!r} must be a list, from low to high."
                )
        require_entries(IMPORTANCE, "importance", self.importance)
        for risk in self.thresholds:
            if risk not in with_limits():
                raise InvalidParameter(unknown_name("risk", risk, with_limits()))
        require_entries(PERCENT, "threshold", self.thresholds)

    @property
    def contributors(self) -> int:
        """Known values that must stand behind a released one."""
        return min(3, self.k) if self.min_contributors is None else int(self.min_contributors)

    @property
    def reading(self) -> Reading:
        """What is read from a file or a database."""
        return Reading(self.encoding, self.table, self.query, self.order_by)

    def instance(self) -> Technique:
        """The technique with its parameters."""
        name = AUTO if self.technique == "auto" else self.technique
        given = dict(self.parameters)
        if given.pop("k", self.k) != self.k:
            raise InvalidParameter("k is given twice, with different values.")
        return techniques.get(name).configured(k=self.k, **given)

    def for_records(self, n_records: int, n_variables: int) -> Settings:
        """The same settings, with what "auto" decides by the size of the table.

        A single variable is grouped optimally at once, and blocks end by no clock.
        """
        decides = self.technique == "auto" and self.block_size is None
        timed = self.parameters.get("time_limit") is not None
        if not decides or timed or n_variables == 1 or n_records <= MOST_AT_ONCE:
            return self
        return self.changed(block_size=usual_cell(n_variables))

    def changed(self, **values: Any) -> Settings:
        """The same settings with some values replaced."""
        return replace(self, **{name: _as_tuple(value) for name, value in values.items()})

    # -- dictionaries and files ------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """What differs from an empty call, as plain values."""
        everything = {entry.name: plain(getattr(self, entry.name)) for entry in fields(self)}
        everything["parameters"] = self._given_parameters()
        always = {"k", "technique", "missing", "small_strata"}
        return {
            name: value
            for name, value in everything.items()
            if name in always or value not in (None, [], {}, False) or _says_nobody(name, value)
        }

    def _given_parameters(self) -> Any:
        """Parameters as plain values, without those that are None because nothing was said."""
        if not isinstance(self.parameters, Mapping):
            return self.parameters
        name = AUTO if self.technique == "auto" else self.technique
        defaults = techniques.get(name).describe().parameters
        return {
            parameter: value
            for parameter, value in plain(self.parameters).items()
            if value is not None or defaults.get(parameter) is not None
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Settings:
        known = [entry.name for entry in fields(cls)]
        for name in values:
            if name not in known:
                raise InvalidParameter(unknown_name("setting", name, known))
        given = {name: _as_tuple(value) for name, value in values.items()}
        given["weight"] = _as_weight(given.get("weight"))
        for name, of_each in (("ordinal", _no_order), ("rules", _itself)):
            mapping = _as_mapping(given.get(name, ()), name, of_each)
            given[name] = {entry: _as_tuple(value) for entry, value in mapping.items()}
        settings = cls(**given)
        settings.check()
        return settings

    def with_driving(self, technique: Technique) -> Settings:
        """The same with the variables a selector chose, so that a file can hold them."""
        chosen = technique.selected_variables
        if chosen is None:
            return self
        return replace(self, parameters={**self.parameters, "variables": chosen})

    def to_toml(self) -> str:
        import tomli_w

        try:
            return tomli_w.dumps(self.to_dict())
        except TypeError:
            raise InvalidParameter(
                "A parameter of the technique is a function or an object, or None where that is "
                "not the default, which a settings file or a script cannot hold."
            ) from None

    @classmethod
    def from_toml(cls, text: str) -> Settings:
        try:
            values = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise InvalidParameter(f"The settings are not valid TOML: {error}.") from None
        return cls.from_dict(values)

    def write(self, path: str | Path, *, force: bool = False) -> None:
        """Write the settings as TOML, whole or not at all."""
        write_text(Path(path), self.to_toml(), force=force)

    @classmethod
    def read(cls, path: str | Path) -> Settings:
        try:
            text = Path(path).read_text(encoding="utf-8")
        except OSError as error:
            reason = error.strerror or "the system refused"
            raise FileProblem(f"{path} could not be read: {reason}.") from None
        except UnicodeDecodeError:
            raise InvalidParameter(f"{path} is not a text file in UTF-8.") from None
        try:
            return cls.from_toml(text)
        except InvalidParameter as error:
            raise InvalidParameter(f"{path}: {error}") from None


def settings_of(technique: str | Technique, k: int | None) -> dict[str, Any]:
    """k, technique and parameters of a name or an instance."""
    if isinstance(technique, str):
        if technique != "auto":
            techniques.get(technique)
        return {"k": 3 if k is None else k, "technique": technique}
    if not isinstance(technique, Technique):
        raise InvalidParameter(
            f"technique must be a name or a technique; got {type(technique).__name__}."
        )
    if k is not None and k != technique.k:
        raise InvalidParameter(f"k={k!r}, but the technique given has k={technique.k!r}.")
    given = technique.get_params(deep=False)
    own = {name: value for name, value in given.items() if name != "k" and value is not None}
    return {"k": technique.k, "technique": technique.describe().name, "parameters": own}


def _as_names(given: Any, name: str) -> Any:
    """One name or several as a tuple; None and True or False as they are."""
    names = as_list(given)
    if names is None or isinstance(names, bool):
        return names
    if not isinstance(names, Sequence):
        raise InvalidParameter(f"{name} must be a list of column names.")
    return tuple(names)


def _as_tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _as_weight(given: Any) -> Any:
    """One weight is its name, as it always was; none is None."""
    weights = names_of_weights(given)
    return weights if len(weights) > 1 else next(iter(weights), None)


def _no_order(name: str) -> tuple[str, ...]:
    return ()


def _itself(rule: str) -> str:
    return rule


def _as_mapping(given: Any, name: str, of_each: Callable[[str], Any]) -> Any:
    """A list of names as a mapping from each to what `of_each` says."""
    given = as_list(given)
    if isinstance(given, Mapping):
        return given
    listed = isinstance(given, list | tuple)
    if not listed or not all(isinstance(entry, str) for entry in given):
        raise InvalidParameter(f"{name} must be a list of texts, or a table of names and values.")
    return {entry: of_each(entry) for entry in given}


def _says_nobody(name: str, value: Any) -> bool:
    """No quasi-identifiers at all is not the same as not saying which."""
    return name == "quasi_identifiers" and value == []


def plain(value: Any) -> Any:
    """Values as a file can hold them; anything else as it is."""
    if isinstance(value, Mapping):
        return {name: plain(part) for name, part in value.items()}
    if isinstance(value, tuple | list):
        return [plain(part) for part in value]
    if hasattr(value, "tolist"):  # arrays and numbers of numpy
        return value.tolist()
    return value
