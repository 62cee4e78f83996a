"""What is asked of one run, and no part of the settings of a release."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from covey.parameters import Flag, Maybe, Satisfies, Text
from covey.settings.forms import Value
from covey.settings.groups import LARGE, OUTPUT
from covey.settings.setting import Setting


def looked_at_later(allowed: str) -> Value:
    """A value that is checked where it is used; `allowed` says what it may be."""
    return Value(Satisfies(f"None or {allowed}", lambda value: True))


@dataclass(frozen=True)
class Run:
    """Where `protect` writes a release, and by what means."""

    out: Annotated[
        Any,
        Setting(
            looked_at_later("a path or a source"),
            "Write the release here, part by part.",
            OUTPUT,
            "For data that need not fit into memory. A file, a folder of Parquet files (a name "
            "that ends in /) or a database. Files other than Parquet are put together at the end.",
            python="str | Path | Source",
            typed="path or source",
        ),
    ] = None
    into: Annotated[
        str | None,
        Setting(
            Value(Maybe(Text())),
            "Table for the release, when it goes to a database.",
            OUTPUT,
            metavar="TABLE",
        ),
    ] = None
    memory_limit: Annotated[
        Any,
        Setting(
            looked_at_later("a size, such as 2GB, or a number of bytes"),
            "Work part by part in so much memory, such as 2GB.",
            LARGE,
            "With `out`; 2GB if not given.",
            metavar="SIZE",
            python="str | int",
        ),
    ] = None
    work_dir: Annotated[
        Any,
        Setting(
            looked_at_later("a path"),
            "Folder for the work; a killed run goes on there.",
            LARGE,
            "With `out`; beside it if not given. The folder holds original values. Call again what "
            "was killed, and it goes on.",
            python="str | Path",
            typed="path",
        ),
    ] = None
    scheduler: Annotated[
        Any,
        Setting(
            looked_at_later("an address or a client"),
            "Dask cluster that does the work: tcp://…",
            LARGE,
            "With `out`.",
            metavar="ADDRESS",
            python="Any",
            typed="str or distributed.Client",
        ),
    ] = None
    force: Annotated[
        bool,
        Setting(
            Value(Flag()),
            "Replace existing files and tables.",
            OUTPUT,
            "With `out`: a release that is there already.",
        ),
    ] = False
