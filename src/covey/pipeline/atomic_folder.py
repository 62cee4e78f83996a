"""A folder takes the place of another, and what a killed run left is put right.

A system that can swap two names (Linux) replaces the folder in one step. Elsewhere the old one
steps aside first; a run that is killed between the two steps leaves it beside its place, and the
next run puts it back.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import stat
from contextlib import suppress
from pathlib import Path

# How the names of our own folders end: one that is filled, and one that stepped aside.
STAGED, OLD = ".covey", ".covey-old"
AT_FDCWD, RENAME_NOREPLACE, RENAME_EXCHANGE = -100, 1, 2


def place_new_folder(staged: Path, place: Path) -> None:
    """Give a folder that is filled its name; `FileExistsError` if anything has it by now.

    Where the system cannot do it in one step, whoever makes an empty folder has the name, and an
    empty folder makes room for a full one.
    """
    if os.name == "nt":
        os.rename(staged, place)  # which refuses there
        return
    if _renamed(staged, place, RENAME_NOREPLACE):
        return
    place.mkdir()
    try:
        os.rename(staged, place)
    except BaseException:
        with suppress(OSError):
            place.rmdir()
        raise


def replace_folder(staged: Path, place: Path) -> None:
    """Let a folder that is filled take a place; what fails leaves the old one there."""
    with suppress(FileExistsError):
        place_new_folder(staged, place)
        return
    if _swapped(staged, place):
        shutil.rmtree(staged, ignore_errors=True)
        return
    old = staged.with_suffix(OLD)
    os.replace(place, old)
    try:
        os.replace(staged, place)
    except BaseException:
        os.replace(old, place)
        raise
    shutil.rmtree(old, ignore_errors=True)


def _swapped(one: Path, other: Path) -> bool:
    """Swap two names in one step; False where the system or the file system cannot."""
    return _renamed(one, other, RENAME_EXCHANGE)


def _renamed(one: Path, other: Path, way: int) -> bool:
    try:
        rename = ctypes.CDLL(None, use_errno=True).renameat2
    except (AttributeError, OSError, TypeError):
        return False
    names = os.fsencode(one), os.fsencode(other)
    return bool(rename(AT_FDCWD, names[0], AT_FDCWD, names[1], way) == 0)


class Held:
    """A mark on a folder that somebody is at work there; it ends with the process."""

    def __init__(self, folder: Path) -> None:
        self._handle = _locked(folder)

    def release(self) -> None:
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None


def _locked(folder: Path) -> int | None:
    """A handle that keeps others out, if nobody has one and the file system knows locks."""
    if os.name != "posix":
        return None
    import fcntl

    handle = None
    try:
        handle = os.open(folder, os.O_RDONLY)
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        if handle is not None:
            os.close(handle)
        return None
    return handle


def recover(place: Path) -> None:
    """Put back the folder that a killed run moved aside, and remove what it had filled."""
    for staged in _leftovers(place, STAGED):
        _clear(staged)
    for old in _leftovers(place, OLD):
        if old.with_suffix(STAGED).exists():
            continue  # whoever filled it is still at work
        if place.exists():
            shutil.rmtree(old, ignore_errors=True)
        else:
            with suppress(OSError):
                os.replace(old, place)


def _clear(staged: Path) -> None:
    """Remove a folder that nobody works in. One that is empty may just have been made."""
    held = _locked(staged)
    if held is None:
        return
    try:
        if any(staged.iterdir()):
            shutil.rmtree(staged, ignore_errors=True)
    finally:
        os.close(held)


def _leftovers(place: Path, ending: str) -> list[Path]:
    """Folders of our own beside a place: nobody else's, no links, nothing but parts in them."""
    start = f".{place.name}."
    try:
        beside = list(place.parent.iterdir())
    except OSError:  # a folder that may be written and not read
        return []
    named = (one for one in beside if one.name.startswith(start) and one.name.endswith(ending))
    return [one for one in named if _is_ours(one)]


def _is_ours(folder: Path) -> bool:
    try:
        found = folder.lstat()
        return (
            stat.S_ISDIR(found.st_mode)
            and (os.name != "posix" or found.st_uid == os.geteuid())
            and all(one.suffix == ".parquet" for one in folder.iterdir())
        )
    except OSError:
        return False
