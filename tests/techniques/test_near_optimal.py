"""NearOptimal: the true optimum of small sets, and less loss than others on real files."""

from __future__ import annotations

import signal
import subprocess
import sys
import time

import numpy as np
import pandas as pd
import pytest

import covey
from covey import datasets
from covey.errors import InvalidParameter
from covey.scaling import standardize
from covey.techniques import IAMAT, NearOptimal, OptimalUnivariate, available

from ..exhaustive import optimal_sse


def small_sets(count: int):
    """Random sets of up to 11 records of many shapes, with ties among them."""
    rng = np.random.default_rng(11)
    for number in range(count):
        k = int(rng.integers(2, 5))
        n, d = int(rng.integers(2 * k, 12)), int(rng.integers(1, 5))
        shape = (rng.normal, rng.standard_cauchy, lambda size: rng.integers(0, 4, size) * 1.0)
        yield k, shape[number % 3](size=(n, d))


def test_small_sets_are_solved():
    """In at least 99 of 100, and never below the optimum."""
    missed, sets = 0, list(small_sets(300))
    for k, X in sets:
        points = standardize(X)
        best = optimal_sse(points, k)
        found = NearOptimal(k=k, effort=300).fit(X).partition_.sse(points)
        assert found >= best - 1e-9
        missed += found > best + 1e-9
    assert missed <= len(sets) // 100


@pytest.mark.usefixtures("census", "tarragona")
@pytest.mark.parametrize(
    ("load", "k", "at_most"),
    [
        (datasets.load_census, 3, 4.80),
        (datasets.load_census, 10, 11.72),
        (datasets.load_tarragona, 3, 14.75),
        (datasets.load_tarragona, 6, 23.75),
    ],
)
def test_real_files(load, k, at_most):
    table = load()
    near = NearOptimal(k=k, effort=2000, polish=False).fit(table)
    assert near.il_ < at_most < IAMAT(k=k).fit(table).il_
    assert near.partition_.sizes.max() < 2 * k
    assert near.polish_finished_ is None


STARTS = [info.name for info in available() if info.cls.starts_search]


def test_starts_are_those_that_techniques_declare():
    assert NearOptimal.parameters["start"].options == tuple(STARTS)
    assert {"iamat", "mdav", "vmdav"} <= set(STARTS)
    with pytest.raises(InvalidParameter, match="start must be one of 'egmmat', 'iamat'"):
        NearOptimal(start="projected").fit([[1.0], [2.0], [3.0]])


@pytest.mark.parametrize("start", STARTS)
def test_any_start(start, rng):
    X = rng.normal(size=(150, 3))
    near = NearOptimal(k=3, start=start, effort=100).fit(X)
    assert near.il_ < IAMAT(k=3).fit(X).il_
    assert near.polish_finished_ is True
    assert near.search_seconds_ > 0


def test_seeds_differ_and_repeat(rng):
    X = rng.normal(size=(300, 4))
    first, again, other = (
        NearOptimal(k=3, effort=50, polish=False, random_state=seed).fit(X).partition_
        for seed in (1, 1, 2)
    )
    assert first == again != other


def test_one_variable_is_solved(rng):
    X = np.exp(3 * rng.normal(size=(300, 1)))
    assert NearOptimal(k=4).fit(X).il_ == OptimalUnivariate(k=4).fit(X).il_


def test_a_time_limit_is_that_of_all_strata(rng):
    frame = pd.DataFrame(rng.normal(size=(300, 3)), columns=list("abc"))
    frame["stratum"] = np.repeat(np.arange(10), 30)
    technique = NearOptimal(k=3, time_limit=0.5)
    release = covey.protect(frame, technique=technique, strata=["stratum"])
    assert release.technique.search_seconds_ < 2.5


def test_ctrl_c_ends_chains_at_once():
    """What a thread that is waited for raises, others are told of."""
    code = (
        "import numpy as np\n"
        "from covey.techniques import NearOptimal\n"
        "X = np.random.default_rng(0).normal(size=(1500, 6))\n"
        "NearOptimal(effort=9).fit(X[:99])\n"
        "print('ready', flush=True)\n"
        "NearOptimal(effort=1e6).fit(X)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout.readline() == "ready\n"
        time.sleep(1.0)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=30)
    assert "KeyboardInterrupt" in errors
