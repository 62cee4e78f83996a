"""Long work with a bar, that Ctrl-C can end at once."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, TypeVar

from covey.cli.progress import progress_bar
from covey.types import Progress

Result = TypeVar("Result")


def working(work: Callable[[Progress], Result], *, quiet: bool = False) -> Result:
    """Run `work`, which is given a callback to say how far it is."""
    with progress_bar(quiet=quiet) as progress:
        return interruptible(lambda: work(progress))


def interruptible(work: Callable[[], Result]) -> Result:
    """Run `work` in a thread while this one listens for Ctrl-C.

    Compiled loops cannot be interrupted, but they let other threads run: work that is cancelled
    goes on until the process ends. It must not write files.
    """
    outcome: list[Any] = []

    def run() -> None:
        try:
            outcome.append((work(), None))
        except BaseException as error:
            outcome.append((None, error))

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(0.1)
    result, error = outcome[0]
    if error is not None:
        raise error
    return result  # type: ignore[no-any-return]
