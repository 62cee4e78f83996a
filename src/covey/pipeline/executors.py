"""Who runs the tasks: threads of this process, or a Dask cluster. The results are the same."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from covey.errors import CellFailed, CoveyError, InvalidParameter, NotEnoughMemory, missing_extra
from covey.threads import in_parallel
from covey.types import Progress

Task = tuple[Any, ...]
# What a client of Dask is known by.
NEEDED = ("submit", "cancel", "scheduler_info")
# States of a task of which no result and no error will ever come.
NOBODY_KNOWS = ("cancelled", "lost")


class Executor(ABC):
    """Runs a function for each of several tasks (its arguments); they do not know each other."""

    at_most: int | None = None

    @abstractmethod
    def run(
        self, function: Callable[..., None], tasks: Sequence[Task], progress: Progress | None
    ) -> None:
        """Return when all are done; raise what one of them raised."""

    def limit(self, at_most: int) -> None:
        """Memory of this computer has room for so many tasks at a time; at least for one."""
        self.at_most = max(at_most, 1)

    @abstractmethod
    def close(self) -> None:
        """Let go of what was opened."""


class Threads(Executor):
    """Threads of this process, fewer where memory is short."""

    def run(
        self, function: Callable[..., None], tasks: Sequence[Task], progress: Progress | None
    ) -> None:
        lock, done = threading.Lock(), [0]
        begin(function, tasks, progress)

        def one(task: Task) -> None:
            try:
                function(*task)
            except Exception as error:
                raise failed(task, error) from error
            with lock:
                done[0] += 1
                if progress is not None:
                    progress(stage_of(function), done[0], len(tasks))

        in_parallel(one, tasks, at_most=self.at_most)

    def close(self) -> None:
        pass


class DaskCluster(Executor):
    """Any Dask cluster whose workers see the work folder under the same name.

    Parameters
    ----------
    scheduler : str or distributed.Client
        The address of the scheduler, or a client that is connected.
    """

    def __init__(self, scheduler: Any) -> None:
        try:
            from distributed import Client
        except ImportError:
            raise missing_extra("A Dask cluster", "distributed", "dask") from None
        self._own = isinstance(scheduler, str)
        if not self._own and not all(hasattr(scheduler, name) for name in NEEDED):
            raise InvalidParameter(
                "scheduler must be the address of a Dask scheduler, such as tcp://host:8786, or a "
                f"distributed.Client; got {type(scheduler).__name__}."
            )
        try:
            self.client: Any = Client(scheduler) if self._own else scheduler
        except (OSError, ValueError):
            raise InvalidParameter(
                f"There is no Dask scheduler at {scheduler!r} that answers. Give its address, such "
                "as tcp://host:8786."
            ) from None

    def run(
        self, function: Callable[..., None], tasks: Sequence[Task], progress: Progress | None
    ) -> None:
        from distributed import as_completed

        begin(function, tasks, progress)
        futures = self._submitted(function, tasks)
        try:
            for done, future in enumerate(as_completed(list(futures)), 1):
                if future.status in NOBODY_KNOWS:
                    raise _lost()
                if future.status != "finished":
                    raise failed(futures[future], future.exception())
                if progress is not None:
                    progress(stage_of(function), done, len(futures))
        finally:
            with suppress(Exception):  # a cluster that is gone has nothing to cancel
                self.client.cancel(list(futures))

    def _submitted(self, function: Callable[..., None], tasks: Sequence[Task]) -> dict[Any, Task]:
        try:
            return {
                self.client.submit(function, *task, pure=False, retries=0): task for task in tasks
            }
        except Exception as error:  # what a client without a scheduler raises is nowhere said
            raise _lost() from error

    def close(self) -> None:
        if self._own:
            with suppress(Exception):
                self.client.close()


def current_client() -> Any:
    """The Dask client of this process, if there is one."""
    try:
        from distributed import default_client

        return default_client()
    except (ImportError, ValueError):
        return None


def begin(function: Callable[..., None], tasks: Sequence[Task], progress: Progress | None) -> None:
    """Tell that the tasks begin."""
    if progress is not None and tasks:
        progress(stage_of(function), 0, len(tasks))


def stage_of(function: Callable[..., None]) -> str:
    """What a task is called for people."""
    return {"release_part": "grouping"}.get(function.__name__, function.__name__)


def _lost() -> CellFailed:
    return CellFailed(
        "The Dask cluster was lost: its scheduler does not answer any more, or somebody cancelled "
        "the tasks. Nothing is released; called again, the run goes on from there."
    )


def failed(task: Task, error: BaseException | None, kind: str | None = None) -> BaseException:
    """What a task raised, as a message that says which it was; its own text may quote values."""
    if isinstance(error, CoveyError):
        return error
    if isinstance(error, MemoryError) or kind == MemoryError.__name__:
        return NotEnoughMemory()
    kind = kind or type(error).__name__
    return CellFailed(f"Part {task[1]} failed ({kind}). Nothing is released.")
