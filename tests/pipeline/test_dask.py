"""Dask: the same release as one process, workers that are lost, cells that fail."""

import os
import signal
import threading
import time

import pyarrow as pa
import pytest
from pyarrow import parquet

from covey import protect
from covey.errors import CellFailed, InvalidParameter, SchemaError
from covey.pipeline.frame_sources import _cast
from tests.pipeline.fixtures import ASKED, file, mixed, numbers

distributed = pytest.importorskip("distributed", reason="needs Dask: pip install 'covey[dask]'")
__all__ = ["file", "numbers"]
PLAIN = {"k": 3, "technique": "iamat", "block_size": 1000}
# Dask closes sockets and files late, and warns of its own ports.
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(scope="module")
def cluster():
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        yield cluster


def whole(place):
    return pa.concat_tables([parquet.read_table(path) for path in sorted(place.iterdir())])


def test_the_same_as_one_process(cluster, file, tmp_path):
    import dask.dataframe as dd

    told = []
    data = mixed().drop_columns(["born"])  # pandas has no plain dates
    parquet.write_table(data, file)
    frame = dd.from_pandas(data.to_pandas(), npartitions=3)
    protect(file, **ASKED, out=tmp_path / "one.parquet")
    protect(
        file,
        **ASKED,
        out=f"{tmp_path}/two/",
        scheduler=cluster.scheduler_address,
        progress=lambda *args: told.append(args),
    )
    with distributed.Client(cluster) as client:
        three = protect(frame, **ASKED, out=f"{tmp_path}/three/")  # on the client that is there
        assert isinstance(three.data, dd.DataFrame)  # nothing is read before it is asked for
        assert len(three.data) == 6000
        assert client.scheduler_info()["workers"]
    one = parquet.read_table(tmp_path / "one.parquet")
    assert whole(tmp_path / "two").equals(one)
    assert whole(tmp_path / "three").to_pydict() == one.to_pydict()
    stages = [stage for stage, _, _ in told]
    assert {"surveying", "dividing", "grouping", "checking"} <= set(stages)


def test_a_worker_that_is_lost(cluster, numbers, tmp_path):
    protect(numbers, **PLAIN, out=tmp_path / "one.parquet")
    with distributed.Client(cluster) as client:
        client.run(_slow_down)
        victim = next(iter(client.run(os.getpid).values()))
        killer = threading.Thread(target=_kill_when_there, args=(tmp_path, victim))
        killer.start()
        try:
            protect(numbers, **PLAIN, out=f"{tmp_path}/two/", scheduler=client)
        finally:
            killer.join()
            client.run(_speed_up)
    assert whole(tmp_path / "two").equals(parquet.read_table(tmp_path / "one.parquet"))


def _kill_when_there(folder, victim):
    end = time.monotonic() + 60
    while time.monotonic() < end:
        if list(folder.glob(".covey-work-*/part-*.json")):
            os.kill(victim, signal.SIGKILL)
            return
        time.sleep(0.01)


def _slow_down():
    import covey.pipeline.tasks as tasks

    tasks.kept = tasks.protect_part

    def slow(*args):
        time.sleep(0.4)
        return tasks.kept(*args)

    tasks.protect_part = slow


def _speed_up():
    import covey.pipeline.tasks as tasks

    tasks.protect_part = getattr(tasks, "kept", tasks.protect_part)


def _break():
    import covey.pipeline.tasks as tasks

    tasks.intact = tasks.protect_part
    tasks.protect_part = _failing


def _failing(*_args):
    raise ZeroDivisionError("no reason")


def _mend():
    import covey.pipeline.tasks as tasks

    tasks.protect_part = tasks.intact


def test_a_cell_that_fails(cluster, numbers, tmp_path):
    with distributed.Client(cluster) as client:
        client.run(_break)
        try:
            with pytest.raises(CellFailed, match=r"Part \d+ failed \(ZeroDivisionError"):
                protect(numbers, **PLAIN, out=f"{tmp_path}/two/", scheduler=client)
        finally:
            client.run(_mend)
    assert not (tmp_path / "two").exists()
    assert not list(tmp_path.glob(".two.*"))


def test_a_scheduler_that_is_lost(numbers, tmp_path):
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None
    ) as cluster:

        def stop(stage, done, total):
            if stage == "grouping" and done == 1:
                cluster.close()

        with pytest.raises(CellFailed, match=r"cluster was lost.*goes on from there"):
            protect(
                numbers,
                **PLAIN,
                out=f"{tmp_path}/two/",
                scheduler=cluster.scheduler_address,
                work_dir=tmp_path / "work",
                progress=stop,
            )
    assert not (tmp_path / "two").exists()
    protect(numbers, **PLAIN, out=f"{tmp_path}/two/", work_dir=tmp_path / "work")
    assert whole(tmp_path / "two").num_rows == 9000


def test_a_client_that_is_closed(cluster, numbers, tmp_path):
    with distributed.Client(cluster) as client:
        pass
    with pytest.raises(CellFailed, match="cluster was lost"):
        protect(numbers, **PLAIN, out=f"{tmp_path}/two/", scheduler=client)


@pytest.mark.parametrize("scheduler", [5, object(), ["tcp://host:8786"]])
def test_what_is_no_scheduler(numbers, tmp_path, scheduler):
    told = []
    with pytest.raises(InvalidParameter, match=r"scheduler must be .* got (int|object|list)"):
        protect(
            numbers,
            **PLAIN,
            out=f"{tmp_path}/two/",
            scheduler=scheduler,
            progress=lambda *args: told.append(args),
        )
    assert told == []
    assert not list(tmp_path.glob(".covey-work-*"))


def test_what_is_no_data_frame(tmp_path):
    import dask.array as da
    import dask.dataframe as dd

    frame = dd.from_pandas(mixed(100).to_pandas(), npartitions=2)
    for data in (frame["age"], da.ones((100, 2), chunks=50)):
        with pytest.raises(InvalidParameter, match="of Dask is no data frame"):
            protect(data, **PLAIN, out=tmp_path / "out.parquet")


def test_partitions_of_different_kinds():
    schema = pa.schema([("v", pa.float64())])
    assert _cast(pa.table({"v": [1]}), schema).schema == schema
    with pytest.raises(SchemaError, match="columns of different kinds"):
        _cast(pa.table({"v": ["x"]}), schema)


def test_a_frame_needs_a_place(numbers):
    import dask.dataframe as dd

    frame = dd.from_pandas(mixed(100).to_pandas(), npartitions=2)
    with pytest.raises(InvalidParameter, match="out="):
        protect(frame, **PLAIN)
