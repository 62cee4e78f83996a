"""200,000 records: one plan, the same bytes in memory, on threads, on Dask and on Spark."""

import shutil
import sys

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from covey import protect

N_RECORDS, PART = 200_000, 60_000
ASKED = {"k": 5, "technique": "iamat", "strata": ["region"], "block_size": 20_000}
pytestmark = pytest.mark.filterwarnings("ignore")  # clusters close their sockets late


@pytest.fixture(scope="module")
def original(tmp_path_factory):
    rng = np.random.default_rng(7)
    path = tmp_path_factory.mktemp("same") / "original.parquet"
    table = pa.table(
        {
            "income": pa.array(rng.lognormal(size=N_RECORDS), mask=rng.random(N_RECORDS) < 0.02),
            "age": rng.integers(18, 90, N_RECORDS),
            "hours": rng.normal(35, 8, N_RECORDS).round(1),
            "region": rng.choice(["north", "south", "west"], N_RECORDS, p=[0.7, 0.2, 0.1]),
        }
    )
    parquet.write_table(table, path)
    return path


@pytest.fixture
def in_parts(_small_parts):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("covey.release.run.PART_RECORDS", PART)
        yield


@pytest.mark.usefixtures("_small_parts")
def test_in_memory_and_as_one_part(original, tmp_path):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("covey.release.run.PART_RECORDS", 2**21)
        release = protect(original, **ASKED, out=tmp_path / "one.parquet")
    assert release.n_parts == 1
    protect(original, **ASKED).write(tmp_path / "two.parquet")
    one, two = (parquet.read_table(tmp_path / f"{name}.parquet") for name in ("one", "two"))
    assert one.equals(two)


@pytest.mark.usefixtures("in_parts")
class TestInParts:
    @pytest.fixture(scope="class")
    def expected(self, original, tmp_path_factory):
        folder = tmp_path_factory.mktemp("expected")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("covey.release.run.PART_RECORDS", PART)
            patch.setenv("COVEY_THREADS", "1")
            release = protect(original, **ASKED, out=f"{folder}/parts/")
        assert release.n_parts > 3
        return [path.read_bytes() for path in sorted((folder / "parts").iterdir())]

    def bytes_of(self, original, tmp_path, **more):
        protect(original, **ASKED, out=f"{tmp_path}/parts/", **more)
        return [path.read_bytes() for path in sorted((tmp_path / "parts").iterdir())]

    def test_threads(self, original, tmp_path, expected, monkeypatch):
        monkeypatch.setenv("COVEY_THREADS", "3")
        assert self.bytes_of(original, tmp_path) == expected

    def test_dask(self, original, tmp_path, expected):
        distributed = pytest.importorskip("distributed", reason="needs Dask: covey[dask]")
        with distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster:
            found = self.bytes_of(original, tmp_path, scheduler=cluster.scheduler_address)
        assert found == expected

    @pytest.mark.skipif(shutil.which("java") is None, reason="Spark needs Java, which is not here")
    def test_spark(self, original, tmp_path, expected, monkeypatch):
        pytest.importorskip("pyspark.sql", reason="needs Spark: covey[spark]")
        monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
        assert self.bytes_of(original, tmp_path, scheduler="local[2]") == expected
