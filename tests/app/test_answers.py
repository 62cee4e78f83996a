"""The page answers while the worker works: on a small file, and on a large one if asked to."""

from __future__ import annotations

import sys
from statistics import median, quantiles

import pytest
from benchmarks.app import TARGET, measure

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")


def test_during_a_short_run(tmp_path):
    found = measure(tmp_path, 3_000, "mdav", pause=0.05)
    assert found["state"] == "done"
    for name, taken in found["taken"].items():
        assert len(taken) >= 5, name
        assert median(taken) <= TARGET, name


@pytest.mark.slow
@pytest.mark.full_effort
def test_during_a_long_run(tmp_path):
    """200,000 x 15: 95 of 100 answers within 200 ms, whatever the worker is at."""
    found = measure(tmp_path, 200_000)
    assert found["state"] == "done"
    for name, taken in found["taken"].items():
        assert quantiles(taken, n=20)[-1] <= TARGET, name
    assert found["server_peak"] < 1.0
    assert found["worker_peak"] < 4.0
