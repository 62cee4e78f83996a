"""Commands that make a release and the reports about it: protect, report."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from covey.cli import options
from covey.cli.options import OUTPUT

Internal = Annotated[
    Path | None,
    typer.Option("--internal", help="Internal report to sign (.html).", rich_help_panel=OUTPUT),
]
External = Annotated[
    Path | None,
    typer.Option("--external", help="External report for users.", rich_help_panel=OUTPUT),
]
Title = Annotated[
    str | None, typer.Option("--title", help="Title of the reports.", rich_help_panel=OUTPUT)
]
Publisher = Annotated[
    str | None,
    typer.Option("--publisher", help="For the external report.", rich_help_panel=OUTPUT),
]
Contact = Annotated[
    str | None,
    typer.Option("--contact", help="For the external report.", rich_help_panel=OUTPUT),
]


@options.with_settings
def protect(
    file: options.File,
    out: Annotated[
        str | None,
        typer.Option(
            "--out",
            help="Where the release goes: a file, whose ending is the format, or a database.",
            show_default=False,
        ),
    ] = None,
    into: options.Into = None,
    k: options.K = None,
    technique: options.Technique = None,
    parameters: options.Parameters = None,
    config: options.Config = None,
    internal: Internal = None,
    external: External = None,
    title: Title = None,
    publisher: Publisher = None,
    contact: Contact = None,
    save_config: Annotated[
        Path | None,
        typer.Option("--save-config", help="Write the settings (TOML).", rich_help_panel=OUTPUT),
    ] = None,
    save_script: Annotated[
        Path | None,
        typer.Option("--save-script", help="Write a Python script.", rich_help_panel=OUTPUT),
    ] = None,
    measures: Annotated[
        bool,
        typer.Option(
            "--measures/--no-measures", help="Measure loss and risk.", rich_help_panel=OUTPUT
        ),
    ] = True,
    keep_order: Annotated[
        bool,
        typer.Option("--keep-order", help="Keep the row order (a risk).", rich_help_panel=OUTPUT),
    ] = False,
    force: options.Force = False,
    json: options.Json = False,
    quiet: options.Quiet = False,
    memory_limit: options.MemoryLimit = None,
    work_dir: options.WorkDir = None,
    scheduler: options.Scheduler = None,
    *,
    given: dict[str, Any],
) -> None:
    """Protect a file or a table: microaggregate, check, measure, write."""
    from covey.cli.reading import refuse_table, settings_from
    from covey.cli.releasing import (
        Wanted,
        check_targets,
        make_release,
        measure_release,
        target_of,
        warn_above_limits,
        write_everything,
    )
    from covey.cli.showing import show_release
    from covey.cli.streaming import Means, stream_release

    settings = settings_from(
        config,
        parameters,
        k=k,
        technique=technique,
        kept=save_config is not None or save_script is not None,
        **given,
    )
    if out is not None:
        refuse_table("--into", into, out)
    about = {"title": title, "publisher": publisher, "contact": contact}
    target = target_of(file, out, into)
    wanted = Wanted(target, internal, external, save_config, save_script, about, keep_order)
    check_targets(wanted, file, force=force)
    means, signed = Means(memory_limit, work_dir, scheduler), internal is not None
    if means.are_given():
        release = stream_release(file, settings, target, means, force=force, quiet=quiet)
    else:
        release = make_release(file, settings, quiet=quiet)
    if measures:
        measure_release(release, quiet=quiet, signed=signed)
        warn_above_limits(release)
    write_everything(release, wanted, None, force=force, quiet=quiet)
    if not quiet:
        show_release(release, file, wanted, measures=measures, as_json=json)


def report(
    file: options.File,
    config: Annotated[
        Path, typer.Option("--config", help="The settings of the release.", show_default=False)
    ],
    internal: Internal = None,
    external: External = None,
    released: Annotated[
        str | None,
        typer.Option("--released", help="Check that this is the release these settings make."),
    ] = None,
    released_table: options.ReleasedTable = None,
    alternatives: Annotated[
        Path | None,
        typer.Option("--alternatives", help="What `covey compare --save` or tune wrote."),
    ] = None,
    title: Title = None,
    publisher: Publisher = None,
    contact: Contact = None,
    force: options.Force = False,
    quiet: options.Quiet = False,
) -> None:
    """Write the two reports about a release, by making it again from its settings."""
    from covey.cli.reading import settings_from
    from covey.cli.releasing import (
        Wanted,
        check_targets,
        make_release,
        measure_release,
        released_source,
        write_everything,
    )
    from covey.cli.showing import show_reports, shown_place
    from covey.errors import InvalidParameter
    from covey.release.comparing import Comparison
    from covey.release.describing.alternatives import note_on, released_among
    from covey.release.same_release import require_same_release

    if internal is None and external is None:
        raise InvalidParameter("Say which report to write: --internal, --external or both.")
    about = {"title": title, "publisher": publisher, "contact": contact}
    wanted = Wanted(None, internal, external, None, None, about, False)
    check_targets(wanted, file, force=force)
    checked = released_source(file, released, released_table)
    tried = None if alternatives is None else Comparison.read(alternatives)
    signed = internal is not None
    settings = settings_from(config)
    release = make_release(file, settings, quiet=quiet)
    if checked is not None:
        require_same_release(release, checked)
    measure_release(release, quiet=quiet, signed=signed)
    write_everything(release, wanted, tried, force=force, quiet=quiet)
    if not quiet:
        note = "" if tried is None else note_on(released_among(release, tried))
        show_reports(wanted, None if checked is None else shown_place(checked), note)
