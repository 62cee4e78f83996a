"""Records equal in every variable share a place in the tree: labels are those of the recipes."""

from __future__ import annotations

import numpy as np
import pytest

from covey import core
from tests.techniques.test_iamat import plain_iamat
from tests.techniques.test_mdav import plain_mdav
from tests.techniques.test_vmdav import plain_vmdav

WORK = {
    # A centre that moves would lie midway between two records that are left: rounding would decide.
    "MDAV": (
        lambda p, k, *means: core.mdav(p, k, True, False, *means),
        lambda p, k: plain_mdav(p, k, True, False),
    ),
    "MDAV, one a round": (
        lambda p, k, *means: core.mdav(p, k, False, False, *means),
        lambda p, k: plain_mdav(p, k, False, False),
    ),
    "IAMAT": (
        lambda p, k, *means: core.iamat(p, k, k, 0.0, False, *means),
        plain_iamat,
    ),
    "IAMAT, variable": (
        lambda p, k, *means: core.iamat(p, k, 2 * k - 1, 0.7, False, *means),
        lambda p, k: plain_iamat(p, k, 0.7),
    ),
    "V-MDAV": (
        lambda p, k, *means: core.vmdav(p, k, 1.1, *means),
        lambda p, k: plain_vmdav(p, k, 1.1),
    ),
}
# How often each of the different records occurs.
OFTEN = {
    "a few times": lambda rng: rng.integers(1, 8, 40),
    "one of them mostly": lambda rng: np.array([90, *[1] * 60]),
    "hardly ever": lambda rng: np.array([2, 2, *[1] * 120]),
}


@pytest.mark.parametrize("often", OFTEN)
@pytest.mark.parametrize("name", WORK)
def test_as_the_recipe_reads(name, often, rng):
    work, plain = WORK[name]
    times = OFTEN[often](rng)
    points = rng.permutation(np.repeat(rng.normal(size=(len(times), 3)), times, axis=0))
    for k in (2, 3, 7):
        expected = plain(points, k)
        for scan_below, threads in ((len(points) + 1, 1), (0, 1), (0, 3)):
            labels = work(points, k, scan_below, threads, np.zeros(2, dtype=np.int64))
            grouped = labels >= 0  # records left over are Python's to place
            assert (~grouped).sum() < k
            np.testing.assert_array_equal(labels[grouped], expected[grouped])


def test_distance_linkage_counts_every_twin(rng):
    """As many share a link as are equally near."""
    times = rng.integers(1, 30, 50)
    different = rng.normal(size=(50, 4))
    points = np.repeat(different, times, axis=0)
    own, once = np.arange(len(points)), np.ones(len(points), dtype=np.int64)
    expected = np.repeat(1.0 / times, times)
    for scan_below in (len(points) + 1, 0):
        meter = np.zeros(2, dtype=np.int64)
        links = core.link_to_released(points, points, once, own, scan_below, 1, meter)
        np.testing.assert_allclose(links, expected)
