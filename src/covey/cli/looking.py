"""Commands that look at data and change nothing: inspect, measure, techniques."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from covey.cli import options


def inspect(
    file: options.File,
    save_config: Annotated[
        Path | None,
        typer.Option("--save-config", help="Write the guesses as settings to start from (TOML)."),
    ] = None,
    encoding: options.Encoding = None,
    table: options.Table = None,
    query: options.Query = None,
    order_by: options.OrderBy = None,
    force: options.Force = False,
    json: options.Json = False,
) -> None:
    """Look at a file or a table: its columns, and a first guess at their roles with the reason."""
    from covey import release
    from covey.cli.reading import column_names, original_files
    from covey.cli.showing import show_inspection
    from covey.cli.working import working
    from covey.sources.whole import check_place

    if save_config is not None:
        check_place(save_config, force=force, original=original_files(file))
    asked = {"table": table, "query": query}
    order = column_names(order_by, "--order-by") or ()
    inspection = working(
        lambda progress: release.inspect(file, progress, encoding, order_by=order, **asked)
    )
    if save_config is not None:
        inspection.settings().write(save_config, force=force)
    show_inspection(inspection, file, save_config, as_json=json)


def techniques(json: options.Json = False) -> None:
    """List the techniques: what each does and guarantees, and its parameters."""
    from covey.cli.showing import show_techniques

    show_techniques(as_json=json)


def measure(
    original: Annotated[str, typer.Argument(help="The original: a file or a database.")],
    released: Annotated[str, typer.Argument(help="A release of it, by Covey or any other tool.")],
    keys: options.Keys = None,
    identifier: Annotated[
        str, typer.Option("--id", help="Join the rows on this column; else they are in order.")
    ] = "",
    confidential: Annotated[
        list[str] | None,
        typer.Option("--confidential", help="Confidential columns, comma-separated."),
    ] = None,
    loss_weight: options.LossWeight = 0.5,
    exact: Annotated[
        bool, typer.Option("--exact", help="Measure linkage on all records, never on a sample.")
    ] = False,
    table: options.Table = None,
    query: options.Query = None,
    order_by: options.OrderBy = None,
    released_table: options.ReleasedTable = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Measure what a release loses and what it gives away."""
    from covey.cli.reading import column_names, loss_share, refuse_table
    from covey.cli.showing import show_evaluation
    from covey.cli.working import working
    from covey.release.measured_files import measure_tables
    from covey.sources import Reading, open_source

    weight = loss_share(loss_weight)
    refuse_table("--released-table", released_table, released)
    asked = Reading(None, table, query, tuple(column_names(order_by, "--order-by") or ()))
    first = open_source(original, asked)
    second = open_source(released, Reading(table=released_table))
    measured = working(
        lambda progress: measure_tables(
            first.read().table,
            second.read().table,
            keys=column_names(keys, "--keys"),
            identifier=identifier or None,
            confidential=column_names(confidential, "--confidential"),
            weight=weight,
            progress=progress,
            exact=exact,
        ),
        quiet=quiet,
    )
    if not quiet:
        show_evaluation(measured, as_json=json)
