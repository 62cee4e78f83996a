"""Entry point of the command `covey`. Heavy imports wait until a command needs them."""

from __future__ import annotations

import os
import signal
import sys
import warnings
from typing import Annotated

import typer

from covey import __version__
from covey.cli import app as app_command
from covey.cli import comparing, looking, protecting, showcase
from covey.cli.command import Command, Group
from covey.cli.exits import CANCELLED, Cancelled, exit_code, report
from covey.cli.streams import readers_may_leave
from covey.errors import CoveyError, memory_explained

app = typer.Typer(
    cls=Group,
    help="Microaggregation: every released record hides in a group of at least k.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
# In the order in which people need them.
for command in (
    looking.inspect,
    protecting.protect,
    comparing.compare,
    comparing.tune,
    looking.measure,
    protecting.report,
    looking.techniques,
    app_command.app,
    showcase.demo,
):
    app.command(cls=Command)(command)


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


def run() -> None:
    """Run the command line; a user's mistake ends in a message, never in a traceback."""
    with readers_may_leave():
        _run()


def _run() -> None:
    warnings.showwarning = lambda message, *_args, **_kwargs: report(f"Warning: {message}")
    for wish in (signal.SIGINT, signal.SIGTERM):
        signal.signal(wish, _cancel)
    try:
        with memory_explained():
            app(prog_name="covey")
    except CoveyError as error:
        report(f"Error: {error}")
        sys.exit(exit_code(error))
    except Cancelled as cancelled:
        report(f"Cancelled; {cancelled}")
        sys.stderr.flush()
        os._exit(CANCELLED)  # work in other threads may not wait for anybody


def _cancel(*_: object) -> None:
    raise Cancelled
