"""The optimal partition of sorted numbers into groups of at least k.

Shortest path over cut points (Hansen and Mukherjee): ``best[i]`` is the least SSE of the first
i values, ``best[i] = min over j of best[j] + sse(j, i)``, where an optimal group has k to
2k − 1 values. Both routes below give the same minimum. Neither takes differences of global
prefix sums, so a large common offset or a far outlier costs no precision.
"""

from __future__ import annotations

import numpy as np

from covey.kernels.compiling import kernel
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
    forward = _running_moments(values, k)
    backward = _running_moments(values[::-1].copy(), k, n % k)
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
                cost = best[start] + _segment_sse(forward, backward, start, end, k)
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
def _running_moments(values: FloatVector, k: int, shift: int = 0) -> FloatMatrix:
    """Mean and sum of squared deviations of each value's block of k up to that value.

    Blocks begin where (index − shift) is a multiple of k.
    """
    moments = np.empty((values.size, 2))
    mean, squares, size = 0.0, 0.0, 0
    for i in range(values.size):
        if (i - shift) % k == 0:
            mean, squares, size = 0.0, 0.0, 0
        size += 1
        step = values[i] - mean
        mean += step / size
        squares += step * (values[i] - mean)
        moments[i, 0], moments[i, 1] = mean, squares
    return moments


@kernel
def _segment_sse(
    forward: FloatMatrix, backward: FloatMatrix, start: int, end: int, k: int
) -> float:
    """SSE of values[start:end], k to 2k − 1 of them, joined from at most three block parts."""
    n = forward.shape[0]
    cut = min((start // k + 1) * k, end)
    size = float(cut - start)
    mean, squares = backward[n - 1 - start, 0], backward[n - 1 - start, 1]
    while cut < end:
        stop = min(cut + k, end)
        part = float(stop - cut)
        gap = forward[stop - 1, 0] - mean
        both = size + part
        squares += forward[stop - 1, 1] + gap * gap * size * part / both
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
    order = np.argsort(values, kind="stable")
    labels = np.empty(values.size, dtype=np.int64)
    labels[order] = optimal_cuts(values[order], k)
    return labels
