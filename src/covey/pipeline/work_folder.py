"""The work folder: what a run has done so far, so that another can go on from there.

It holds original values, so only its owner may read it. Every file has a temporary name until it
is whole. A mark, a small JSON file, says that a step is done; what has no mark is done again.
"""

from __future__ import annotations

import json
import os
import pickle
import shutil
import stat
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from covey.errors import DisclosureWarning, InvalidParameter
from covey.sources.whole import explained

LOCK = "lock"
MANIFEST = "manifest"
TEMPORARY = ".unfinished"
CHOOSE = "Choose another one (work_dir= or --work-dir)."


class WorkFolder:
    """A folder for one run, known by the fingerprint of what is done to what."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._made = False
        self.is_gone_on_with = False
        self._lock: Any = None

    @classmethod
    def open(cls, path: Path, fingerprint: str) -> WorkFolder:
        """Make the folder, or go on with one that was left by the same run."""
        folder = cls(Path(os.path.realpath(path)))
        with explained(folder.path):
            folder._make()
            begun = folder._is_begun(fingerprint)
            os.chmod(folder.path, 0o700)
            os.utime(folder.path)  # somebody is at work here now
            folder._take()
        try:
            folder._begin(fingerprint, begun)
        except BaseException:
            folder.close()
            raise
        return folder

    def _make(self) -> None:
        try:
            self.path.mkdir(mode=0o700, parents=True)
            self._made = True
        except FileExistsError:
            self._require_own()

    def _require_own(self) -> None:
        """Raise, before anything in it is read or changed, for what others may have put there.

        What was saved is unpickled: a folder of somebody else could hold anything.
        """
        found = self.path.lstat()
        if not stat.S_ISDIR(found.st_mode):
            raise InvalidParameter(f"{self.path} is no folder. {CHOOSE}")
        if os.name != "posix":
            return
        if found.st_uid != os.geteuid():
            raise InvalidParameter(f"{self.path} belongs to another user. {CHOOSE}")
        if found.st_mode & 0o022 and any(self.path.iterdir()):
            raise InvalidParameter(
                f"{self.path} is not empty, and others may write to it: a run is not gone on with "
                f"there. {CHOOSE}"
            )

    def _is_begun(self, fingerprint: str) -> bool:
        """Whether the same run was here before; raises, and changes nothing, for any other use."""
        found = _manifest(self.file(f"{MANIFEST}.json"))
        if found is None:
            self._require_empty()
            return False
        if found["fingerprint"] != fingerprint:
            raise InvalidParameter(
                f"{self.path} belongs to a run with other data or settings. Finish that run, "
                "remove the folder, or choose another one (work_dir= or --work-dir)."
            )
        self._made = bool(found["made"])
        return True

    def _require_empty(self) -> None:
        if any(one.name != LOCK for one in self.path.iterdir()):
            raise InvalidParameter(f"{self.path} is not empty, and no work folder of a run.")

    def _begin(self, fingerprint: str, begun: bool) -> None:
        if begun and self.mark(MANIFEST) is not None:
            self.is_gone_on_with = True
            return
        self._require_empty()  # nobody came before it was private
        self.set_mark(MANIFEST, {"fingerprint": fingerprint, "made": self._made})

    def _take(self) -> None:
        """Keep other runs out until this one ends, however it ends."""
        if os.name != "posix":
            return
        import fcntl

        self._lock = self.file(LOCK).open("a")
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self.close()
            raise InvalidParameter(
                f"Another run is at work in {self.path}. Wait until it ends."
            ) from None

    def close(self) -> None:
        """Let others in."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def file(self, name: str) -> Path:
        return self.path / name

    @contextmanager
    def writing(self, name: str) -> Iterator[str]:
        """A temporary name; the file gets its own when the block ends well."""
        target = self.file(name)
        temporary = f"{target}{TEMPORARY}-{os.getpid()}-{os.urandom(4).hex()}"
        try:
            with explained(self.path):
                yield temporary
                os.replace(temporary, target)
        finally:
            Path(temporary).unlink(missing_ok=True)

    def mark(self, name: str) -> Any:
        """What a finished step noted; None if it is not finished."""
        try:
            return json.loads(self.file(f"{name}.json").read_text())
        except FileNotFoundError:
            return None

    def set_mark(self, name: str, note: Any) -> None:
        with self.writing(f"{name}.json") as temporary:
            Path(temporary).write_text(json.dumps(note))

    def save(self, name: str, value: Any) -> None:
        """Keep a value of our own; the folder is private, so nobody else put it there."""
        with self.writing(name) as temporary:
            Path(temporary).write_bytes(pickle.dumps(value))

    def load(self, name: str) -> Any:
        return pickle.loads(self.file(name).read_bytes())

    def clear(self, pattern: str) -> None:
        """Remove files of a step that was not finished."""
        for path in self.path.glob(pattern):
            path.unlink(missing_ok=True)

    def remove(self) -> None:
        """Remove what it holds, and the folder too if a run made it; say so if something stays."""
        noted = _manifest(self.file(f"{MANIFEST}.json"))
        made = self._made if noted is None else noted["made"]
        with suppress(OSError):
            for one in self.path.iterdir():
                if one.name != LOCK:
                    _remove(one)
        self.close()
        with suppress(OSError):
            self.file(LOCK).unlink(missing_ok=True)
            if made:
                self.path.rmdir()
        if self.path.exists() and _holds_something(self.path):
            warnings.warn(
                f"The work folder {self.path} could not be emptied. It holds original values: "
                "remove it.",
                DisclosureWarning,
                stacklevel=2,
            )


def _manifest(path: Path) -> dict[str, Any] | None:
    """What a run noted of itself; None if there is nothing, or something else of that name."""
    try:
        found = json.loads(path.read_text())
    except (FileNotFoundError, ValueError):
        return None
    ours = isinstance(found, dict) and found.keys() == {"fingerprint", "made"}
    return found if ours else None


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with suppress(OSError):
            path.unlink()


def _holds_something(folder: Path) -> bool:
    try:
        return any(folder.iterdir())
    except OSError:
        return True
