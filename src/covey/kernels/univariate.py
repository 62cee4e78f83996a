"""The optimal partition of sorted numbers into groups of at least k.

Shortest path over cut points (Hansen and Mukherjee): ``best[i]`` is the least SSE of the first
i values, ``best[i] = min over j of best[j] + sse(j, i)``, where an optimal group has k to
2k − 1 values. Both routes below give the same minimum. Neither takes differences of global
prefix sums, so a large common offset costs no precision.
"""

from __future__ import annotations

import numpy as np

from covey.kernels.compiling import kernel
from covey.kernels.sorting import stable_order
from covey.scaling import power_of_two
from covey.types import FloatMatrix, FloatVector, IntVector

# Below this k the plain programme is faster than the one with monotone minima (measured).
MONOTONE_FROM = 10


@kernel
def optimal_cuts(values: FloatVector, k: int) -> IntVector:
    """Label of each of the sorted `values` in an optimal partition."""
    n = values.size
    best = np.full(n + 1, np.inf)
    previous = np.full(n + 1, -1, dtype=np.int64)
    best[0] = 0.0
    if k < MONOTONE_FROM:
        shortest_path(values, k, best, previous)
    else:
        monotone_path(values, k, best, previous)
    return _labels(previous)


@kernel
def shortest_path(values: FloatVector, k: int, best: FloatVector, previous: IntVector) -> None:
    """Try all k group sizes for every end: O(n·k)."""
    for end in range(k, values.size + 1):
        anchor = values[end - 1]
        total = 0.0
        squares = 0.0
        for start in range(end - 1, max(end - 2 * k, -1), -1):
            offset = anchor - values[start]
            total += offset
            squares += offset * offset
            size = end - start
            if size >= k:
                cost = best[start] + max(squares - total * total / size, 0.0)
                if cost < best[end]:
                    best[end] = cost
                    previous[end] = start


@kernel
def monotone_path(values: FloatVector, k: int, best: FloatVector, previous: IntVector) -> None:
    """Divide and conquer on the best start, which never moves left as the end moves right.

    Ends are taken k at a time, from a cut on: all starts they can have lie before the cut, so
    their minima are known, and every group is a part before the cut joined with one after it.
    O(n·log k).
    """
    n = values.size
    before, after = np.zeros((2 * k, 2)), np.zeros((k, 2))
    stack = np.empty((8 + 4 * int(np.ceil(np.log2(k + 1))), 4), dtype=np.int64)
    for cut in range(k, n + 1, k):
        stop = min(cut + k, n + 1)
        _accumulate(values, cut, -1, min(2 * k - 1, cut), before)
        _accumulate(values, cut, 1, stop - 1 - cut, after)
        stack[0, 0], stack[0, 1], stack[0, 2], stack[0, 3] = cut, stop, 0, n
        waiting = 1
        while waiting > 0:
            waiting -= 1
            low, high, first, last = stack[waiting]
            if low >= high:
                continue
            end = (low + high) // 2
            chosen = _best_start(before, after, cut, end, first, last, k, best)
            previous[end] = chosen
            # Where no start reaches an end (k < end < 2k has only start 0) the bounds stay.
            stack[waiting, 0], stack[waiting, 1] = low, end
            stack[waiting, 2], stack[waiting, 3] = first, chosen if chosen >= 0 else last
            stack[waiting + 1, 0], stack[waiting + 1, 1] = end + 1, high
            stack[waiting + 1, 2], stack[waiting + 1, 3] = max(first, chosen), last
            waiting += 2


@kernel
def _best_start(
    before: FloatMatrix,
    after: FloatMatrix,
    cut: int,
    end: int,
    first: int,
    last: int,
    k: int,
    best: FloatVector,
) -> int:
    """Start, between `first` and `last`, of the best last group of values[:end]."""
    chosen = -1
    right = end - cut
    for start in range(max(first, end - 2 * k + 1, 0), min(last, end - k) + 1):
        left = cut - start
        gap = before[left, 0] - after[right, 0]
        cost = (
            best[start]
            + before[left, 1]
            + after[right, 1]
            + gap * gap * (left * right / (left + right))
        )
        if cost < best[end]:
            best[end] = cost
            chosen = start
    return chosen


@kernel
def _accumulate(values: FloatVector, cut: int, step: int, most: int, moments: FloatMatrix) -> None:
    """Mean and SSE of 1, 2, …, `most` values next to the cut, before (−1) or after it (1).

    Means are offsets from the value before the cut, so that none of them is large.
    """
    mean, squares = 0.0, 0.0
    place = cut - 1 if step < 0 else cut
    for size in range(1, most + 1):
        offset = values[place] - values[cut - 1]
        change = offset - mean
        mean += change / size
        squares += change * (offset - mean)
        moments[size, 0], moments[size, 1] = mean, squares
        place += step


@kernel
def _labels(previous: IntVector) -> IntVector:
    n = previous.size - 1
    labels = np.empty(n, dtype=np.int64)
    n_groups = 0
    end = n
    while end > 0:
        for i in range(previous[end], end):
            labels[i] = n_groups
        n_groups += 1
        end = previous[end]
    return n_groups - 1 - labels


def optimal_labels(values: FloatVector, k: int) -> IntVector:
    """Label of each of the `values`, in any order, in an optimal partition."""
    # Squares of very large or small values would leave the range of a float.
    values = values / power_of_two(float(np.ptp(values)))
    order = stable_order(values)
    labels = np.empty(values.size, dtype=np.int64)
    labels[order] = optimal_cuts(values[order], k)
    return labels
