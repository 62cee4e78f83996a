"""A search that begins with the groups of a technique."""

from __future__ import annotations

from collections.abc import Callable

from covey.refining.improving import Improvement, Settings, improve
from covey.types import FloatMatrix, IntVector
from covey.watching import relayed

# Share of the progress that is told while the start is made.
START_SHARE = 0.1


def start_and_improve(
    start: Callable[[IntVector], IntVector],
    points: FloatMatrix,
    k: int,
    settings: Settings,
    seed: int,
    meter: IntVector,
) -> Improvement:
    """Improve the labels of `start`, which is given a meter of its own."""
    with relayed(meter, START_SHARE) as inner:
        labels = start(inner)
    return improve(points, labels, k, settings, seed, meter, START_SHARE)
