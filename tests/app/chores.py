"""Work for the worker that ends in every way work can end."""

from __future__ import annotations

import ctypes
import errno
import os
import signal
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from covey.errors import Infeasible, ways
from covey.progress import Stage

if TYPE_CHECKING:  # workers start sooner without these
    from covey.app.results import Upload
    from covey.types import Progress


class Answer(NamedTuple):
    """Give a value back, with the process that made it and how nice it is."""

    value: Any

    def do(self, progress: Progress) -> Any:
        progress(Stage.READING, 0, 1)
        return self.value, os.getpid(), os.nice(0)


class Wait(NamedTuple):
    """Report every few milliseconds, so that it can be stopped; leave a mark when it begins."""

    seconds: float
    mark: Path | None = None

    def do(self, progress: Progress) -> Any:
        if self.mark is not None:
            self.mark.touch()
        steps = int(self.seconds / 0.02)
        for done in range(steps):
            progress(Stage.GROUPING, done, steps)
            time.sleep(0.02)
        return "waited"


class BeDeaf(NamedTuple):
    """Report nothing for a long time, like a compiled loop that nobody watches."""

    mark: Path

    def do(self, progress: Progress) -> Any:
        progress(Stage.GROUPING, 0, 1)
        self.mark.touch()
        time.sleep(60)


class FinishAnyway(NamedTuple):
    """Leave files, and be at the last of it when the wish to stop comes."""

    folder: Path
    mark: Path

    def do(self, progress: Progress) -> Any:
        progress(Stage.REPORTING, 0, 1)
        self.folder.mkdir()
        self.mark.touch()
        time.sleep(1.0)
        return "finished"

    def clear_away(self) -> None:
        self.folder.rmdir()


class Die(NamedTuple):
    """End the process as the system does when memory runs out."""

    wish: int = signal.SIGKILL

    def do(self, progress: Progress) -> Any:
        os.kill(os.getpid(), self.wish)
        time.sleep(60)


class Crash(NamedTuple):
    def do(self, progress: Progress) -> Any:
        return ctypes.string_at(0)


class Raise(NamedTuple):
    """Fail as Covey fails, as the system fails, or as a bug does."""

    what: str
    upload: Upload | None = None

    def do(self, progress: Progress) -> Any:
        if self.what == "infeasible":
            raise Infeasible(
                "2 of 4 strata have fewer than k=5 records.",
                remedy="Have small strata merged",
                how=ways("small_strata"),
            )
        if self.what == "file":
            assert self.upload is not None
            raise Infeasible(f"{self.upload.path} is no file; {self.upload.path.name} is empty.")
        if self.what == "disk":
            raise OSError(errno.ENOSPC, "No space left on device")
        raise {"memory": MemoryError, "bug": KeyError}[self.what]("4711")


class Unsendable(NamedTuple):
    """A result that cannot travel between processes."""

    def do(self, progress: Progress) -> Any:
        return lambda: None


class Print(NamedTuple):
    def do(self, progress: Progress) -> Any:
        print("the value 4711")
        os.write(2, b"the value 4711\n")
        return "printed"
