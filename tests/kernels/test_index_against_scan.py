"""The tree gives the labels of the plain scan, always: every technique, every kind of data."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from covey.kernels.egmmat import dome_by_dome
from covey.kernels.iamat import iamat
from covey.kernels.mdav import mdav, mdav_by_diameter
from covey.kernels.vmdav import vmdav
from covey.scaling import standardize

LEAF = 8


def by_diameter(points, k, leaf, meter):
    radii = np.sqrt(np.square(points - points.mean(axis=0)).sum(axis=1))
    return mdav_by_diameter(points, k, np.argsort(-radii, kind="stable"), radii, leaf, meter)


TECHNIQUES = {
    "MDAV": lambda p, k, leaf, meter: mdav(p, k, True, True, leaf, meter),
    "MDAV, one a round": lambda p, k, leaf, meter: mdav(p, k, False, True, leaf, meter),
    "MDAV, fixed centre": lambda p, k, leaf, meter: mdav(p, k, True, False, leaf, meter),
    "MDAV, diameter": by_diameter,
    "IAMAT": lambda p, k, leaf, meter: iamat(p, k, True, k, 0.0, leaf, meter),
    "IAMAT, fixed centre": lambda p, k, leaf, meter: iamat(p, k, False, k, 0.0, leaf, meter),
    "IAMAT, variable": lambda p, k, leaf, meter: iamat(p, k, True, 2 * k - 1, 0.5, leaf, meter),
    "V-MDAV": lambda p, k, leaf, meter: vmdav(p, k, 0.5, leaf, meter),
    "domes": lambda p, k, leaf, meter: dome_by_dome(p, 4 * k, leaf, 1, meter),
}


def require_same(points: np.ndarray, name: str, k: int) -> None:
    meter = np.zeros(2, dtype=np.int64)
    work = TECHNIQUES[name]
    points = np.ascontiguousarray(points, dtype=np.float64)
    scan = work(points, k, len(points), meter)
    np.testing.assert_array_equal(work(points, k, LEAF, meter), scan)


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
