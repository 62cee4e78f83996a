"""`covey protect` for data that need not fit into memory."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from covey.cli.exits import Cancelled
from covey.cli.progress import progress_bar

if TYPE_CHECKING:
    from covey.release import Release, Settings
    from covey.sources import Source


class Means(NamedTuple):
    """What may be used: about so much memory, a folder for the work, a cluster."""

    memory_limit: str | None = None
    work_dir: Path | None = None
    scheduler: str | None = None

    def are_given(self) -> bool:
        return any(part is not None for part in self)


def stream_release(
    file: str,
    settings: Settings,
    target: Source,
    means: Means,
    *,
    force: bool,
    quiet: bool,
) -> Release:
    """Protect a file or a table part by part, with a bar.

    In this thread, so that Ctrl-C takes back what was staged; the work folder stays.
    """
    from covey.pipeline.memory_size import read_size
    from covey.release.run import Streaming
    from covey.release.streamed import protect_streamed, streamed_source

    where = Streaming(target, read_size(means.memory_limit), *means[1:], force)
    began = time.time()
    try:
        with progress_bar(quiet=quiet) as progress:
            return protect_streamed(streamed_source(file, settings), settings, where, progress)
    except Cancelled:
        raise Cancelled(_left(_work_folder(target.folder, means.work_dir, began))) from None


def _work_folder(beside: Path, work_dir: Path | None, began: float) -> Path | None:
    """The folder that a run which began then has worked in, if it is still there."""
    folders = beside.resolve().glob(".covey-work-*") if work_dir is None else [work_dir.resolve()]
    begun = (one for one in folders if (one / "manifest.json").is_file())
    used = [one for one in begun if one.stat().st_mtime >= began - 1]
    return max(used, key=lambda one: one.stat().st_mtime, default=None)


def _left(folder: Path | None) -> str:
    if folder is None:
        return "nothing was written."
    return (
        f"no release was written. The work so far is in {folder}, with original values: the same "
        "command goes on from there; remove the folder if you will not."
    )
