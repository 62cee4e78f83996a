"""No heuristic beats the exhaustive optimum, and the good ones come close."""

from __future__ import annotations

import numpy as np
import pytest

from covey.scaling import standardize
from covey.techniques import available

from ..exhaustive import least_sse

JOINT = [
    info.cls for info in available() if info.name not in ("individualranking", "optimalunivariate")
]


@pytest.mark.parametrize("cls", JOINT, ids=lambda cls: cls.__name__)
@pytest.mark.parametrize("k", [2, 3])
def test_never_below_the_optimum(cls, k):
    rng = np.random.default_rng(k)
    ratios = []
    for n in (2 * k, 7, 8, 9):
        for _ in range(4):
            X = rng.normal(size=(n, 2))
            best = least_sse(standardize(X), k)
            found = cls(k=k).fit(X).partition_.sse(standardize(X))
            assert found >= best - 1e-9
            ratios.append(found / best)
    assert np.median(ratios) < 2.0
