"""Commands that try several releases: compare, tune."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from covey.cli import options
from covey.cli.options import OUTPUT

Save = Annotated[
    Path | None,
    typer.Option(
        "--save", help="Write what was tried (JSON), for the report.", rich_help_panel=OUTPUT
    ),
]


@options.with_settings
def compare(
    file: options.File,
    k: options.Sizes = "3,5,10",
    techniques: options.Techniques = None,
    config: options.Config = None,
    loss: options.Loss = None,
    risk: options.Risk = "g_dr",
    loss_weight: options.LossWeight = 0.5,
    keys: options.Keys = None,
    map: options.Map = None,
    save: Save = None,
    force: options.Force = False,
    json: options.Json = False,
    quiet: options.Quiet = False,
    *,
    given: dict[str, Any],
) -> None:
    """Try techniques and group sizes on a file, and map their risk and loss."""
    from covey import release
    from covey.cli.reading import (
        column_names,
        group_sizes,
        loss_share,
        original_files,
        settings_from,
    )
    from covey.cli.showing import show_comparison
    from covey.cli.trying import check_pictures, shared_settings, write_search
    from covey.cli.working import working
    from covey.release.candidates import UNUSED

    settings, weight = settings_from(config, **given), loss_share(loss_weight)
    check_pictures((map, save), original_files(file), force=force)
    comparison = working(
        lambda progress: release.compare(
            file,
            group_sizes(k) or (3, 5, 10),
            column_names(techniques, "--techniques"),
            loss=loss,
            risk=risk,
            weight_of_loss=weight,
            keys=column_names(keys, "--keys"),
            progress=progress,
            **shared_settings(settings, *UNUSED),
        ),
        quiet=quiet,
    )
    write_search(comparison, map, save, force=force)
    if not quiet:
        show_comparison(comparison, (map, save), as_json=json)


@options.with_settings
def tune(
    file: options.File,
    max_risk: Annotated[
        float, typer.Option("--max-risk", help="Highest risk allowed, percent.", show_default=False)
    ],
    k: options.Sizes = None,
    techniques: options.Techniques = None,
    driving: Annotated[
        str, typer.Option("--driving", help="Numbers of driving variables to try, by trees.")
    ] = "3",
    config: options.Config = None,
    loss: options.Loss = None,
    risk: options.Risk = "g_dr",
    keys: options.Keys = None,
    save_config: Annotated[
        Path | None,
        typer.Option(
            "--save-config", help="Write the settings that won (TOML).", rich_help_panel=OUTPUT
        ),
    ] = None,
    map: options.Map = None,
    save: Save = None,
    force: options.Force = False,
    json: options.Json = False,
    quiet: options.Quiet = False,
    *,
    given: dict[str, Any],
) -> None:
    """Find the least loss whose risk stays below a limit."""
    from covey import release
    from covey.cli.reading import column_names, group_sizes, original_files, settings_from
    from covey.cli.showing import show_tuning
    from covey.cli.trying import check_pictures, driving_counts, shared_settings, write_search
    from covey.cli.working import working
    from covey.release.tuning import SIZES

    settings = settings_from(config, kept=save_config is not None, **given)
    check_pictures((map, save, save_config), original_files(file), force=force)
    tuning = working(
        lambda progress: release.tune(
            file,
            max_risk,
            k=group_sizes(k) or SIZES,
            techniques=column_names(techniques, "--techniques"),
            driving=driving_counts(driving),
            loss=loss,
            risk=risk,
            keys=column_names(keys, "--keys"),
            progress=progress,
            **shared_settings(settings),
        ),
        quiet=quiet,
    )
    write_search(tuning.search, map, save, force=force)
    if save_config is not None:
        tuning.release.settings.write(save_config, force=force)
    if not quiet:
        show_tuning(tuning, (save_config, map, save), as_json=json)
