"""Entry point of the command `covey`. Heavy imports wait until a command needs them."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path
from typing import Annotated

import typer

from covey import __version__
from covey.cli.exits import exit_code, report

app = typer.Typer(
    help="Microaggregation: every released record hides in a group of at least k.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"covey {__version__}")
        raise typer.Exit


@app.callback()
def _main(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    pass


@app.command()
def techniques(
    json: Annotated[bool, typer.Option("--json", help="Machine-readable output.")] = False,
) -> None:
    """List the techniques, what each guarantees and its parameters."""
    from covey.cli.showing import show_techniques

    show_techniques(as_json=json)


@app.command()
def protect(
    file: Annotated[Path, typer.Argument(help="CSV file with a header line.")],
    out: Annotated[Path, typer.Option("--out", help="Where the released CSV file goes.")],
    k: Annotated[int, typer.Option("--k", help="Smallest group size.")] = 3,
    technique: Annotated[
        str, typer.Option("--technique", help="One of those `covey techniques` lists.")
    ] = "iamat",
    identifiers: Annotated[
        str, typer.Option("--identifiers", help="Columns to drop, comma-separated.")
    ] = "",
    quasi_identifiers: Annotated[
        str,
        typer.Option(
            "--quasi-identifiers",
            help="Numeric columns to release, comma-separated; all others are then dropped.",
        ),
    ] = "",
    keep_order: Annotated[
        bool, typer.Option("--keep-order", help="Keep the order of the rows (a risk).")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing file.")] = False,
) -> None:
    """Protect the numeric columns of a CSV file."""
    from covey import release
    from covey.cli.showing import show_release
    from covey.sources.files import read_table, refuse_overwrite

    refuse_overwrite(out, force=force, original=file if file.exists() else None)
    table = read_table(file)
    result = release.protect(
        table, k, technique, _names(identifiers) or (), _names(quasi_identifiers)
    )
    result.write(out, order="original" if keep_order else "released", force=force)
    show_release(result, file, out)


def _names(text: str) -> list[str] | None:
    return [name.strip() for name in text.split(",") if name.strip()] or None


def run() -> None:
    """Run the command line; a user's mistake ends in a message, never in a traceback."""
    warnings.showwarning = lambda message, *_args, **_kwargs: report(f"Warning: {message}")
    try:
        app()
    except (Exception, KeyboardInterrupt) as error:
        code = exit_code(error)
        if code is None:
            raise
        report("Cancelled; nothing was written." if code == 130 else f"Error: {error}")
        sys.exit(code)
