"""A run that was killed goes on where it was, and ends in the same release."""

import os
import signal
import subprocess
import sys
import time

import pytest

from covey import protect
from tests.pipeline.fixtures import numbers

__all__ = ["numbers"]
ASKED = {"k": 3, "technique": "iamat", "block_size": 1000}
RUN = """
import sys, time
import covey.pipeline.tasks as tasks
import covey.release.run as run
import covey
run.PART_RECORDS = 1500
kept = tasks.protect_part
def slow(*args):
    time.sleep(0.3)
    return kept(*args)
tasks.protect_part = slow
covey.protect(sys.argv[1], k=3, technique="iamat", block_size=1000, out=sys.argv[2])
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL on Windows")
def test_a_killed_run_goes_on(numbers, tmp_path, monkeypatch):
    out = tmp_path / "out.parquet"
    environment = {**os.environ, "COVEY_THREADS": "1"}
    arguments = [sys.executable, "-c", RUN, str(numbers), str(out)]
    process = subprocess.Popen(arguments, env=environment)
    try:
        work = _wait_for(tmp_path, "part-*.json", process)
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert not out.exists()
    done = {path.name: path.stat().st_mtime_ns for path in work.glob("part-*.json")}
    assert done
    kept = []
    monkeypatch.setattr(
        "covey.pipeline.work_folder.WorkFolder.remove",
        lambda self: kept.append({p.name: p.stat().st_mtime_ns for p in self.path.iterdir()}),
    )
    protect(numbers, **ASKED, out=out)
    assert done.items() <= kept[0].items()  # nothing that was done was done again
    monkeypatch.undo()
    protect(numbers, **ASKED, out=tmp_path / "again.parquet", work_dir=tmp_path / "work")
    assert out.read_bytes() == (tmp_path / "again.parquet").read_bytes()


def _wait_for(folder, pattern, process):
    end = time.monotonic() + 60
    while time.monotonic() < end and process.poll() is None:
        found = list(folder.glob(f".covey-work-*/{pattern}"))
        if found:
            return found[0].parent
        time.sleep(0.02)
    raise AssertionError("the run did not get there")


def test_a_half_written_part_is_done_again(numbers, tmp_path, monkeypatch):
    def stop(stage, done, total):
        if stage == "grouping" and done == 5:
            raise KeyboardInterrupt

    monkeypatch.setenv("COVEY_THREADS", "1")
    whole = tmp_path / "whole.parquet"
    protect(numbers, **ASKED, out=whole)
    out = tmp_path / "out.parquet"
    with pytest.raises(KeyboardInterrupt):
        protect(numbers, **ASKED, out=out, work_dir=tmp_path / "work", progress=stop)
    (tmp_path / "work" / "part-000003.json").unlink()
    (tmp_path / "work" / "part-000003.parquet").write_bytes(b"half")
    (tmp_path / "work" / "part-000000.json").unlink()
    (tmp_path / "work" / "part-000001.parquet.unfinished-1").write_bytes(b"half")
    protect(numbers, **ASKED, out=out, work_dir=tmp_path / "work")
    assert whole.read_bytes() == out.read_bytes()
    assert not (tmp_path / "work").exists()
