"""Pairs of original and release to measure: ordinary, tied, degenerate, with gaps."""

from __future__ import annotations

import numpy as np
import pytest

from covey.techniques import MDAV


def make_pair(kind: str, seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(40, 3)) * [1.0, 10.0, 100.0] + [0.0, 50.0, -20.0]
    if kind == "ties":
        X = rng.integers(0, 4, size=(40, 3)).astype(float)
    elif kind == "duplicates":
        X = np.repeat(X[:10], 4, axis=0)
    elif kind == "constant":
        X[:, 1] = 7.7
    elif kind == "one variable":
        X = X[:, :1]
    elif kind == "centred":
        X = X - X.mean(axis=0)
    if kind == "noise":
        return X, X + rng.normal(size=X.shape) * X.std(axis=0) * 0.5
    Y = MDAV(k=3).fit_transform(X)
    if kind == "gaps":
        X[rng.random(X.shape) < 0.1] = np.nan
        Y[rng.random(40) < 0.2, 1] = np.nan
    return X, Y


COMPLETE = ["plain", "centred", "ties", "duplicates", "constant", "one variable", "noise"]


@pytest.fixture(params=[(kind, seed) for kind in COMPLETE for seed in (0, 1)], ids=str)
def complete_pair(request):
    return make_pair(*request.param)


@pytest.fixture(params=[(kind, seed) for kind in [*COMPLETE, "gaps"] for seed in (0, 1)], ids=str)
def any_pair(request):
    return make_pair(*request.param)
