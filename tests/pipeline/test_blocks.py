"""Grouping in blocks: the guarantee, the same for any number of threads, hardly more loss."""

import numpy as np
import pyarrow as pa
import pytest

from covey import protect
from covey.errors import InvalidParameter
from covey.techniques import IAMAT, RGMAT, NearOptimal


def table(rng, n=6000, d=3):
    values = rng.normal(size=(n, d))
    return pa.table({f"v{j}": values[:, j] for j in range(d)})


@pytest.mark.parametrize("technique", ["iamat", "mdav", "vmdav", "auto", "rgmat"])
def test_groups_have_k(rng, technique):
    release = protect(table(rng), k=4, technique=technique, block_size=1000)
    assert release.achieved_k >= 4
    assert release.partition.sizes.max() < 8


def test_the_same_for_any_number_of_threads(rng, monkeypatch):
    data, found = table(rng), []
    for threads in ("1", "2", "3"):
        monkeypatch.setenv("COVEY_THREADS", threads)
        found.append(protect(data, k=3, technique="iamat", block_size=1000).partition)
    assert found[0] == found[1] == found[2]


def test_little_is_lost(rng):
    data = table(rng, n=20_000)
    whole = protect(data, k=5, technique="iamat").technique.il_
    blocks = protect(data, k=5, technique="iamat", block_size=5000).technique.il_
    assert blocks < 1.015 * whole


def test_small_files_are_grouped_at_once(rng):
    data = table(rng, n=900)
    plain = protect(data, k=3, technique="iamat").partition
    assert protect(data, k=3, technique="iamat", block_size=1000).partition == plain


def test_strata_are_never_crossed(rng):
    data = table(rng).append_column("region", pa.array(rng.choice(["a", "b", "c"], 6000)))
    release = protect(data, k=3, technique="iamat", strata=["region"], block_size=1000)
    region = np.array(data["region"].to_pylist())
    for group in release.partition.groups():
        assert len(set(region[group])) == 1


def test_equal_records_do_no_harm(rng):
    data = pa.table({"v": np.repeat([1.0, 2.0], [5000, 3])})
    assert protect(data, k=3, technique="iamat", block_size=1000).achieved_k == 3


def test_settings_keep_the_size(rng):
    release = protect(table(rng), k=3, technique="iamat", block_size=2000)
    again = protect(table(np.random.default_rng(20)), settings=release.settings)
    assert again.settings.block_size == 2000
    assert "block_size = 2000" in release.settings.to_toml()


class TestAuto:
    """Blocks are taken by themselves where a table is large and nothing else was said."""

    @pytest.fixture(autouse=True)
    def _few_at_once(self, monkeypatch):
        monkeypatch.setattr("covey.release.settings.MOST_AT_ONCE", 5000)

    def test_takes_blocks(self, rng):
        release = protect(table(rng, 6000), k=3)
        assert release.settings.block_size == 262_144
        again = protect(table(np.random.default_rng(20), 6000), settings=release.settings)
        np.testing.assert_array_equal(again.partition.labels, release.partition.labels)

    @pytest.mark.parametrize(
        "asked",
        [{"technique": "nearoptimal"}, {"technique": "iamat"}, {"parameters": {"time_limit": 0.1}}],
    )
    def test_leaves_what_was_asked_for(self, rng, asked):
        assert protect(table(rng, 6000), k=3, **asked).settings.block_size is None

    def test_leaves_small_tables_and_single_variables(self, rng):
        assert protect(table(rng, 5000), k=3).settings.block_size is None
        single = table(rng, 6000).select(["v0"])
        assert protect(single, k=3).settings.block_size is None


def test_what_cannot_work_in_blocks(rng):
    data = table(rng)
    with pytest.raises(InvalidParameter, match="cannot work in blocks"):
        protect(data, k=3, technique="individualranking", block_size=1000)
    with pytest.raises(InvalidParameter, match="never by the clock"):
        protect(data, technique=NearOptimal(k=3, time_limit=1.0), block_size=1000)
    with pytest.raises(InvalidParameter, match="random_state as a whole number"):
        protect(data, technique=RGMAT(k=3, random_state=np.random.RandomState(1)), block_size=1000)
    with pytest.raises(InvalidParameter, match="block_size"):
        protect(data, technique=IAMAT(k=3), block_size=10)


def test_it_can_be_stopped(rng):
    def stop(stage, done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        protect(table(rng, n=50_000), technique="auto", block_size=1000, progress=stop)
