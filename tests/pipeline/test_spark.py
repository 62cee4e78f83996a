"""Spark: the same release as one process, parts that fail, masters that are none."""

import shutil
import sys

import pyarrow as pa
import pytest
from pyarrow import parquet

from covey import protect
from covey.errors import CellFailed, InvalidParameter
from covey.pipeline.spark import is_spark
from tests.pipeline.fixtures import ASKED, file, numbers

__all__ = ["file", "numbers"]
PLAIN = {"k": 3, "technique": "iamat", "block_size": 1000}
pytestmark = [
    pytest.mark.skipif(shutil.which("java") is None, reason="Spark needs Java, which is not here"),
    pytest.mark.filterwarnings("ignore"),  # Spark closes its sockets late
]


@pytest.fixture(scope="module")
def session():
    sql = pytest.importorskip("pyspark.sql", reason="needs Spark: pip install 'covey[spark]'")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        yield from _started(sql)


def _started(sql):
    builder = sql.SparkSession.builder.master("local[2]").appName("covey")
    found = builder.config("spark.ui.enabled", "false").getOrCreate()
    yield found
    found.stop()


def whole(place):
    return pa.concat_tables([parquet.read_table(path) for path in sorted(place.iterdir())])


def test_what_is_no_session(numbers, tmp_path):
    """It comes first: a session that is there is taken, whatever its master."""
    pytest.importorskip("pyspark.sql")
    with pytest.raises(InvalidParameter, match="no Spark cluster"):
        protect(numbers, **PLAIN, out=f"{tmp_path}/two/", scheduler="local[nonsense")


def test_the_same_as_one_process(session, file, tmp_path):
    told = []
    protect(file, **ASKED, out=tmp_path / "one.parquet")
    protect(
        file,
        **ASKED,
        out=f"{tmp_path}/two/",
        scheduler=session,
        progress=lambda *said: told.append(said),
    )
    assert whole(tmp_path / "two").equals(parquet.read_table(tmp_path / "one.parquet"))
    assert "grouping" in {stage for stage, _, _ in told}


def _broken(place, part, slices):
    raise ZeroDivisionError("a value that nobody may see")


def test_a_part_that_fails(session, numbers, tmp_path, monkeypatch):
    monkeypatch.setattr("covey.pipeline.route.release_part", _broken)
    with pytest.raises(CellFailed, match=r"Part \d+ failed \(ZeroDivisionError\)") as raised:
        protect(numbers, **PLAIN, out=f"{tmp_path}/two/", scheduler=session)
    assert "nobody may see" not in str(raised.value)
    assert not (tmp_path / "two").exists()
    monkeypatch.undo()
    protect(numbers, **PLAIN, out=f"{tmp_path}/two/", scheduler=session)  # goes on from there
    assert whole(tmp_path / "two").num_rows == 9000


@pytest.mark.parametrize(
    ("scheduler", "expected"),
    [("spark://host:7077", True), ("local[2]", True), ("tcp://host:8786", False), (5, False)],
)
def test_masters(scheduler, expected):
    assert is_spark(scheduler) is expected
