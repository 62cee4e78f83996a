"""Oommen & Fayyoumi 2010. Its Table II repeats the 2007 paper's real files (tested
there) and adds two simulated sets, which are reproduced here in kind.
"""

from __future__ import annotations

import numpy as np
import pytest

from covey.techniques import IAMAT, MDAV

from .published import NORMAL_2010, UNIFORM_2010


def uniform_set(seed: int, n: int) -> np.ndarray:
    return np.random.default_rng(seed).uniform(0, 40_000, size=(n, 16))


@pytest.mark.parametrize(
    ("k", "mdav", "iamat"),
    [(k, *cells) for k, cells in UNIFORM_2010.items()],
)
def test_uniform_set(k, mdav, iamat):
    """4800 × 16, uniform on 0..40,000. The published MDAV cells are 2 to 4 % above ours."""
    X = uniform_set(0, 4800)
    assert MDAV(k=k, groups_per_round=1).fit(X).il_ == pytest.approx(mdav, rel=0.04)
    assert IAMAT(k=k).fit(X).il_ == pytest.approx(iamat, rel=0.02)


@pytest.mark.parametrize(("k", "uniform", "normal"), [(3, 24.21, 26.27), (5, 34.90, 37.50)])
def test_the_normal_set_is_uniform(k, uniform, normal):
    """1560 × 16: the published IAMAT values are those of uniform data, not of normal data."""
    published = NORMAL_2010[k][1]
    rng = np.random.default_rng(0)
    of_uniform = np.mean([IAMAT(k=k).fit(uniform_set(s, 1560)).il_ for s in range(3)])
    of_normal = np.mean(
        [IAMAT(k=k).fit(rng.normal(500, 150, size=(1560, 16))).il_ for _ in range(3)]
    )
    assert of_uniform == pytest.approx(uniform, rel=0.01)
    assert of_normal == pytest.approx(normal, rel=0.01)
    assert abs(of_uniform - published) < abs(of_normal - published)
