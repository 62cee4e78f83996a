"""`covey protect` for data that need not fit into memory."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import typer

from covey.cli.progress import progress_bar
from covey.errors import InvalidParameter

if TYPE_CHECKING:
    from covey.release import Settings, StreamedRelease


class Means(NamedTuple):
    """What may be used: about so much memory, a folder for the work, a cluster."""

    memory_limit: str | None = None
    work_dir: Path | None = None
    scheduler: str | None = None

    def are_given(self) -> bool:
        return any(part is not None for part in self)


def refuse_with_streaming(**given: object) -> None:
    """Raise for options that need the whole release in memory."""
    for name, value in given.items():
        if value:
            raise InvalidParameter(
                f"--{name.replace('_', '-')} needs the whole release in memory: it does not go "
                "with --memory-limit, --work-dir or --scheduler."
            )


def stream_release(
    file: str,
    settings: Settings,
    out: str | None,
    into: str | None,
    means: Means,
    *,
    force: bool,
    quiet: bool,
) -> StreamedRelease:
    """Protect a file or a table batch by batch, with a bar.

    In this thread, so that Ctrl-C takes back what was staged; the work folder stays.
    """
    from covey.release.streamed_run import Streaming
    from covey.release.streaming import protect_streamed, streamed_source, target_at
    from covey.scale.sizes import read_size

    if out is None and into is None:
        raise InvalidParameter("Say where the release goes: --out, or --into TABLE.")
    target = target_at(file if out is None else out, into)
    where = Streaming(target, read_size(means.memory_limit), *means[1:], force)
    with progress_bar(quiet=quiet) as progress:
        return protect_streamed(streamed_source(file, settings), settings, where, progress)


def show_streamed(release: StreamedRelease, *, as_json: bool) -> None:
    """Print what is known of the release."""
    typer.echo(json.dumps(release.to_dict(), indent=2) if as_json else str(release))
