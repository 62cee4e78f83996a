"""The optimal partition of sorted numbers into groups of at least k.

Shortest path over cut points (Hansen and Mukherjee): ``best[i]`` is the least SSE of the first
i values, ``best[i] = min over j of best[j] + sse(j, i)``, where an optimal group has k to
2k − 1 values. Both routes below give the same minimum. Neither takes differences of global
prefix sums, so a large common offset costs no precision.
"""

from __future__ import annotations

import numpy as np

from covey.kernels.compiling import kernel
from covey.scaling import power_of_two
from covey.types import FloatMatrix, FloatVector, IntVector

# Below this k the plain programme is faster than the one with monotone minima (measured).
MONOTONE_FROM = 100


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

    Ends are taken k at a time: the starts they can have lie before all of them, so their
    minima are known. O(n·log k).
    """
    n = values.size
    to_here, from_here = _block_moments(values, k)
    depth = 2 + int(np.ceil(np.log2(k + 1)))
    stack = np.empty((4 * depth, 4), dtype=np.int64)
    for block in range(k, n + 1, k):
        stack[0, 0], stack[0, 1] = block, min(block + k, n + 1)
        stack[0, 2], stack[0, 3] = 0, n
        waiting = 1
        while waiting > 0:
            waiting -= 1
            low, high, first, last = stack[waiting]
            if low >= high:
                continue
            end = (low + high) // 2
            chosen = -1
            for start in range(max(first, end - 2 * k + 1, 0), min(last, end - k) + 1):
                cost = best[start] + _segment_sse(values, to_here, from_here, start, end, k)
                if cost < best[end]:
                    best[end] = cost
                    chosen = start
            previous[end] = chosen
            # No start reaches this end (k < end < 2k has only start 0): bounds stay.
            stack[waiting, 0], stack[waiting, 1] = low, end
            stack[waiting, 2], stack[waiting, 3] = first, chosen if chosen >= 0 else last
            stack[waiting + 1, 0], stack[waiting + 1, 1] = end + 1, high
            stack[waiting + 1, 2], stack[waiting + 1, 3] = max(first, chosen), last
            waiting += 2


@kernel
def _block_moments(values: FloatVector, k: int) -> tuple[FloatMatrix, FloatMatrix]:
    """Mean and SSE of each block of k from its start up to each value, and from it to the end.

    Means are offsets from the first value of the block, so that none of them is large.
    """
    n = values.size
    to_here, from_here = np.empty((n, 2)), np.empty((n, 2))
    for first in range(0, n, k):
        after = min(first + k, n)
        _accumulate(values, first, range(first, after), to_here)
        _accumulate(values, first, range(after - 1, first - 1, -1), from_here)
    return to_here, from_here


@kernel
def _accumulate(values: FloatVector, anchor: int, order: range, moments: FloatMatrix) -> None:
    mean, squares = 0.0, 0.0
    for before, i in enumerate(order):
        size = before + 1
        offset = values[i] - values[anchor]
        step = offset - mean
        mean += step / size
        squares += step * (offset - mean)
        moments[i, 0], moments[i, 1] = mean, squares


@kernel
def _segment_sse(
    values: FloatVector,
    to_here: FloatMatrix,
    from_here: FloatMatrix,
    start: int,
    end: int,
    k: int,
) -> float:
    """SSE of values[start:end], k to 2k − 1 of them, joined from at most three block parts."""
    anchor = values[start // k * k]
    cut = min((start // k + 1) * k, end)
    size = float(cut - start)
    mean, squares = from_here[start, 0], from_here[start, 1]
    while cut < end:
        stop = min(cut + k, end)
        part = float(stop - cut)
        gap = (values[cut] - anchor) + to_here[stop - 1, 0] - mean
        both = size + part
        squares += to_here[stop - 1, 1] + gap * gap * size * part / both
        mean += gap * part / both
        size = both
        cut = stop
    return float(squares)


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
    order = np.argsort(values, kind="stable")
    labels = np.empty(values.size, dtype=np.int64)
    labels[order] = optimal_cuts(values[order], k)
    return labels
