"""The tree gives the labels of the plain scan, always: every technique, every kind of data."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from covey import core
from covey.scaling import standardize

TECHNIQUES = {
    "MDAV": lambda p, k, *means: core.mdav(p, k, True, True, *means),
    "MDAV, one a round": lambda p, k, *means: core.mdav(p, k, False, True, *means),
    "MDAV, fixed centre": lambda p, k, *means: core.mdav(p, k, True, False, *means),
    "MDAV, diameter": core.mdav_by_diameter,
    "IAMAT": lambda p, k, *means: core.iamat(p, k, k, 0.0, True, *means),
    "IAMAT, fixed centre": lambda p, k, *means: core.iamat(p, k, k, 0.0, False, *means),
    "IAMAT, variable": lambda p, k, *means: core.iamat(p, k, 2 * k - 1, 0.5, True, *means),
    "V-MDAV": lambda p, k, *means: core.vmdav(p, k, 0.5, *means),
}


def require_same(points: np.ndarray, name: str, k: int) -> None:
    """A scan on one thread, a tree on one, and a tree on three."""
    meter = np.zeros(2, dtype=np.int64)
    work = TECHNIQUES[name]
    points = np.ascontiguousarray(points, dtype=np.float64)
    scan = work(points, k, len(points) + 1, 1, meter)
    np.testing.assert_array_equal(work(points, k, 0, 1, meter), scan)
    np.testing.assert_array_equal(work(points, k, 0, 3, meter), scan)


def clustered(rng, n, d):
    return rng.normal(size=(12, d))[rng.integers(0, 12, n)] * 5 + rng.normal(size=(n, d)) * 0.1


DATA = {
    "normal": lambda rng, n, d: rng.normal(size=(n, d)),
    "uniform": lambda rng, n, d: rng.random((n, d)),
    "clustered": clustered,
    "grid": lambda rng, n, d: rng.integers(0, 3, (n, d)).astype(float),
    "duplicates": lambda rng, n, d: np.repeat(rng.normal(size=(n // 10, d)), 10, axis=0),
    "constant": lambda rng, n, d: np.full((n, d), 7.0),
    "far from the origin": lambda rng, n, d: rng.normal(size=(n, d)) + 1e7,
    "one direction": lambda rng, n, d: rng.normal(size=(n, 1)) * np.arange(1, d + 1),
}


@pytest.mark.parametrize("d", [1, 2, 5, 12, 40])
@pytest.mark.parametrize("data", DATA)
@pytest.mark.parametrize("name", TECHNIQUES)
def test_kinds_of_data(name, data, d, rng):
    points = DATA[data](rng, 400, d)
    for k in (2, 5, 40):
        require_same(points, name, k)


@pytest.mark.parametrize("name", TECHNIQUES)
@pytest.mark.parametrize("file", ["census", "tarragona", "eia11"])
def test_benchmark_files(name, file, request):
    points = standardize(request.getfixturevalue(file))
    if name == "MDAV, diameter":
        points = points[:1000]
    for k in (3, 10, 60):
        require_same(points, name, k)


@settings(max_examples=150, deadline=None)
@given(
    st.integers(0, 2**32 - 1),
    st.integers(2, 120),
    st.integers(1, 6),
    st.integers(1, 4),
    st.integers(2, 5),
    st.sampled_from(sorted(TECHNIQUES)),
)
def test_tables_full_of_ties(seed, n, d, levels, k, name):
    points = np.random.default_rng(seed).integers(0, levels + 1, (n, d)).astype(float)
    if n >= k:
        require_same(points, name, k)
