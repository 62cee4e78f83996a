"""Parts of the space that can be searched at the same time, cut anew in every round."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from covey.kernels.moving import Search
from covey.types import FloatMatrix, IntVector

# Records in a part, about; and the fewest groups that make a part worth while.
RECORDS = 25_000
FEWEST_GROUPS = 12


class Part(NamedTuple):
    """One part: its number, its records in space order, and the groups it may found.

    `free[0]` says how many free groups there are, `free[1:]` which, with room for all that may
    become free.
    """

    number: int
    records: IntVector
    free: IntVector


def part_count(n_records: int, k: int) -> int:
    """A power of two that depends on the data alone, never on the number of threads."""
    wanted = max(2, n_records // RECORDS)
    most = max(n_records // k // FEWEST_GROUPS, 1)
    return 1 << (min(wanted, most).bit_length() - 1)


def cut(search: Search, k: int, n_parts: int, rng: np.random.RandomState) -> list[Part]:
    """Divide the groups among parts, along lines that are drawn at random."""
    taken = np.flatnonzero(search.sizes)
    search.parts[:] = -1
    centres = search.sums[taken] / search.sizes[taken, None]
    search.parts[taken] = _halve_repeatedly(centres, n_parts, rng)
    homes = search.parts[search.labels]
    order = np.argsort(homes, kind="stable")
    ends = np.cumsum(np.bincount(homes, minlength=n_parts))
    groups = np.bincount(search.parts[taken], minlength=n_parts)
    spare = np.flatnonzero(search.sizes == 0)
    parts, used = [], 0
    for number, records in enumerate(np.split(order, ends[:-1])):
        allowed = records.size // k - int(groups[number])
        free = np.zeros(records.size // k + 1, dtype=np.int64)
        free[0] = allowed
        free[1 : allowed + 1] = spare[used : used + allowed]
        search.parts[free[1 : allowed + 1]] = number
        used += allowed
        parts.append(Part(number, records, free))
    return parts


def _halve_repeatedly(centres: FloatMatrix, n_parts: int, rng: np.random.RandomState) -> IntVector:
    """Part of each centre: halves across the line between two random centres, again and again."""
    nodes = [np.arange(centres.shape[0])]
    while len(nodes) < n_parts:
        nodes = [half for node in nodes for half in _halved(centres, node, rng)]
    part = np.empty(centres.shape[0], dtype=np.int64)
    for number, node in enumerate(nodes):
        part[node] = number
    return part


def _halved(
    centres: FloatMatrix, node: IntVector, rng: np.random.RandomState
) -> tuple[IntVector, IntVector]:
    ends = centres[node[rng.randint(node.size, size=2)]]
    along = centres[node] @ (ends[1] - ends[0])
    # Where the line falls is drawn too, or a round could repeat the seams of another.
    middle = int(node.size * rng.uniform(0.4, 0.6))
    order = np.argsort(along, kind="stable")
    return node[order[:middle]], node[order[middle:]]
