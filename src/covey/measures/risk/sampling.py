"""Linkage of a sample: what is done where linking every record would take too long."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from covey.core.trees import FEWEST, GROWTH, real_dimension
from covey.types import FloatMatrix, FloatVector, IntVector

# Comparisons of two records in one coordinate that a measure may take. A core does 5 to 20
# thousand million of them a second, so two cores take about half a minute.
MOST_WORK = 5e11
# Records of a sample, at least: the margin of a share then is at most 1 point.
FEWEST_SAMPLED = 10_000
SEED = 20_010_407
NORMAL_95 = 1.959964
RULE_OF_THREE = 3.0  # what is never seen in n draws has, with 95 %, a share below 3 / n


class Sampled(NamedTuple):
    """What an estimate rests on: so many `records` drawn at random `of` all.

    `standard_error` and `margin`, the half width of the 95 % confidence interval, are in points of
    percent.
    """

    records: int
    of: int
    standard_error: float
    margin: float

    def __str__(self) -> str:
        return (
            f"estimated from {self.records:,} of {self.of:,} records, "
            f"±{_digits(self.margin)} points"
        )


def _digits(margin: float) -> str:
    """With one digit, or as many more as it takes to show one that is not zero."""
    written = (f"{margin:.{places}f}" for places in (1, 2, 3))
    return next((text for text in written if float(text)), "0.001")


def sample_of(n_records: int, work: float, *, exact: bool) -> IntVector | None:
    """Numbers of the records to link; None for all of them.

    `work` is what linking all of them takes, as `looked_at` counts it. The draw depends on nothing
    but the number of records and the work.
    """
    if exact or work <= MOST_WORK or n_records <= FEWEST_SAMPLED:
        return None
    size = max(int(n_records * MOST_WORK / work) // 1000 * 1000, FEWEST_SAMPLED)
    if size >= n_records:
        return None
    chosen = np.random.default_rng(SEED).choice(n_records, size, replace=False)
    return np.sort(chosen).astype(np.int64)


def estimate_of(chances: FloatVector, n_records: int) -> Sampled:
    """How sure the mean of `chances`, of a simple random sample, is for all records.

    When all of them are equal, the margin is 3 / size: rarer exceptions may have been missed.
    """
    size = chances.size
    share_left = 1.0 - size / n_records
    error = 100.0 * float(np.sqrt(chances.var(ddof=1) / size * share_left))
    margin = NORMAL_95 * error if error > 0 else 100.0 * RULE_OF_THREE / size
    return Sampled(size, n_records, error, margin)


def looked_at(candidates: FloatMatrix, scenarios: Sequence[Sequence[int]], n_columns: int) -> float:
    """Coordinates that a search for the nearest compares, over all scenarios.

    A scan looks at every candidate; a tree, where it pays, at fewer the more of them there are.
    What it really looks at is less (measured on normal data).
    """
    n, d = candidates.shape
    directions = real_dimension(candidates) if n >= FEWEST else 0.0
    total = 0.0
    for columns in scenarios:
        share = len(columns) / n_columns
        pays_from = FEWEST * 2.0 ** min(GROWTH * directions * share, 40.0)
        total += d * share * min(float(n), float(np.sqrt(n * pays_from)))
    return total
