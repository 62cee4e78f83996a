"""Whether a tree pays for a search: what Python decides for the compiled loops."""

from __future__ import annotations

import numpy as np

from covey.types import FloatMatrix

# A tree pays from FEWEST · 2^(GROWTH · d) records on, where d is the number of directions in which
# they really vary (measured on normal data); a sample of this many records tells it.
FEWEST, GROWTH = 500, 0.4
SAMPLE = 2000


def scan_below(points: FloatMatrix) -> int:
    """The number of records below which a plain scan is faster than a tree."""
    if points.shape[0] < FEWEST:
        return FEWEST
    return int(FEWEST * 2.0 ** min(GROWTH * real_dimension(points), 40.0))


def real_dimension(points: FloatMatrix) -> float:
    """Directions in which records vary: (Σλ)² / Σλ² of the eigenvalues of their covariances.

    Two variables that move together count as one.
    """
    some = points[:: max(points.shape[0] // SAMPLE, 1)]
    largest = float(np.abs(some).max(initial=0.0))
    covariances = np.atleast_2d(np.cov(some / (largest or 1.0), rowvar=False))
    spread = float(np.square(covariances).sum())
    return float(np.trace(covariances)) ** 2 / spread if spread > 0 else 1.0
