"""What a kernel and the thread that watches it share: how far it is, and whether to stop."""

from __future__ import annotations

from covey.kernels.compiling import kernel
from covey.types import IntVector


class Stopped(Exception):
    """A kernel was told to stop; its result does not exist."""


@kernel
def count_done(meter: IntVector, done: int) -> None:
    """Note how many records are done; end here when somebody wants to stop.

    For one thread: kernels side by side use `stop_if_told`, and whoever started them counts.
    """
    meter[0] = done
    stop_if_told(meter)


@kernel
def stop_if_told(meter: IntVector) -> None:
    """End here when somebody wants to stop."""
    if meter[1] != 0:
        raise Stopped("stopped")
