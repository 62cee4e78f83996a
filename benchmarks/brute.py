"""MDAV by brute force in NumPy, as it is found in many a notebook.

Whole arrays are computed in every round. Squared distances are summed by NumPy, in another order
than Covey's, so that the labels may differ where two distances are equal but for rounding.
"""

from __future__ import annotations

import numpy as np

from covey.types import FloatMatrix, FloatVector, IntVector


def mdav(points: FloatMatrix, k: int) -> IntVector:
    """Two groups a round; a rest of fewer than k records joins the nearest groups."""
    labels = np.full(len(points), -1, dtype=np.int64)
    left = np.arange(len(points))
    group = 0
    while left.size >= 2 * k:
        first = points[left[distances(points[left], points[left].mean(axis=0)).argmax()]]
        for _ in range(2):
            near = nearest(points[left], first, k)
            labels[left[near]] = group
            left = np.delete(left, near)
            group += 1
            if left.size:
                first = points[left[distances(points[left], first).argmax()]]
    if left.size >= k:
        labels[left] = group
        return labels
    if left.size:
        means = np.array([points[labels == g].mean(axis=0) for g in range(group)])
        labels[left] = [distances(means, points[record]).argmin() for record in left]
    return labels


def distances(points: FloatMatrix, point: FloatVector) -> FloatVector:
    squares: FloatVector = np.square(points - point).sum(axis=1)
    return squares


def nearest(points: FloatMatrix, point: FloatVector, k: int) -> IntVector:
    found: IntVector = np.argpartition(distances(points, point), k - 1)[:k]
    return found
