"""The work folder: what a run has done so far, so that another can go on from there.

It holds original values, so only its owner may read it. Every file has a temporary name until it
is whole. A mark, a small JSON file, says that a step is done; what has no mark is done again.
"""

from __future__ import annotations

import json
import os
import pickle
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from covey.errors import InvalidParameter
from covey.sources.problems import FileProblem

LOCK = "lock"
TEMPORARY = ".unfinished"


class WorkFolder:
    """A folder for one run, known by the fingerprint of what is done to what."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock: Any = None

    @classmethod
    def open(cls, path: Path, fingerprint: str) -> WorkFolder:
        """Make the folder, or go on with one that was left by the same run."""
        folder = cls(path)
        with explained(path):
            path.mkdir(mode=0o700, parents=True, exist_ok=True)
            os.chmod(path, 0o700)
            folder._take()
        found = folder.mark("manifest")
        if found is not None and found != {"fingerprint": fingerprint}:
            folder.close()
            raise InvalidParameter(
                f"{path} belongs to a run with other data or settings. Finish that run, remove the "
                "folder, or choose another one (work_dir= or --work-dir)."
            )
        if found is None:
            if any(one.name != LOCK for one in path.iterdir()):
                folder.close()
                raise InvalidParameter(f"{path} is not empty, and no work folder of a run.")
            folder.set_mark("manifest", {"fingerprint": fingerprint})
        return folder

    def _take(self) -> None:
        """Keep other runs out until this one ends, however it ends."""
        if os.name != "posix":
            return
        import fcntl

        self._lock = self.file(LOCK).open("w")
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
        shutil.rmtree(self.path, ignore_errors=True)


@contextmanager
def explained(place: Path) -> Iterator[None]:
    """Errors of the system as messages: a disk that is full, say."""
    try:
        yield
    except FileProblem:
        raise
    except OSError as error:
        reason = error.strerror or "the system refused"
        raise FileProblem(f"{place} could not be written: {reason}.") from error
