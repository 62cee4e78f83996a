"""On a disk that is nearly full a release is in the database file itself, or nowhere."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import covey
from covey.errors import CoveyError
from covey.sources import Table

SIZE = 1 << 21
N = 5000
KEPT, ROOM = "written", "refused"
KINDS = ("duckdb", "sqlite", "sqlite with a log")
pytestmark = pytest.mark.filterwarnings("ignore:What the table .* held stays")


@pytest.fixture(scope="module")
def disk(tmp_path_factory) -> Iterator[Path]:
    """A small file system of its own."""
    folder = tmp_path_factory.mktemp("disk")
    command = ["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", str(folder)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        pytest.skip("NOT TESTED: a full disk; there is no mount on this system")
    if done.returncode:
        pytest.skip(f"NOT TESTED: a full disk; it cannot be mounted here ({done.stderr.strip()})")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


@pytest.fixture
def empty(disk) -> Iterator[Path]:
    yield disk
    for path in disk.iterdir():
        path.unlink()


@pytest.fixture(scope="module")
def release() -> covey.release.Release:
    rng = np.random.default_rng(1)
    data = {name: rng.normal(size=N) for name in ("a", "b", "c")}
    return covey.protect(pa.table(data), k=3, technique="iamat")


def leave(disk: Path, free: int) -> None:
    """Fill the disk but for so many bytes."""
    (disk / "filler").unlink(missing_ok=True)
    found = os.statvfs(disk)
    count = found.f_bavail * found.f_frsize - free
    assert count > 0
    (disk / "filler").write_bytes(bytes(count))


def begin(path: Path, kind: str) -> None:
    """A database with another table, and an older release."""
    for name, n in (("other", 5), ("old", 7)):
        table = pa.table({"v": range(n)})
        Table(path, table=name).write(table.schema, table.to_batches())
    if kind == "sqlite with a log":
        import sqlite3

        with closing(sqlite3.connect(path)) as connection:
            connection.execute("pragma journal_mode = wal")


def holds(path: Path, elsewhere: Path, name: str) -> int | None:
    """How many records a table has in a copy of the file alone."""
    copy = elsewhere / path.name
    shutil.copy(path, copy)
    try:
        return Table(copy, table=name).read().table.num_rows
    except CoveyError:
        return None
    finally:
        for left in elsewhere.glob(f"{path.name}*"):
            left.unlink()


def with_records(folder: Path) -> list[str]:
    """The files that may hold records; SQLite may leave an empty log and its index."""
    files = [path for path in folder.iterdir() if not path.name.endswith("-shm")]
    return sorted(path.name for path in files if path.stat().st_size > 0)


def attempts(empty, path, write) -> Iterator[str]:
    """Write with less and less room, until it has failed a few times."""
    for free in range(672 * 1024, 0, -64 * 1024):
        leave(empty, free)
        try:
            write()
            yield KEPT
        except CoveyError as error:
            yield ROOM if re.search("full|room|space", str(error)) else f"not explained: {error}"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["old", "released"])
def test_an_existing_database(empty, release, tmp_path, kind, name):
    path = empty / f"d.{kind.split()[0]}"
    begin(path, kind)
    before = path.read_bytes()
    came = set()
    for outcome in attempts(empty, path, lambda: release.write(path, table=name, force=True)):
        came.add(outcome)
        old = 7 if name == "old" else None
        assert holds(path, tmp_path, name) == (N if outcome == KEPT else old)
        assert holds(path, tmp_path, "other") == 5
        assert with_records(empty) == [path.name, "filler"]
        path.write_bytes(before)
    assert came == {KEPT, ROOM}


@pytest.mark.parametrize("kind", KINDS[:2])
def test_a_new_database(empty, release, tmp_path, kind):
    path = empty / f"d.{kind}"
    came = set()
    for outcome in attempts(empty, path, lambda: release.write(path, table="released")):
        came.add(outcome)
        assert path.exists() == (outcome == KEPT)
        assert outcome == ROOM or holds(path, tmp_path, "released") == N
        path.unlink(missing_ok=True)
        assert [one.name for one in empty.iterdir()] == ["filler"]
    assert came == {KEPT, ROOM}


@pytest.mark.parametrize("kind", KINDS[:2])
@pytest.mark.parametrize("is_new", [True, False], ids=["new", "existing"])
def test_a_streamed_release(empty, tmp_path, kind, is_new):
    path, original = empty / f"d.{kind}", tmp_path / "original.parquet"
    rng = np.random.default_rng(2)
    table = pa.table({name: rng.normal(size=N) for name in ("a", "b", "c")})
    covey.sources.write_table(table, original)
    if not is_new:
        begin(path, kind)
    came = []
    for free in (900, 380, 280, 180, 60):
        leave(empty, free * 1024)
        try:
            covey.protect(
                *(original, 3), technique="iamat", block_size=2000,
                out=path, into=f"released_{free}", work_dir=tmp_path / "work",
            )  # fmt: skip
            came.append(KEPT)
            assert holds(path, tmp_path, f"released_{free}") == N
        except CoveyError:
            came.append(ROOM)
            assert not path.exists() or holds(path, tmp_path, f"released_{free}") is None
        if is_new:
            path.unlink(missing_ok=True)
        left = {one.name for one in empty.iterdir()}
        assert left == ({"filler"} if is_new else {"filler", path.name})
    assert came[0] == KEPT
    assert came[-1] == ROOM


@pytest.mark.skipif(sys.platform == "win32", reason="a file that is open cannot be removed there")
def test_a_log_of_a_crash_is_not_lost(duckdb_file, tmp_path):
    """What another program left in the log is brought into the file before Covey writes."""
    crash = (
        "import duckdb, os, sys; c = duckdb.connect(sys.argv[1]); "
        "c.execute('create table theirs as select 7 as v'); os._exit(0)"
    )
    subprocess.run([sys.executable, "-c", crash, duckdb_file.address], check=True)
    assert Path(f"{duckdb_file.path}.wal").stat().st_size > 0
    table = pa.table({"v": [1]})
    Table(duckdb_file.path, table="ours").write(table.schema, table.to_batches())
    (tmp_path / "copy").mkdir()
    assert holds(duckdb_file.path, tmp_path / "copy", "theirs") == 1
    assert holds(duckdb_file.path, tmp_path / "copy", "ours") == 1
    assert not Path(f"{duckdb_file.path}.wal").exists()
