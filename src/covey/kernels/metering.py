"""What a kernel and the thread that watches it share: how far it is, and whether to stop."""

from __future__ import annotations

from covey.kernels.compiling import kernel
from covey.types import IntVector


class Stopped(Exception):
    """A kernel was told to stop; its result does not exist."""


@kernel
def count_done(meter: IntVector, done: int) -> None:
    """Note how many records are done; end here when somebody wants to stop.

    For one thread: kernels that run side by side use `go_on`, and whoever started them counts.
    """
    meter[0] = done
    go_on(meter)


@kernel
def go_on(meter: IntVector) -> None:
    """End here when somebody wants to stop."""
    if meter[1] != 0:
        raise Stopped("stopped")
