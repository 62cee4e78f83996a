"""Options that several commands share."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer

ROLES = "Roles of columns (lists are comma-separated)"
TREATMENT = "How columns are treated"
OUTPUT = "Output"
LARGE = "Larger than memory"
DATABASE = "What to read from a database"


# What stands behind an option, in the help; the rest is shown by its type.
SHOWN = {
    **dict.fromkeys(
        ("--identifiers", "--quasi-identifiers", "--confidential", "--strata", "--keep"), "NAMES"
    ),
    **dict.fromkeys(("--nominal", "--integers", "--keys", "--techniques", "--order-by"), "NAMES"),
    **dict.fromkeys(("--importance", "--threshold", "--set"), "NAME=VALUE"),
    **dict.fromkeys(("--table", "--into", "--released-table"), "TABLE"),
    "--query": "SQL",
    "--memory-limit": "SIZE",
    "--scheduler": "ADDRESS",
    "--weight": "NAMES",
    "--encoding": "NAME",
    "--ordinal": "NAME=ORDER",
    "--rule": "RULE",
}


def _option(*names: str, help: str, panel: str | None = None) -> Any:
    return typer.Option(*names, help=help, rich_help_panel=panel, metavar=SHOWN.get(names[0]))


File = Annotated[
    str,
    typer.Argument(
        help="CSV, TSV, Parquet, Arrow, Excel, SPSS, Stata or SAS file; or a database: DuckDB, "
        "SQLite, postgresql://…",
        show_default=False,
    ),
]
Config = Annotated[
    Path | None, _option("--config", help="Settings file (TOML); options go before it.")
]
Force = Annotated[bool, _option("--force", help="Replace existing files and tables.", panel=OUTPUT)]
Json = Annotated[bool, _option("--json", help="Machine-readable output.", panel=OUTPUT)]
Quiet = Annotated[
    bool, _option("--quiet", "-q", help="Print nothing but warnings and errors.", panel=OUTPUT)
]

MemoryLimit = Annotated[
    str | None,
    _option("--memory-limit", help="Work batch by batch in so much memory: 2GB.", panel=LARGE),
]
WorkDir = Annotated[
    Path | None,
    _option("--work-dir", help="Folder for the work; a killed run goes on there.", panel=LARGE),
]
Scheduler = Annotated[
    str | None,
    _option("--scheduler", help="Dask cluster that does the work: tcp://…", panel=LARGE),
]

Identifiers = Annotated[
    list[str] | None,
    _option("--identifiers", help="Columns that name a person or firm; dropped.", panel=ROLES),
]
QuasiIdentifiers = Annotated[
    list[str] | None,
    _option(
        "--quasi-identifiers",
        help="Columns to microaggregate; columns named nowhere are then dropped.",
        panel=ROLES,
    ),
]
Confidential = Annotated[
    list[str] | None,
    _option("--confidential", help="Columns nobody should learn; released as is.", panel=ROLES),
]
Strata = Annotated[
    list[str] | None,
    _option("--strata", help="Columns that groups never cross.", panel=ROLES),
]
Weight = Annotated[
    list[str] | None,
    _option(
        "--weight",
        help="Survey weight; released as the mean of the group. Of several the first is used.",
        panel=ROLES,
    ),
]
Keep = Annotated[list[str] | None, _option("--keep", help="Columns released as is.", panel=ROLES)]

Ordinal = Annotated[
    list[str] | None,
    _option(
        "--ordinal",
        help="NAME=low<middle<high, or NAME where the data have an order; may be repeated.",
        panel=TREATMENT,
    ),
]
Nominal = Annotated[
    list[str] | None,
    _option("--nominal", help="Numbers that are codes of categories.", panel=TREATMENT),
]
Integers = Annotated[
    list[str] | None,
    _option("--integers", help="Columns whose means are rounded, or 'all'.", panel=TREATMENT),
]
Importance = Annotated[
    list[str] | None,
    _option("--importance", help="NAME=NUMBER: how much a column counts (1).", panel=TREATMENT),
]
Missing = Annotated[
    str | None,
    _option("--missing", help="Missing values: group, pattern or error.", panel=TREATMENT),
]
MinContributors = Annotated[
    int | None,
    _option(
        "--min-contributors", help="Known values behind a released one: min(3, k).", panel=TREATMENT
    ),
]
SmallStrata = Annotated[
    str | None,
    _option("--small-strata", help="Below k records: error, merge, suppress.", panel=TREATMENT),
]
BlockSize = Annotated[
    int | None,
    _option(
        "--block-size",
        help="Records that are grouped at a time; all at once if not given.",
        panel=TREATMENT,
    ),
]
Rules = Annotated[
    list[str] | None,
    _option(
        "--rule",
        help="Edit rule for the report, such as 'gross - tax = net'; may be repeated.",
        panel=TREATMENT,
    ),
]
Thresholds = Annotated[
    list[str] | None,
    _option(
        "--threshold", help="NAME=PERCENT: highest risk allowed; may be repeated.", panel=TREATMENT
    ),
]
Exact = Annotated[
    bool | None,
    _option(
        "--exact",
        help="Measure linkage on all records, never on a sample.",
        panel=TREATMENT,
    ),
]
Encoding = Annotated[
    str | None,
    _option("--encoding", help="Encoding of a CSV file, if it is not recognised.", panel=TREATMENT),
]
Table = Annotated[
    str | None, _option("--table", help="Table or view of a database.", panel=DATABASE)
]
Query = Annotated[
    str | None, _option("--query", help="Query of a database; it only reads.", panel=DATABASE)
]
OrderBy = Annotated[
    list[str] | None,
    _option(
        "--order-by",
        help="Columns that order the rows; else the primary key, else all.",
        panel=DATABASE,
    ),
]
ReleasedTable = Annotated[
    str | None,
    _option("--released-table", help="Table of the release, if it is in a database."),
]
Parameters = Annotated[
    list[str] | None,
    _option("--set", help="NAME=VALUE: a parameter of the technique; may be repeated."),
]
Loss = Annotated[str | None, _option("--loss", help="Measure of loss, such as il (default), g_il.")]
Risk = Annotated[str, _option("--risk", help="Measure of risk, such as g_dr or record_linkage.")]
LossWeight = Annotated[float, _option("--loss-weight", help="Weight of loss in the score, 0 to 1.")]
Keys = Annotated[
    list[str] | None,
    _option("--keys", help="Columns an intruder may know, comma-separated; all if not given."),
]
Sizes = Annotated[str | None, _option("--k", help="Group sizes to try, comma-separated.")]
Techniques = Annotated[
    list[str] | None, _option("--techniques", help="Techniques to try, comma-separated; see below.")
]
Map = Annotated[
    Path | None,
    _option("--map", help="Draw the risk–utility map: a .svg or .png file.", panel=OUTPUT),
]


# The options that decide a release, by the setting they stand for.
SETTINGS: dict[str, Any] = {
    "identifiers": Identifiers,
    "quasi_identifiers": QuasiIdentifiers,
    "confidential": Confidential,
    "strata": Strata,
    "weight": Weight,
    "keep": Keep,
    "ordinal": Ordinal,
    "nominal": Nominal,
    "integers": Integers,
    "importance": Importance,
    "missing": Missing,
    "min_contributors": MinContributors,
    "small_strata": SmallStrata,
    "block_size": BlockSize,
    "encoding": Encoding,
    "table": Table,
    "query": Query,
    "order_by": OrderBy,
    "rules": Rules,
    "thresholds": Thresholds,
    "exact": Exact,
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
