"""The true optimum by brute force, for the tests that hold heuristics against it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np


def all_partitions(records: tuple[int, ...], k: int) -> Iterator[list[tuple[int, ...]]]:
    """Every partition of `records` into groups of k to 2k − 1 (an optimal one has no others)."""
    if not records:
        yield []
        return
    first, rest = records[0], records[1:]
    for size in range(k, min(2 * k, len(records) + 1)):
        for others in combinations(rest, size - 1):
            left = tuple(record for record in rest if record not in others)
            if not left or len(left) >= k:
                for tail in all_partitions(left, k):
                    yield [(first, *others), *tail]


def sse(points: np.ndarray, groups: list[tuple[int, ...]]) -> float:
    return float(
        sum(np.square(points[list(g)] - points[list(g)].mean(axis=0)).sum() for g in groups)
    )


def least_sse(points: np.ndarray, k: int) -> float:
    return min(sse(points, groups) for groups in all_partitions(tuple(range(len(points))), k))


def optimal_sse(points: np.ndarray, k: int) -> float:
    """The least SSE, by dynamic programming over sets of records (n up to about 12)."""
    n = len(points)
    whole = (1 << n) - 1
    least = {0: 0.0}
    costs = {
        sum(1 << i for i in group): sse(points, [group])
        for size in range(k, min(2 * k, n + 1))
        for group in combinations(range(n), size)
    }
    by_first: dict[int, list[tuple[int, float]]] = {}
    for group, cost in costs.items():
        by_first.setdefault(group & -group, []).append((group, cost))
    # Groups are added by their first record, the first that has none yet: sets only grow.
    for taken in range(whole):
        if taken in least:
            first = ~taken & (taken + 1)
            for group, cost in by_first.get(first, ()):
                if not group & taken:
                    reached = least[taken] + cost
                    least[taken | group] = min(least.get(taken | group, np.inf), reached)
    return least[whole]
