"""How the papers summed information loss, slips included. Used by tests and docs only."""

from __future__ import annotations

import numpy as np

from covey import Partition
from covey.scaling import standardize
from covey.techniques import IAMAT, MDAV


def percent(sse: float, scores: np.ndarray) -> float:
    return 100.0 * sse / float(np.square(scores).sum())


def group_sse(rows: np.ndarray) -> float:
    return float(np.square(rows - rows.mean(axis=0)).sum())


def il_with_faulty_sum(X: np.ndarray, k: int) -> float:
    """IL as Oommen & Fayyoumi (2007, 2010) printed it for IAMAT.

    All groups but the last are summed; then, for each left-over record in index order, the
    last group's whole new SSE is added again. Without left-over records the last group never
    counts.
    """
    scores = standardize(X)
    groups = list(IAMAT(k=k).fit(X).partition_.groups())
    total = sum(group_sse(scores[group]) for group in groups[:-1])
    grown, left_over = _formation(scores, groups[-1], k)
    for record in left_over:
        grown.append(record)
        total += group_sse(scores[grown])
    return percent(total, scores)


def _formation(scores: np.ndarray, members: np.ndarray, k: int) -> tuple[list[int], list[int]]:
    """The k records that formed a group, farthest first, and the rest in index order."""
    left = list(members)
    mean = scores.mean(axis=0)
    group = [max(left, key=lambda i: (np.square(scores[i] - mean).sum(), -i))]
    left.remove(group[0])
    while len(group) < k:
        centroid = scores[group].mean(axis=0)
        nearest = min(left, key=lambda i: (np.square(scores[i] - centroid).sum(), i))
        group.append(nearest)
        left.remove(nearest)
    return group, sorted(left)


def il_of_selection(X: np.ndarray, variables: tuple[int, ...], last_group: bool) -> float:
    """IL over all variables when `variables` (1-based) drive the MDAV of 2011 with k=3.

    The paper left the last group out of the sum (`last_group=False`).
    """
    technique = MDAV(
        k=3, groups_per_round=1, center="initial", variables=[j - 1 for j in variables]
    ).fit(X)
    if last_group:
        return technique.il_
    scores = standardize(X)
    groups = list(technique.partition_.groups())
    return percent(sum(group_sse(scores[group]) for group in groups[:-1]), scores)


def iamat_by_exponentials(X: np.ndarray, k: int, dtype: type) -> float:
    """IL of IAMAT with its associations computed literally, as exponentials.

    α = √n / (mean squared distance to the mean), the paper's scaling factor.
    """
    scores = standardize(X).astype(dtype)
    n = scores.shape[0]
    mean = scores.mean(axis=0)
    alpha = dtype(np.sqrt(n) / np.square(scores - mean).sum(axis=1).mean())

    def association(point: np.ndarray) -> np.ndarray:
        return np.exp(-np.square(scores - point).sum(axis=1) / alpha).astype(dtype)

    to_mean = association(mean)
    labels = np.full(n, -1)
    group = 0
    while (free := np.flatnonzero(labels < 0)).size >= k:
        record = free[np.argmin(to_mean[free])]
        interaction = np.ones(n, dtype=dtype)
        for _ in range(k):
            labels[record] = group
            interaction = interaction * association(scores[record])
            free = np.flatnonzero(labels < 0)
            if free.size:
                record = free[np.argmax(interaction[free])]
        group += 1
    labels[labels < 0] = group - 1
    return Partition(labels).il(X)
