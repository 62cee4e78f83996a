"""Work on several threads at once, with the same results for any number of them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from covey.errors import InvalidParameter

Item = TypeVar("Item")
Result = TypeVar("Result")

VARIABLE = "COVEY_THREADS"


def thread_count() -> int:
    """Threads to use: what ``COVEY_THREADS`` says, else the cores this process may use."""
    wanted = os.environ.get(VARIABLE, "")
    if not wanted:
        return _usable_cores()
    if not wanted.isdecimal() or int(wanted) < 1:
        raise InvalidParameter(f"{VARIABLE} must be a whole number of at least 1; got {wanted!r}.")
    return int(wanted)


def in_parallel(function: Callable[[Item], Result], items: Iterable[Item]) -> list[Result]:
    """`function` of every item, in the order of the items; the first error is raised."""
    work = list(items)
    threads = min(thread_count(), len(work))
    if threads <= 1:
        return [function(item) for item in work]
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(function, work))


def _usable_cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
