"""The tasks of a run on an Apache Spark cluster."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple

from covey.errors import CellFailed, CoveyError, InvalidParameter, missing_extra
from covey.pipeline.executors import Executor, Task, begin, failed, stage_of
from covey.types import Progress

# How masters of Spark are called.
MASTERS = ("spark://", "local[", "k8s://", "yarn")
# Seconds between two looks at how far the cluster is.
INTERVAL = 0.5


def is_spark(scheduler: Any) -> bool:
    """Whether this is a master or a session of Spark, which need not be installed."""
    if isinstance(scheduler, str):
        return scheduler == "local" or scheduler.startswith(MASTERS)
    return type(scheduler).__module__.split(".")[0] == "pyspark"


class Ended(NamedTuple):
    """A task by its place, and what it raised: an error of ours, else the name of its kind."""

    place: int
    error: CoveyError | None = None
    kind: str | None = None


class SparkCluster(Executor):
    """Any Spark cluster whose workers have Covey and see the work folder under the same name.

    Parameters
    ----------
    scheduler : str or pyspark.sql.SparkSession
        The master, or a session that is there.
    """

    def __init__(self, scheduler: Any) -> None:
        try:
            from pyspark.sql import SparkSession
        except ImportError:
            raise missing_extra("A Spark cluster", "pyspark", "spark") from None
        self._own = isinstance(scheduler, str)
        if self._own:
            os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
            scheduler = _session(SparkSession.builder, scheduler)
        if not isinstance(scheduler, SparkSession):
            raise InvalidParameter(
                "scheduler must be the master of a Spark cluster, such as spark://host:7077, or a "
                f"SparkSession; got {type(scheduler).__name__}."
            )
        self.session: Any = scheduler

    def run(
        self, function: Callable[..., None], tasks: Sequence[Task], progress: Progress | None
    ) -> None:
        if not tasks:
            return
        begin(function, tasks, progress)
        job = _Job(self.session.sparkContext, partial(_attempt, function), tasks)
        try:
            while not job.is_done(INTERVAL):
                if progress is not None:
                    progress(stage_of(function), job.completed(), len(tasks))
        finally:
            job.cancel()
        for ended in job.results():
            if ended.error is not None or ended.kind is not None:
                raise failed(tasks[ended.place], ended.error, ended.kind)
        if progress is not None:
            progress(stage_of(function), len(tasks), len(tasks))

    def close(self) -> None:
        if self._own:
            with suppress(Exception):
                self.session.stop()


class _Job:
    """One pass over the tasks, each a partition of its own, started in a thread beside this one."""

    def __init__(self, context: Any, attempt: Callable[..., Ended], tasks: Sequence[Task]) -> None:
        self._context = context
        self._group = f"covey-{os.urandom(6).hex()}"
        self._found: list[Ended] | None = None
        self._thread = threading.Thread(target=self._work, args=(attempt, tasks), daemon=True)
        self._thread.start()

    def _work(self, attempt: Callable[..., Ended], tasks: Sequence[Task]) -> None:
        # What Spark raises shows more of the task than anybody should see, so it stays here.
        with suppress(Exception):
            self._context.setJobGroup(self._group, "covey", interruptOnCancel=True)
            numbered = list(enumerate(tasks))
            divided = self._context.parallelize(numbered, len(numbered))
            self._found = divided.map(attempt).collect()

    def is_done(self, seconds: float) -> bool:
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def completed(self) -> int:
        """Tasks that are done, as far as the cluster tells."""
        tracker, count = self._context.statusTracker(), 0
        for job in tracker.getJobIdsForGroup(self._group):
            info = tracker.getJobInfo(job)
            for stage in () if info is None else info.stageIds:
                found = tracker.getStageInfo(stage)
                count += 0 if found is None else found.numCompletedTasks
        return count

    def cancel(self) -> None:
        if self._thread.is_alive():
            with suppress(Exception):
                self._context.cancelJobGroup(self._group)

    def results(self) -> list[Ended]:
        if self._found is None:
            raise CellFailed(
                "The Spark cluster was lost, or it gave up on a task. Nothing is released; called "
                "again, the run goes on from there."
            )
        return self._found


def _attempt(function: Callable[..., None], numbered: tuple[int, Task]) -> Ended:
    """Run a task on a worker; an error comes back as a value, without the text of others."""
    place, task = numbered
    try:
        function(*task)
    except CoveyError as error:
        return Ended(place, error=error)
    except Exception as error:
        return Ended(place, kind=type(error).__name__)
    return Ended(place)


def _session(builder: Any, master: str) -> Any:
    try:
        return builder.master(master).appName("covey").getOrCreate()
    except Exception:  # Java is missing, or nobody answers: the text is pages long
        raise InvalidParameter(
            f"There is no Spark cluster at {master!r} that answers, or no Java to reach it with. "
            "Give its master, such as spark://host:7077, and install Java 17 or newer."
        ) from None
