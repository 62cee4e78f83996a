"""Entry point of the command `covey`. Heavy imports wait until a command needs them."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path
from typing import Annotated

import typer

from covey import __version__
from covey.cli.exits import exit_code, report
from covey.errors import CoveyError

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
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", help="A parameter of the technique, NAME=VALUE; may be repeated."),
    ] = None,
    identifiers: Annotated[
        list[str] | None, typer.Option("--identifiers", help="Columns to drop, comma-separated.")
    ] = None,
    quasi_identifiers: Annotated[
        list[str] | None,
        typer.Option(
            "--quasi-identifiers",
            help="Numeric columns to release, comma-separated; all others are then dropped.",
        ),
    ] = None,
    keep_order: Annotated[
        bool, typer.Option("--keep-order", help="Keep the order of the rows (a risk).")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing file.")] = False,
) -> None:
    """Protect the numeric columns of a CSV file."""
    from covey import release, techniques
    from covey.cli.reading import column_names, parameter_values
    from covey.cli.showing import show_release
    from covey.cli.working import interruptible
    from covey.sources.files import check_target, read_table

    check_target(out, force=force, original=file)
    chosen = techniques.get(technique).configured(k=k, **parameter_values(settings))
    dropped = column_names(identifiers, "--identifiers") or ()
    wanted = column_names(quasi_identifiers, "--quasi-identifiers")
    result = interruptible(lambda: release.protect(read_table(file), None, chosen, dropped, wanted))
    result.write(out, order="original" if keep_order else "released", force=force)
    show_release(result, file, out)


@app.command()
def measure(
    original: Annotated[Path, typer.Argument(help="The original CSV file.")],
    released: Annotated[Path, typer.Argument(help="A release of it, by Covey or any other tool.")],
    keys: Annotated[
        list[str] | None,
        typer.Option("--keys", help="Columns an intruder may know, comma-separated."),
    ] = None,
    identifier: Annotated[
        str, typer.Option("--id", help="Join the rows on this column; else they are in order.")
    ] = "",
    confidential: Annotated[
        list[str] | None,
        typer.Option("--confidential", help="Confidential columns, comma-separated."),
    ] = None,
    weight: Annotated[float, typer.Option("--weight", help="Weight of loss in the score.")] = 0.5,
    json: Annotated[bool, typer.Option("--json", help="Machine-readable output.")] = False,
) -> None:
    """Measure what a release loses and what it gives away."""
    from covey.cli.progress import progress_bar
    from covey.cli.reading import column_names
    from covey.cli.showing import show_evaluation
    from covey.cli.working import interruptible
    from covey.release.measuring import measure_tables
    from covey.sources.files import read_table

    with progress_bar() as progress:
        measured = interruptible(
            lambda: measure_tables(
                read_table(original),
                read_table(released),
                keys=column_names(keys, "--keys"),
                identifier=identifier or None,
                confidential=column_names(confidential, "--confidential"),
                weight=weight,
                progress=progress,
            )
        )
    show_evaluation(measured, as_json=json)


def run() -> None:
    """Run the command line; a user's mistake ends in a message, never in a traceback."""
    warnings.showwarning = lambda message, *_args, **_kwargs: report(f"Warning: {message}")
    try:
        app()
    except CoveyError as error:
        report(f"Error: {error}")
        sys.exit(exit_code(error))
