"""Independent tasks on several threads: compiled loops let other threads run."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from typing import TypeVar

from covey.errors import InvalidParameter

VARIABLE = "COVEY_THREADS"

Item = TypeVar("Item")
Result = TypeVar("Result")

_here = threading.local()


def thread_count() -> int:
    """How many threads may work: what COVEY_THREADS says, else the cores this process may use.

    Inside a task of `in_parallel` its share of them.
    """
    share: int | None = getattr(_here, "share", None)
    if share is not None:
        return share
    asked = os.environ.get(VARIABLE, "").strip()
    return _whole(asked) if asked else _usable_cores()


def _whole(text: str) -> int:
    if text.isascii() and text.isdigit() and int(text) > 0:
        return int(text)
    raise InvalidParameter(
        f"The environment variable {VARIABLE} must be a whole number of at least 1; got {text!r}. "
        "Unset it to use all cores."
    )


def _usable_cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def in_parallel(
    function: Callable[[Item], Result],
    items: Iterable[Item],
    stop: Callable[[], None] | None = None,
    at_most: int | None = None,
) -> list[Result]:
    """The results of `function` for each of `items`, in their order; `at_most` so many at a time.

    If a task raises, tasks that have not begun never do, `stop` is called to tell the others, and
    what was raised is raised here once they have ended.
    """
    items = list(items)
    threads = thread_count()
    count = min(threads, len(items), at_most or threads)
    if count <= 1:
        return [function(item) for item in items]
    share = (threads // count,)
    with ThreadPoolExecutor(count, "covey", initializer=_enter_task, initargs=share) as pool:
        tasks = [pool.submit(function, item) for item in items]
        try:
            return _results(tasks)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            if stop is not None:
                stop()
            raise


def in_order(function: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
    """The results of `function` one after the other, a few items ahead of whoever asks for them."""
    count = thread_count()
    if count <= 1:
        yield from map(function, items)
        return
    waiting: deque[Future[Result]] = deque()
    with ThreadPoolExecutor(count, "covey", initializer=_enter_task, initargs=(1,)) as pool:
        try:
            for item in items:
                waiting.append(pool.submit(function, item))
                if len(waiting) > count:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _enter_task(share: int) -> None:
    _here.share = share


def _results(tasks: list[Future[Result]]) -> list[Result]:
    for task in wait(tasks, return_when=FIRST_EXCEPTION).done:
        # The one that failed first: what others raise on being stopped is not the reason.
        task.result()
    return [task.result() for task in tasks]
