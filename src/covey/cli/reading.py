"""What users write behind options, as Python values."""

from __future__ import annotations

import ast
from glob import glob
from pathlib import Path
from typing import TYPE_CHECKING, Any

from covey.cli.needs import NO_STRATA
from covey.errors import InvalidParameter
from covey.settings.declared import Declared
from covey.settings.forms import Names, NamesOrAll, Orders, Rules, Table, Weights
from covey.settings.setting import Setting, declared

if TYPE_CHECKING:
    from covey.release.settings import Settings


def column_names(given: list[str] | None, option: str) -> list[str] | None:
    """Comma-separated names, from one option or several; None if the option was not used."""
    if given is None:
        return None
    names = [name.strip() for text in given for name in text.split(",") if name.strip()]
    if not names:
        raise InvalidParameter(f"{option} names no column.")
    return names


def parameter_values(settings: list[str] | None, option: str = "--set") -> dict[str, Any]:
    """NAME=VALUE settings: numbers, lists, True, False and None as such, anything else as text."""
    values = {}
    for name, text in _pairs(settings, option):
        try:
            values[name] = ast.literal_eval(text)
        except (SyntaxError, ValueError):
            values[name] = text
    return values


def orders(given: list[str] | None) -> dict[str, Any] | None:
    """NAME=low<middle<high as an ordered list of categories; a bare NAME has its own order."""
    if given is None:
        return None
    found = {}
    for text in given:
        name, equals, categories = text.partition("=")
        listed = [part.strip() for part in categories.split("<")] if equals else []
        found[name.strip()] = tuple(listed)
    return found


def rules(given: list[str] | None) -> dict[str, str] | None:
    """Rules by name: 'NAME: RULE', or the rule itself is its name."""
    if given is None:
        return None
    found = {}
    for text in given:
        name, colon, rule = text.partition(":")
        found[name.strip() if colon else text.strip()] = (rule if colon else text).strip()
    return found


def value_of(setting: Setting, written: Any) -> Any:
    """What was written behind the option of a setting."""
    match setting.form:
        case Names() | Weights():
            names = column_names(written, setting.flag)
            is_all = isinstance(setting.form, NamesOrAll) and names == ["all"]
            return True if is_all else names
        case Orders():
            return orders(written)
        case Rules():
            return rules(written)
        case Table():
            return parameter_values(written, setting.flag)
    return written


def group_sizes(given: str | None) -> list[int] | None:
    """Comma-separated group sizes."""
    if given is None:
        return None
    try:
        return [int(part) for part in given.split(",") if part.strip()]
    except ValueError:
        raise InvalidParameter(
            f"--k takes whole numbers, comma-separated; got {given!r}."
        ) from None


def loss_share(given: float) -> float:
    """The weight of loss in the score; named as users wrote it, for a survey has weights too."""
    from covey.parameters import Number, require

    require(Number(0.0, maximum=1.0, closed=True), **{"--loss-weight": given})
    return given


def refuse_table(option: str, table: str | None, place: str) -> None:
    """Raise for a table of what is no database."""
    from covey.sources.databases.addresses import require_no_secret
    from covey.sources.opening import is_database

    require_no_secret(place)
    if table is not None and not is_database(place):
        raise InvalidParameter(f"{option} is for databases; {place} is none. Leave it out.")


def settings_from(
    config: Path | None, parameters: list[str] | None = None, *, kept: bool = False, **options: Any
) -> Settings:
    """Settings of a file, with what the options say in their place.

    `kept` tells whether they are saved: then an option may be for a later run.
    """
    from covey.release.settings import Settings

    base = {} if config is None else Settings.read(config).to_dict()
    given = {
        setting.name: value_of(setting, options[setting.name])
        for setting in declared(Declared)
        if options.get(setting.name) is not None
    }
    if parameters is not None:
        given["parameters"] = {**base.get("parameters", {}), **parameter_values(parameters)}
    if (
        given.get("technique", base.get("technique")) != base.get("technique")
        and parameters is None
    ):
        base.pop("parameters", None)  # they belong to the technique of the file
    settings = Settings.from_dict({**base, **given})
    if "small_strata" in given and not kept:
        _require_strata(settings)
    return settings


def _require_strata(settings: Settings) -> None:
    """Raise if what is to be done with small strata would have no effect."""
    if not settings.strata and settings.missing != "pattern":
        raise InvalidParameter(f"--small-strata {NO_STRATA}")


def original_files(place: str) -> list[Path]:
    """The files that must never be replaced; a server has none."""
    from covey.sources.databases.addresses import is_address, is_remote, require_no_secret

    require_no_secret(place)
    if is_address(place) or is_remote(place):
        return []
    return [Path(place), *map(Path, glob(place))]


def _pairs(given: list[str] | None, option: str) -> list[tuple[str, str]]:
    pairs = []
    for setting in given or []:
        name, equals, text = setting.partition("=")
        if not equals:
            raise InvalidParameter(f"{option} takes NAME=VALUE; got {setting!r}.")
        pairs.append((name.strip(), text))
    return pairs
