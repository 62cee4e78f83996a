"""The one expression by which kernels compute a distance, so that ties stay ties."""

from __future__ import annotations

from covey.kernels.compiling import kernel
from covey.types import FloatMatrix, FloatVector


@kernel
def squared_distance(rows: FloatMatrix, i: int, point: FloatVector) -> float:
    """Squared distance of row i from a point, summed one variable after the other."""
    total = 0.0
    for j in range(point.shape[0]):
        difference = rows[i, j] - point[j]
        total += difference * difference
    return total
