"""Where the work is done and where a folder of parts goes: nobody's files are lost or read."""

import json
import os
import pickle
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from covey import protect
from covey.errors import DisclosureWarning, InvalidParameter
from covey.pipeline import atomic_folder
from covey.pipeline.atomic_folder import OLD, STAGED
from covey.pipeline.memory_size import read_size
from covey.pipeline.parquet_folder import ParquetFolder
from covey.pipeline.work_folder import WorkFolder
from covey.sources import FileProblem
from tests.pipeline.fixtures import numbers

__all__ = ["numbers"]
PLAIN = {"k": 3, "technique": "iamat", "block_size": 1000}
RUN = "a" * 64
posix = pytest.mark.skipif(os.name != "posix", reason="links, owners and locks of POSIX")


def table(*values):
    return pa.table({"v": list(values)})


def put(folder, *values, force=False):
    ParquetFolder(folder).write(table(0).schema, table(*values).to_batches(), force=force)


def found(folder):
    return parquet.read_table(folder / "part-00000.parquet")["v"].to_pylist()


def left(folder):
    return sorted(path.name for path in folder.iterdir())


class TestTheWorkFolder:
    def test_is_gone_when_a_run_made_it(self, tmp_path):
        folder = WorkFolder.open(tmp_path / "a" / "work", RUN)
        folder.save("survey", [1])
        folder.remove()
        assert left(tmp_path / "a") == []

    def test_is_gone_when_another_run_made_it(self, tmp_path):
        WorkFolder.open(tmp_path / "work", RUN).close()
        WorkFolder(tmp_path / "work").remove()
        assert left(tmp_path) == []

    def test_of_the_user_is_only_emptied(self, tmp_path):
        (tmp_path / "work").mkdir()
        folder = WorkFolder.open(tmp_path / "work", RUN)
        folder.save("survey", [1])
        folder.close()
        again = WorkFolder.open(tmp_path / "work", RUN)  # gone on with, it is still the user's
        assert again.load("survey") == [1]
        again.remove()
        assert left(tmp_path / "work") == []

    def test_of_the_user_stays_after_a_mistake(self, numbers, tmp_path):
        def refuse(stage, done, total):
            if stage == "dividing":
                raise InvalidParameter("refused")

        (tmp_path / "work").mkdir()
        where = {"out": tmp_path / "o.parquet", "work_dir": tmp_path / "work"}
        with pytest.raises(InvalidParameter, match="refused"):
            protect(numbers, **PLAIN, **where, progress=refuse)
        assert left(tmp_path / "work") == []

    @posix
    def test_behind_a_link_is_emptied(self, numbers, tmp_path):
        (tmp_path / "scratch").mkdir()
        (tmp_path / "link").symlink_to("scratch")
        protect(numbers, **PLAIN, out=tmp_path / "o.parquet", work_dir=tmp_path / "link")
        assert left(tmp_path / "scratch") == []
        assert (tmp_path / "link").is_symlink()

    def test_that_cannot_be_emptied_is_told(self, tmp_path, monkeypatch):
        folder = WorkFolder.open(tmp_path / "work", RUN)

        def refuse(path, **_named):
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr(Path, "unlink", refuse)
        with pytest.warns(DisclosureWarning, match=r"work could not be emptied.*original values"):
            folder.remove()

    @posix
    @pytest.mark.parametrize("name", ["letter.txt", "manifest.json"])
    def test_of_something_else_is_not_touched(self, tmp_path, name):
        place = tmp_path / "mine"
        place.mkdir(mode=0o755)
        place.chmod(0o755)
        (place / name).write_text('{"name": "mine"}')
        with pytest.raises(InvalidParameter, match="not empty, and no work folder"):
            WorkFolder.open(place, RUN)
        assert left(place) == [name]
        assert place.stat().st_mode & 0o777 == 0o755

    def test_that_is_a_file(self, tmp_path):
        (tmp_path / "work").write_text("mine")
        with pytest.raises(InvalidParameter, match="is no folder"):
            WorkFolder.open(tmp_path / "work", RUN)

    @posix
    def test_of_another_user_is_not_read(self, tmp_path, monkeypatch):
        WorkFolder.open(tmp_path / "work", RUN).close()
        monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
        with pytest.raises(InvalidParameter, match="belongs to another user"):
            WorkFolder.open(tmp_path / "work", RUN)

    @posix
    def test_that_others_can_fill_is_not_gone_on_with(self, tmp_path):
        place = tmp_path / "shared"
        place.mkdir()
        place.chmod(0o777)
        planted = {"fingerprint": RUN, "made": True}
        (place / "manifest.json").write_text(json.dumps(planted))
        (place / "survey.pickle").write_bytes(pickle.dumps("anything"))
        with pytest.raises(InvalidParameter, match="others may write to it"):
            WorkFolder.open(place, RUN)
        shutil.rmtree(place)
        place.mkdir()
        place.chmod(0o777)
        WorkFolder.open(place, RUN).close()  # empty, it is made private
        assert place.stat().st_mode & 0o777 == 0o700


# Ends, as if killed, when the folder that was there has stepped aside.
KILLED = """
import os, signal, sys
import pyarrow as pa
from covey.pipeline import atomic_folder
from covey.pipeline.parquet_folder import ParquetFolder
atomic_folder._swapped = lambda one, other: False
replace = os.replace
def stop(source, target):
    replace(source, target)
    if str(target).endswith({ending!r}):
        os.kill(os.getpid(), signal.SIGKILL)
os.replace = stop
table = pa.table({{"v": [2]}})
ParquetFolder(sys.argv[1]).write(table.schema, table.to_batches(), force=True)
"""


class TestAFolderOfParts:
    @pytest.fixture(params=[True, False], ids=["swapped", "moved"])
    def way(self, request, monkeypatch):
        """In one step, where the system can, or in two."""
        if not request.param:
            monkeypatch.setattr(atomic_folder, "_swapped", lambda one, other: False)

    def test_is_replaced(self, tmp_path, way):
        put(tmp_path / "r", 1)
        with pytest.raises(InvalidParameter, match="exists already"):
            put(tmp_path / "r", 2)
        put(tmp_path / "r", 2, force=True)
        assert found(tmp_path / "r") == [2]
        assert left(tmp_path) == ["r"]

    @pytest.mark.skipif(sys.platform != "linux", reason="only Linux swaps names")
    def test_in_one_step(self, tmp_path, monkeypatch):
        put(tmp_path / "r", 1)

        def refuse(source, target):
            raise AssertionError("the folder was moved aside")

        monkeypatch.setattr(os, "replace", refuse)
        put(tmp_path / "r", 2, force=True)
        assert found(tmp_path / "r") == [2]

    @posix
    def test_behind_a_link(self, tmp_path, way):
        put(tmp_path / "real", 1)
        (tmp_path / "link").symlink_to("real")
        put(tmp_path / "link", 2, force=True)
        assert (tmp_path / "link").is_symlink()
        assert found(tmp_path / "real") == [2]
        assert left(tmp_path) == ["link", "real"]

    def test_is_put_back_when_the_last_step_fails(self, tmp_path, monkeypatch):
        put(tmp_path / "r", 1)
        replace = os.replace

        def refuse(source, target):
            if str(source).endswith(STAGED):
                raise OSError(28, "No space left on device")
            replace(source, target)

        monkeypatch.setattr(atomic_folder, "_swapped", lambda one, other: False)
        monkeypatch.setattr(os, "replace", refuse)
        with pytest.raises(FileProblem, match="No space left"):
            put(tmp_path / "r", 2, force=True)
        assert found(tmp_path / "r") == [1]
        assert left(tmp_path) == ["r"]

    @posix
    def test_of_a_killed_run_is_put_back(self, tmp_path):
        put(tmp_path / "r", 1)
        code = KILLED.format(ending=OLD)
        done = subprocess.run([sys.executable, "-c", code, str(tmp_path / "r")], check=False)
        assert done.returncode == -signal.SIGKILL
        assert len(left(tmp_path)) == 2
        with pytest.raises(InvalidParameter, match="exists already"):
            ParquetFolder(tmp_path / "r").check_target(force=False)
        assert left(tmp_path) == ["r"]
        assert found(tmp_path / "r") == [1]

    @posix
    def test_that_replaced_another_before_it_was_killed(self, tmp_path):
        put(tmp_path / "r", 2)
        put(tmp_path / f".r.abc{OLD}", 1)
        ParquetFolder(tmp_path / "r").check_target(force=True)
        assert left(tmp_path) == ["r"]
        assert found(tmp_path / "r") == [2]

    @posix
    def test_that_is_being_filled_stays(self, tmp_path):
        target = ParquetFolder(tmp_path / "r")
        staged = target.stage(table(1).schema, table(1).to_batches(), force=False)
        put(tmp_path / "r", 2)
        assert len(left(tmp_path)) == 2
        assert staged.read_back()["v"].to_pylist() == [1]
        staged.drop()
        assert left(tmp_path) == ["r"]

    @posix
    def test_of_somebody_else_stays(self, tmp_path):
        other = tmp_path / f".r.abc{STAGED}"
        other.mkdir()
        (other / "letter.txt").write_text("mine")
        (tmp_path / f".r.def{OLD}").symlink_to(other)
        put(tmp_path / "r", 1)
        assert (other / "letter.txt").exists()
        assert len(left(tmp_path)) == 3

    def test_beside_which_nothing_may_be_made(self, tmp_path, monkeypatch):
        monkeypatch.setattr(os, "access", lambda path, mode: False)
        with pytest.raises(FileProblem, match="write-protected"):
            ParquetFolder(tmp_path / "r").check_target(force=False)


def test_sizes_beyond_all_machines():
    for size in ("9" * 400, 10**400, "9999999TB"):
        with pytest.raises(InvalidParameter, match="at most"):
            read_size(size)
    assert read_size("1.5GiB") == 1610612736
