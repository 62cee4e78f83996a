"""Agreement patterns of pairs of records, for probabilistic linkage.

A pattern is a number whose bit j says that the pair agrees in variable j: the ranks of the two
values differ by at most `window`.
"""

from __future__ import annotations

import numpy as np

from covey.kernels.compiling import kernel
from covey.types import FloatMatrix, FloatVector, IntVector

# Weights this close to each other are a tie.
TIE = 1e-9


@kernel
def pattern(first: FloatMatrix, i: int, second: FloatMatrix, g: int, window: float) -> int:
    """Missing ranks (NaN) agree with nothing."""
    bits = 0
    for j in range(first.shape[1]):
        if abs(first[i, j] - second[g, j]) <= window:
            bits |= 1 << j
    return bits


@kernel
def count_patterns(
    first: FloatMatrix,
    second: FloatMatrix,
    sizes: IntVector,
    window: float,
    records: IntVector,
    counts: FloatVector,
) -> None:
    """Add up, over the pairs of `records` with all released rows, how often each pattern occurs."""
    for i in records:
        for g in range(second.shape[0]):
            counts[pattern(first, i, second, g, window)] += sizes[g]


@kernel
def link_by_weight(
    first: FloatMatrix,
    second: FloatMatrix,
    sizes: IntVector,
    labels: IntVector,
    window: float,
    weights: FloatVector,
    most: FloatVector,
    by_rank: IntVector,
    ranks: FloatMatrix,
) -> FloatVector:
    """For each record the chance that the released record of the highest weight is its own.

    `most[j]` is the most a pair can weigh that disagrees in the first j variables; `by_rank[j]`
    lists the released rows by rank in variable j, `ranks[j]` those ranks. Candidates are the rows
    in the window of one variable after the other, until no row that is left could win or tie.
    """
    d = second.shape[1]
    links = np.zeros(first.shape[0])
    for i in range(first.shape[0]):
        own = weights[pattern(first, i, second, labels[i], window)]
        tied, beaten = 0, False
        for j in range(d + 1):
            if beaten or most[j] < own - TIE:
                break
            row = min(j, d - 1)
            low, high = 0, second.shape[0]
            if j < d:  # after the last variable come the rows that agree in nothing
                low = np.searchsorted(ranks[row], first[i, row] - window)
                high = np.searchsorted(ranks[row], first[i, row] + window, side="right")
            for g in by_rank[row, low:high]:
                bits = pattern(first, i, second, g, window)
                # Each row counts in the window of the first variable it agrees in.
                if bits & ((2 << j) - 1) != (1 << j if j < d else 0):
                    continue
                if weights[bits] > own + TIE:
                    beaten = True
                    break
                if weights[bits] >= own - TIE:
                    tied += sizes[g]
        if not beaten and tied > 0:
            links[i] = 1.0 / tied
    return links
