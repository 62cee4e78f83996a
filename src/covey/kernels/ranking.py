"""The best few of many records: a sorted list of few, a heap of many.

Best is the least distance; among equal distances, the lowest record number. Places that nobody has
taken yet are −1, at an infinite distance.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from covey.kernels.compiling import kernel
from covey.types import FloatVector, IntVector

# Above so many a heap is faster than a list (measured).
HEAP_FROM = 48


class Kept(NamedTuple):
    """Records and their squared distances."""

    ids: IntVector
    distances: FloatVector


@kernel
def nobody_yet(count: int) -> Kept:
    """Room for `count` records."""
    kept = Kept(np.empty(count, dtype=np.int64), np.empty(count))
    for place in range(count):
        kept.ids[place], kept.distances[place] = -1, np.inf
    return kept


@kernel
def place_of_worst(ids: IntVector) -> int:
    """Where the worst record kept is: what a new one is compared with."""
    return 0 if ids.size >= HEAP_FROM else ids.size - 1


@kernel
def keep(ids: IntVector, distances: FloatVector, record: int, distance: float) -> None:
    """Keep a record instead of the worst one, if it is better."""
    worst = place_of_worst(ids)
    if not _before(distance, record, distances[worst], ids[worst]):
        return
    if ids.size >= HEAP_FROM:
        _sift(ids, distances, record, distance, ids.size)
        return
    place = worst
    while place > 0 and _before(distance, record, distances[place - 1], ids[place - 1]):
        ids[place], distances[place] = ids[place - 1], distances[place - 1]
        place -= 1
    ids[place], distances[place] = record, distance


@kernel
def sort_kept(ids: IntVector, distances: FloatVector) -> None:
    """Best first."""
    if ids.size < HEAP_FROM:
        return
    for size in range(ids.size - 1, 0, -1):
        record, distance = ids[size], distances[size]
        ids[size], distances[size] = ids[0], distances[0]
        _sift(ids, distances, record, distance, size)


@kernel
def _before(distance: float, record: int, other_distance: float, other: int) -> bool:
    """Whether a record comes before another one; nobody (−1) comes last."""
    if record < 0 or other < 0:
        return record >= 0
    return distance < other_distance or (distance == other_distance and record < other)


@kernel
def _sift(ids: IntVector, distances: FloatVector, record: int, distance: float, size: int) -> None:
    """Let a record sink from the top of a heap of `size`, whose top comes last of all."""
    place = 0
    while 2 * place + 1 < size:
        child = 2 * place + 1
        if child + 1 < size and _before(
            distances[child], ids[child], distances[child + 1], ids[child + 1]
        ):
            child += 1
        if _before(distances[child], ids[child], distance, record):
            break
        ids[place], distances[place] = ids[child], distances[child]
        place = child
    ids[place], distances[place] = record, distance
