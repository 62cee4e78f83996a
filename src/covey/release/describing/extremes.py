"""In which columns a record is unlike the others."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from covey.measures.pairs import Pair
from covey.types import FloatMatrix, FloatVector

MOST_COLUMNS = 3
UNUSUAL = 2.0  # standard deviations; a category that fewer than a fifth have


def columns_of_extremes(pair: Pair, records: Sequence[int]) -> list[list[str]]:
    """Up to three columns for each record, the most extreme first."""
    scores = _scores(pair)
    found = []
    for record in records:
        best = np.argsort(-scores[record], kind="stable")[:MOST_COLUMNS]
        found.append([pair.names[j] for j in best if scores[record, j] > UNUSUAL])
    return found


def _scores(pair: Pair) -> FloatMatrix:
    """|z| of numbers; of a category that of having it, which grows as it becomes rare."""
    scores = [
        _rarity(values) if name in pair.nominal else _distance(values)
        for name, values in zip(pair.names, pair.original.T, strict=True)
    ]
    return np.column_stack(scores)


def _distance(values: FloatVector) -> FloatVector:
    known = values[~np.isnan(values)]
    spread = float(known.std()) if known.size else 0.0
    if spread == 0:
        return np.zeros(values.size)
    return np.asarray(np.nan_to_num(np.abs(values - known.mean()) / spread, nan=0.0))


def _rarity(codes: FloatVector) -> FloatVector:
    known = ~np.isnan(codes)
    _, places, counts = np.unique(codes[known], return_inverse=True, return_counts=True)
    share = counts / max(int(known.sum()), 1)
    scores = np.zeros(codes.size)
    scores[known] = np.sqrt((1.0 - share) / share)[places]
    return scores
