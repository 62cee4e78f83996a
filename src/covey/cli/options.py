"""Options that several commands share."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer

from covey.settings import forms
from covey.settings.declared import Declared
from covey.settings.groups import GROUPING
from covey.settings.groups import OUTPUT as OUTPUT_GROUP
from covey.settings.run import Run
from covey.settings.setting import Group, Setting, declared

DECLARED = {setting.name: setting for setting in (*declared(Declared), *declared(Run))}
OUTPUT = OUTPUT_GROUP.title


def _option(name: str, *, help: str, panel: str | None = None, metavar: str | None = None) -> Any:
    return typer.Option(name, help=help, rich_help_panel=panel, metavar=metavar)


def _declared_option(setting: Setting) -> Any:
    """The option that stands for a setting."""
    metavar = setting.metavar or ("NAMES" if _is_list(setting) else None)
    return _option(setting.flag, help=_help(setting), panel=_panel(setting.group), metavar=metavar)


def _help(setting: Setting) -> str:
    """The help of a setting, with the values to choose from and how it is written."""
    if setting.options:
        return f"{setting.help.rstrip('.')}: {', '.join(map(str, setting.options))}."
    match setting.form:
        case forms.Table():
            return f"{setting.help} May be repeated."
        case forms.NamesOrAll():
            return f"{setting.help.rstrip('.')}, or 'all'."
    return setting.help


def _panel(group: Group) -> str | None:
    if group == GROUPING:  # with the options that every command begins with
        return None
    return f"{group.title} ({group.about})" if group.about else group.title


def _is_list(setting: Setting) -> bool:
    return isinstance(setting.form, forms.Names | forms.Weights)


def _kind(setting: Setting) -> Any:
    """The type by which the command line reads an option; None if it is not given."""
    several = _is_list(setting) or isinstance(setting.form, forms.Table)
    return list[str] | None if several else setting.one_type | None


def option_of(setting: Setting) -> Any:
    """The annotation of a parameter of a command that stands for a setting."""
    return Annotated[_kind(setting), _declared_option(setting)]


File = Annotated[
    str,
    typer.Argument(
        help="CSV, TSV, Parquet, Arrow, Excel, SPSS, Stata or SAS file; or a database: DuckDB, "
        "SQLite, postgresql://…",
        show_default=False,
    ),
]
Config = Annotated[
    Path | None, _option("--config", help="Settings file (TOML); options override it.")
]
Json = Annotated[bool, _option("--json", help="Machine-readable output.", panel=OUTPUT)]
Quiet = Annotated[
    bool,
    typer.Option(
        "--quiet", "-q", help="Print nothing but warnings and errors.", rich_help_panel=OUTPUT
    ),
]

# Settings that commands take one by one.
K = Annotated[int | None, _declared_option(DECLARED["k"])]
Technique = Annotated[str | None, _declared_option(DECLARED["technique"])]
Parameters = Annotated[list[str] | None, _declared_option(DECLARED["parameters"])]
Encoding = Annotated[str | None, _declared_option(DECLARED["encoding"])]
Table = Annotated[str | None, _declared_option(DECLARED["table"])]
Query = Annotated[str | None, _declared_option(DECLARED["query"])]
OrderBy = Annotated[list[str] | None, _declared_option(DECLARED["order_by"])]
Into = Annotated[str | None, _declared_option(DECLARED["into"])]
MemoryLimit = Annotated[str | None, _declared_option(DECLARED["memory_limit"])]
WorkDir = Annotated[Path | None, _declared_option(DECLARED["work_dir"])]
Scheduler = Annotated[str | None, _declared_option(DECLARED["scheduler"])]
Force = Annotated[bool, _declared_option(DECLARED["force"])]

ReleasedTable = Annotated[
    str | None,
    _option(
        "--released-table", help="Table of the release, if it is in a database.", metavar="TABLE"
    ),
]
Loss = Annotated[str | None, _option("--loss", help="Measure of loss, such as il (default), g_il.")]
Risk = Annotated[str, _option("--risk", help="Measure of risk, such as g_dr or record_linkage.")]
LossWeight = Annotated[float, _option("--loss-weight", help="Weight of loss in the score, 0 to 1.")]
Keys = Annotated[
    list[str] | None,
    _option(
        "--keys",
        help="Columns an intruder may know, comma-separated; all if not given.",
        metavar="NAMES",
    ),
]
Sizes = Annotated[str | None, _option("--k", help="Group sizes to try, comma-separated.")]
Techniques = Annotated[
    list[str] | None,
    _option("--techniques", help="Techniques to try, comma-separated; see below.", metavar="NAMES"),
]
Map = Annotated[
    Path | None,
    _option("--map", help="Draw the risk–utility map: a .svg or .png file.", panel=OUTPUT),
]


# The options that decide a release, by the setting they stand for; the others differ by command.
SETTINGS = {
    setting.name: option_of(setting) for setting in declared(Declared) if setting.group != GROUPING
}


def with_settings(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command all options of `SETTINGS`; it gets them as one dictionary, `given`."""
    signature = inspect.signature(command)
    hints = get_type_hints(command, include_extras=True)
    own = [
        parameter.replace(annotation=hints[name], kind=inspect.Parameter.KEYWORD_ONLY)
        for name, parameter in signature.parameters.items()
        if name != "given"
    ]
    shared = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=kind)
        for name, kind in SETTINGS.items()
    ]

    @wraps(command)
    def run(**values: Any) -> None:
        given = {name: values.pop(name) for name in SETTINGS}
        command(**values, given=given)

    run.__signature__ = signature.replace(parameters=[*own, *shared])  # type: ignore[attr-defined]
    run.__annotations__ = {part.name: part.annotation for part in [*own, *shared]}
    del run.__wrapped__
    return run
