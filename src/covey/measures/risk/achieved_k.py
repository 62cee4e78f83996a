"""The k a release really has, from the released columns themselves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from covey.measures.measure import Measure, Need
from covey.measures.pairs import released_classes


class AchievedK(NamedTuple):
    """Smallest class of equal released records.

    `percent` is 100/k, the most an intruder who finds the right class can be sure of one record;
    `sizes` counts the classes of each size, `unique` the records alone in their class.
    """

    percent: float
    k: int
    n_classes: int
    unique: int
    sizes: dict[int, int]


def achieved_k(released: Any, keys: Sequence[Any] | None = None) -> AchievedK:
    """Count the classes of records that are equal in all released `keys`.

    No technique is asked: what counts is the release itself. A missing value equals a missing one.

    Examples
    --------
    >>> achieved_k([[2.0], [2.0], [6.0], [6.0], [6.0]]).sizes
    {2: 1, 3: 1}
    """
    sizes = released_classes(released, keys).sizes
    values, counts = np.unique(sizes, return_counts=True)
    smallest = int(values[0])
    unique = int(counts[0]) if smallest == 1 else 0
    by_size = {int(size): int(count) for size, count in zip(values, counts, strict=True)}
    return AchievedK(100.0 / smallest, smallest, int(sizes.size), unique, by_size)


ACHIEVED_K = Measure(
    name="achieved_k",
    label="k achieved",
    meaning="Records in the smallest class of equal released records.",
    caveat="what a whole class has in common",
    kind="count",
    function=achieved_k,
    take=lambda inputs: achieved_k(inputs.known),
    needs=(Need.GROUPS, Need.KEYS),
    headline="k",
    unit="records",
    lower_is_better=False,
    before=True,
    position=10,
)
