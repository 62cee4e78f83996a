"""The private folder: nobody else looks in, and nothing of it stays."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from covey.app.private_folder import LOCK, PREFIX, YOUNG, private_folder, remove_leftovers

HOLDER = """
import sys, time
from covey.app.private_folder import private_folder
with private_folder() as folder:
    (folder / "data.csv").write_text("secret")
    print(folder, flush=True)
    time.sleep(60)
"""


@pytest.fixture(autouse=True)
def temporary(tmp_path, monkeypatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    return tmp_path


@pytest.fixture
def holder():
    """Another process with a folder of its own, and that folder."""
    process = subprocess.Popen([sys.executable, "-c", HOLDER], stdout=subprocess.PIPE, text=True)
    yield process, Path(process.stdout.readline().strip())
    process.kill()
    process.wait()
    process.stdout.close()


def test_only_its_owner_looks_in():
    with private_folder() as folder:
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt, SystemExit])
def test_it_is_gone_whatever_happens(error):
    folders = []

    def work() -> None:
        with private_folder() as folder:
            (folder / "run").mkdir()
            (folder / "run" / "data.csv").write_text("secret")
            folders.append(folder)
            raise error

    with pytest.raises(error):
        work()
    assert not folders[0].exists()


def test_what_a_killed_process_left_goes_at_the_next_start(holder):
    process, left = holder
    assert (left / "data.csv").exists()
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert left.exists()
    with private_folder() as mine:
        assert not left.exists()
        assert mine.exists()


def test_the_folder_of_a_living_process_stays(holder):
    _, other = holder
    with private_folder():
        assert (other / "data.csv").read_text() == "secret"
    assert (other / "data.csv").read_text() == "secret"


def test_one_that_is_being_made_stays(temporary):
    young, old = temporary / f"{PREFIX}young", temporary / f"{PREFIX}old"
    for folder in (young, old):
        folder.mkdir()
    long_ago = time.time() - 2 * YOUNG
    os.utime(old, (long_ago, long_ago))
    remove_leftovers()
    assert young.exists()
    assert not old.exists()


def test_nothing_else_is_touched(temporary):
    """A link that somebody laid out, a file, and folders of others."""
    precious = temporary / "precious"
    precious.mkdir()
    (precious / LOCK).touch()
    (temporary / f"{PREFIX}link").symlink_to(precious)
    (temporary / f"{PREFIX}file").touch()
    (temporary / "covey").mkdir()
    remove_leftovers()
    assert (precious / LOCK).exists()
    assert (temporary / "covey").exists()
    assert (temporary / f"{PREFIX}file").exists()
