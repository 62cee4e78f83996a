"""A pickle of a release would carry the original: it is refused, and copies stay in memory."""

from __future__ import annotations

import copy
import io
import pickle

import joblib
import pyarrow as pa
import pytest

import covey
from covey.errors import CoveyError, HoldsOriginals
from covey.release import compare, protect, tune

TABLE = pa.table(
    {
        "person": [f"SECRET-{i}" for i in range(12)],
        "x": [float(1000003 + 17 * i**2) for i in range(12)],
        "y": [float(i % 5) for i in range(12)],
        "illness": ["flu", "cold", "none"] * 4,
    }
)
ASKED = {"identifiers": ["person"], "confidential": ["illness"]}


@pytest.fixture(scope="module")
def release():
    return protect(TABLE, 3, "mdav", **ASKED)


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_release_is_not_pickled(release, protocol):
    with pytest.raises(CoveyError, match=r"release\.write\(\.\.\.\)"):
        pickle.dumps(release, protocol)


def test_nor_by_joblib(release):
    with pytest.raises(CoveyError, match="original"):
        joblib.dump(release, io.BytesIO())


@pytest.mark.parametrize("part", ["masked", "coded"])
def test_nor_the_parts_that_hold_originals(release, part):
    with pytest.raises(CoveyError, match="not pickled"):
        pickle.dumps(getattr(release, part))
    with pytest.raises(CoveyError, match="not pickled"):
        pickle.dumps([release.masked.prepared])


def test_nor_what_holds_a_release():
    tuning = tune(TABLE, 100.0, k=[3], techniques=["mdav"], driving=(), **ASKED)
    with pytest.raises(CoveyError, match="not pickled"):
        pickle.dumps(tuning)


@pytest.mark.parametrize("part", ["technique", "partition", "settings", "provenance", "evaluation"])
def test_the_others_hold_no_original(release, part):
    stored = pickle.dumps(getattr(release, part))
    assert b"SECRET" not in stored
    for value in TABLE["x"].to_numpy():
        assert value.tobytes() not in stored


def test_a_release_that_was_written_part_by_part_neither(tmp_path):
    """It holds a sample of the originals."""
    streamed = protect(TABLE, 3, "mdav", out=tmp_path / "out.parquet", **ASKED)
    with pytest.raises(HoldsOriginals):
        pickle.dumps(streamed)


def test_comparisons_hold_no_originals():
    comparison = compare(TABLE, [3], ["mdav"], **ASKED)
    inspected = covey.inspect(TABLE)
    stored = pickle.dumps((comparison, inspected))
    assert b"SECRET" not in stored
    assert not any(value.tobytes() in stored for value in TABLE["x"].to_numpy())


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy])
def test_a_copy_in_memory_is_a_release(release, copied, tmp_path):
    twin = copied(release)
    assert twin.table.equals(release.table)
    twin.write(tmp_path / "twin.csv")
    assert "twin.csv" in twin.provenance.outputs
    assert "twin.csv" not in release.provenance.outputs


def test_no_value_is_shown(release):
    assert "SECRET" not in repr(release) + repr(release.masked.prepared)
