"""Groups of 2k records and more, split: that never raises the SSE."""

from __future__ import annotations

import numpy as np

from covey.types import FloatMatrix, IntVector


def split_large(points: FloatMatrix, labels: IntVector, k: int) -> IntVector:
    """Halve groups at the median of their widest side until none has 2k records."""
    labels = labels.copy()
    count = int(labels.max()) + 1
    order = np.argsort(labels, kind="stable")
    sizes = np.bincount(labels)
    waiting = [group for group in np.split(order, np.cumsum(sizes)[:-1]) if group.size >= 2 * k]
    while waiting:
        group = waiting.pop()
        side = int(np.argmax(np.ptp(points[group], axis=0)))
        group = group[np.argsort(points[group, side], kind="stable")]
        halves = group[: group.size // 2], group[group.size // 2 :]
        labels[halves[1]] = count
        count += 1
        waiting += [half for half in halves if half.size >= 2 * k]
    return labels
