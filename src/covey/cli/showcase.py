"""The command `demo`: a generated survey from raw file to two reports."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from covey.cli import options


def demo(
    folder: Annotated[
        Path, typer.Argument(help="Where the files go; made if it is not there.")
    ] = Path("covey-demo"),
    records: Annotated[int, typer.Option("--records", help="Persons in the survey.")] = 2000,
    force: options.Force = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Only say where files are.")] = False,
) -> None:
    """Protect a generated household survey end to end, and write both reports."""
    from covey.cli.demonstrating import demonstrate

    demonstrate(folder, records, force=force, quiet=quiet)
