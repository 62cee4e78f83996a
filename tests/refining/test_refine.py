"""`refine`: sizes, never worse, repeatable, close to the optimum."""

from __future__ import annotations

import numpy as np
import pytest

from covey import Partition, lower_bound, refine
from covey.errors import InvalidParameter, SchemaError
from covey.scaling import standardize
from covey.techniques import MDAV, NearOptimal


def blocks_of(n: int, size: int) -> Partition:
    """Groups of `size` records as they come, the last taking what is left."""
    return Partition(np.minimum(np.arange(n) // size, n // size - 1))


@pytest.mark.parametrize("k", [2, 3, 5])
@pytest.mark.parametrize("n", [10, 11, 23, 64, 301])
def test_sizes_and_never_worse(n, k, rng):
    X = rng.lognormal(size=(n, 3))
    for size in (k, 2 * k, n):
        start = blocks_of(n, min(size, n))
        better = refine(X, start, k, effort=30)
        assert better.sizes.min() >= k
        assert better.sizes.max() < 2 * k
        assert better.il(X) <= start.il(X) + 1e-9


def test_large_groups_are_split_even_without_effort(rng):
    X = rng.normal(size=(500, 4))
    better = refine(X, Partition(np.zeros(500, dtype=int)), 3, effort=1e-3)
    assert better.sizes.max() <= 5
    assert better.il(X) < 40


def test_a_good_start_is_not_lost(rng):
    X = rng.normal(size=(400, 3))
    good = refine(X, blocks_of(400, 4), 4, effort=2000)
    for effort in (0.01, 1, 10):
        assert refine(X, good, 4, effort=effort, random_state=5).il(X) <= good.il(X) + 1e-9


@pytest.mark.parametrize("threads", ["1", "2", "3", "16"])
@pytest.mark.parametrize("effort", [100, 1600])
def test_threads_do_not_matter(threads, effort, rng, monkeypatch):
    """A short search of regions, and one that also reheats in streams."""
    X, start = rng.normal(size=(900, 3)), blocks_of(900, 3)
    expected = refine(X, start, 3, effort=effort)
    chains = refine(X[:90], blocks_of(90, 3), 3, effort=5000)
    monkeypatch.setenv("COVEY_THREADS", threads)
    assert refine(X, start, 3, effort=effort) == expected
    assert refine(X[:90], blocks_of(90, 3), 3, effort=5000) == chains


def test_many_regions_give_sound_groups(rng, monkeypatch):
    from covey.refining import regions

    monkeypatch.setattr(regions, "RECORDS", 60)
    monkeypatch.setattr(regions, "FEWEST_GROUPS", 12)
    monkeypatch.setattr(regions, "WHOLE_UP_TO", 100)
    X, start = rng.normal(size=(1000, 2)), blocks_of(1000, 3)
    better = refine(X, start, 3, effort=200, polish=False)
    assert sorted(set(better.sizes)) == [3, 4] or better.sizes.max() <= 5
    assert better.il(X) < 0.2 * start.il(X)


def test_time_limit_ends_the_search(rng):
    import time

    X, start = rng.normal(size=(3000, 5)), blocks_of(3000, 3)
    refine(X, start, 3, effort=1)
    began = time.perf_counter()
    better = refine(X, start, 3, time_limit=1.0, polish=False)
    assert time.perf_counter() - began < 8  # about a second on a quiet machine
    assert better.il(X) < start.il(X)


def test_duplicates_cost_nothing():
    X = np.repeat(np.arange(40.0), 5)[:, None] % 7
    assert refine(X, blocks_of(200, 5), 5, effort=300).il(X) == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"k": 1}, "k must be"),
        ({"k": 4}, "group of 3 records where k=4"),
        ({"partition": [0, 0, 0]}, "must be a Partition"),
        ({"effort": 0}, "effort must be"),
        ({"time_limit": -1.0}, "time_limit must be"),
        ({"polish": "yes"}, "polish must be"),
        ({"standardize": "no"}, "standardize must be"),
        ({"groups": [[0, 1]]}, "at least k=3 records"),
        ({"groups": [[0, 1, 1]]}, "none twice"),
        ({"groups": [[0, 1, 9]]}, "records 0 to 8"),
        ({"groups": [[0.5, 1.0, 2.0]]}, "record indices"),
        ({"groups": [0, 1, 2]}, "record indices"),
        ({"groups": [[0, 1, 2, -2]]}, "record indices"),
        ({"groups": 5}, "record indices"),
        ({"effort": 1e308}, "at most 1e\\+09"),
    ],
)
def test_mistakes(changes, message, rng):
    arguments = {"X": rng.normal(size=(9, 2)), "partition": blocks_of(9, 3), "k": 3, **changes}
    with pytest.raises(InvalidParameter, match=message):
        refine(**arguments)


def test_another_number_of_records(rng):
    with pytest.raises(SchemaError, match="9 records but the data have 8"):
        refine(rng.normal(size=(8, 2)), blocks_of(9, 3), 3)


def test_scaling_of_the_start_is_respected(rng):
    X = rng.normal(size=(60, 2)) * [1.0, 1000.0]
    plain = refine(X, blocks_of(60, 3), 3, effort=300, standardize="none")
    scaled = refine(X, blocks_of(60, 3), 3, effort=300)
    assert plain.sse(X) < scaled.sse(X)
    assert scaled.sse(standardize(X)) < plain.sse(standardize(X))


def test_groups_that_are_given_are_chosen_from(rng):
    """Least effort and the groups of the optimum: the program puts them together."""
    X = rng.normal(size=(24, 2))
    best = NearOptimal(k=3, effort=2_000).fit(X).partition_
    poor = blocks_of(24, 3)
    groups = np.full((best.n_groups, 6), -1)
    for row, group in zip(groups, best.groups(), strict=True):
        row[: group.size] = group
    given = refine(X, poor, 3, effort=1e-6, groups=groups)
    assert given.sse(standardize(X)) <= best.sse(standardize(X)) * (1 + 1e-9)
    assert given.sse(X) < refine(X, poor, 3, effort=1e-6).sse(X)


def test_groups_of_a_bound(rng):
    X = rng.normal(size=(60, 2))
    start = blocks_of(60, 3)
    bound = lower_bound(X, 3, time_limit=None)
    found = refine(X, start, 3, effort=50, groups=bound.groups)
    assert bound.percent <= found.il(X) <= start.il(X)


def test_an_outlier_does_not_hide_the_rest_from_the_program(rng):
    """Far outliers make all other z-scores tiny; the groups offered are taken all the same."""
    X = np.vstack([rng.normal(size=(60, 2)), np.full((3, 2), 1e5)])
    best = [*NearOptimal(k=3, effort=2_000).fit(X[:60]).partition_.groups(), np.arange(60, 63)]
    offered = Partition.from_labels(np.argmax([np.isin(np.arange(63), g) for g in best], axis=0))
    start = MDAV(k=3).fit(X).partition_
    found = refine(X, start, 3, effort=1, groups=best)
    assert found.il(X) <= offered.il(X) * (1 + 1e-6) < start.il(X)


def test_groups_without_a_polish_are_a_mistake(rng):
    with pytest.raises(InvalidParameter, match="polish is False"):
        refine(rng.normal(size=(9, 2)), blocks_of(9, 3), 3, groups=[[0, 1, 2]], polish=False)
