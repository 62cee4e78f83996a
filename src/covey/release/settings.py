"""Settings: everything that decides a release, as a value and as a TOML file."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

from covey import techniques
from covey.errors import InvalidParameter, unknown_name
from covey.measures.registry import with_limits
from covey.pipeline.cells import usual_cell
from covey.settings.declared import Declared
from covey.settings.setting import Setting, declared
from covey.sources.asking import Reading
from covey.sources.files import FileProblem
from covey.sources.whole import write_text
from covey.technique import Technique

# "auto" stands for this one, in blocks when there are more records than are grouped at once.
AUTO, MOST_AT_ONCE = techniques.default(), 2_000_000


@dataclass(frozen=True)
class Settings(Declared):
    """What `protect` was asked for: the settings that are declared, each with its value.

    Examples
    --------
    >>> print(Settings(k=5, strata="region").to_toml().replace("    ", ""))
    k = 5
    technique = "auto"
    strata = [
    "region",
    ]
    missing = "group"
    small_strata = "error"
    <BLANKLINE>
    """

    def __post_init__(self) -> None:
        """What stands for a list or a table, such as one name, becomes it."""
        for setting in declared(type(self)):
            object.__setattr__(self, setting.name, setting.read(getattr(self, setting.name)))

    def check(self) -> None:
        """Raise `InvalidParameter` for a value that is not allowed; columns are checked later."""
        for setting in declared(type(self)):
            setting.check(self)
        self.reading.check()
        for risk in self.thresholds:
            if risk not in with_limits():
                raise InvalidParameter(unknown_name("risk", risk, with_limits()))

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
        return replace(self, **values)

    # -- dictionaries and files ------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """What differs from an empty call, as plain values."""
        found = {one.name: self._to_keep(one) for one in declared(type(self))}
        empty = {one.name: plain(one.default) for one in declared(type(self)) if not one.always}
        return {
            name: value
            for name, value in found.items()
            if name not in empty or value != empty[name]
        }

    def _to_keep(self, setting: Setting) -> Any:
        value = plain(getattr(self, setting.name))
        return self._without_unsaid(value) if setting.name == "parameters" else value

    def _without_unsaid(self, parameters: dict[str, Any]) -> dict[str, Any]:
        """Parameters of the technique without those that are None because nothing was said."""
        name = AUTO if self.technique == "auto" else self.technique
        defaults = techniques.get(name).describe().parameters
        return {
            parameter: value
            for parameter, value in parameters.items()
            if value is not None or defaults.get(parameter) is not None
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Settings:
        """Settings from names and values, which are checked."""
        known = [setting.name for setting in declared(cls)]
        for name in values:
            if name not in known:
                raise InvalidParameter(unknown_name("setting", name, known))
        settings = cls(**values)
        settings.check()
        return settings

    def with_driving(self, technique: Technique) -> Settings:
        """The same with the variables a selector chose, so that a file can hold them."""
        chosen = technique.selected_variables
        if chosen is None:
            return self
        return replace(self, parameters={**self.parameters, "variables": chosen})

    def to_toml(self) -> str:
        """The settings as the text of a TOML file."""
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
        """Settings from the text of a TOML file."""
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
        """Settings from a TOML file."""
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


def settings_asked(call: Mapping[str, Any]) -> Settings:
    """The settings that the arguments of `protect` ask for, one by one or all at once."""
    asked = {setting.name: call[setting.name] for setting in declared(Settings)}
    settings = call["settings"]
    if settings is None:
        chosen = settings_of(asked["technique"], asked["k"])
        own = {**chosen.get("parameters", {}), **(asked["parameters"] or {})}
        return Settings.from_dict({**asked, **chosen, "parameters": own})
    if any(setting.asks(call[setting.name]) for setting in declared(Settings)):
        raise InvalidParameter("Give settings= or the single parameters, not both.")
    return settings if isinstance(settings, Settings) else Settings.read(settings)


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


def plain(value: Any) -> Any:
    """Values as a file can hold them; anything else as it is."""
    if isinstance(value, Mapping):
        return {name: plain(part) for name, part in value.items()}
    if isinstance(value, tuple | list):
        return [plain(part) for part in value]
    if hasattr(value, "tolist"):  # arrays and numbers of numpy
        return value.tolist()
    return value
