"""A progress bar for long work, on the error stream so that results can be piped."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from covey.cli.streams import plain_console
from covey.types import Progress as Callback


@contextmanager
def progress_bar(*, quiet: bool = False) -> Iterator[Callback]:
    """A callback (stage, done, total) that draws a bar with the time left."""
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    console = plain_console(stderr=True)
    hidden = quiet or not console.is_terminal
    with Progress(*columns, console=console, transient=True, disable=hidden) as bar:
        tasks: dict[str, int] = {}

        def show(stage: str, done: int, total: int) -> None:
            if stage not in tasks:
                tasks[stage] = bar.add_task(stage, total=total)
            bar.update(tasks[stage], completed=done, total=total)  # type: ignore[arg-type]

        yield show
