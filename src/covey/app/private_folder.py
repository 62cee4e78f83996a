"""A folder that only its owner can look into, and that is gone when the app is."""

from __future__ import annotations

import os
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

PREFIX = "covey-app-"
LOCK = "in-use"
# A folder without a lock may be one that is being made right now.
YOUNG = 60.0  # seconds


@contextmanager
def private_folder() -> Iterator[Path]:
    """A new folder in the system's place for temporary files; removed with all that is in it.

    Folders that were left by apps that were killed are removed first. Whether an app lives is told
    by a lock, which the system takes away with the process, however it ends.
    """
    remove_leftovers()
    folder = Path(tempfile.mkdtemp(prefix=PREFIX))  # nobody else can look into it
    try:
        lock = _locked(folder)
        try:
            yield folder
        finally:
            lock.close()
    finally:
        _remove(folder)


def remove_leftovers() -> None:
    """Remove the folders of this user that no living app holds."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with suppress(OSError):
            if _is_ours(folder) and _is_abandoned(folder):
                _remove(folder)


def _locked(folder: Path) -> IO[bytes]:
    """Hold the lock of a folder. It is there under its name only once it is held."""
    unnamed = folder / f"{LOCK}.new"
    file = unnamed.open("wb")
    if not _hold(file):
        raise OSError("The lock of a new folder is held by somebody else.")
    if sys.platform == "win32":  # an open file cannot be given another name there
        shutil.copyfile(unnamed, folder / LOCK)
        file.close()
        file = (folder / LOCK).open("r+b")
        _hold(file)
    else:
        unnamed.rename(folder / LOCK)
    return file


def _is_ours(folder: Path) -> bool:
    """A real folder, not a link to one, that belongs to this user."""
    found = folder.lstat()
    mine = not hasattr(os, "getuid") or found.st_uid == os.getuid()
    return stat.S_ISDIR(found.st_mode) and mine


def _is_abandoned(folder: Path) -> bool:
    try:
        with (folder / LOCK).open("r+b") as file:
            return _hold(file)
    except FileNotFoundError:
        return time.time() - folder.stat().st_mtime > YOUNG


def _hold(file: IO[bytes]) -> bool:
    """Take the lock, if nobody has it."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _remove(folder: Path) -> None:
    """Remove a folder; a worker that has just been ended may still let go of a file."""
    for _ in range(5):
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            return
        time.sleep(0.1)
