"""Tasks on several threads: order, failures, and how many threads there are."""

from __future__ import annotations

import threading
import time

import pytest

from covey.errors import InvalidParameter
from covey.threads import in_order, in_parallel, thread_count


@pytest.fixture(params=["1", "2", "3"])
def threads(request, monkeypatch):
    monkeypatch.setenv("COVEY_THREADS", request.param)
    return int(request.param)


def test_the_environment_decides(threads):
    assert thread_count() == threads


def test_all_cores_unless_asked(monkeypatch):
    for value in (None, "", " "):
        monkeypatch.delenv("COVEY_THREADS", raising=False)
        if value is not None:
            monkeypatch.setenv("COVEY_THREADS", value)
        assert thread_count() >= 1


@pytest.mark.parametrize("value", ["0", "-1", "two", "1.5", "²"])
def test_what_is_no_number_of_threads(value, monkeypatch):
    monkeypatch.setenv("COVEY_THREADS", value)
    with pytest.raises(InvalidParameter, match="COVEY_THREADS must be a whole number"):
        thread_count()


def test_results_are_in_the_order_of_the_items(threads):
    def slower_first(item):
        time.sleep((5 - item) / 200)
        return item * item

    assert in_parallel(slower_first, range(5)) == [0, 1, 4, 9, 16]
    assert in_parallel(slower_first, []) == []


def test_tasks_really_run_side_by_side(monkeypatch):
    """Two tasks that wait for each other can only end together."""
    monkeypatch.setenv("COVEY_THREADS", "2")
    both = threading.Barrier(2, timeout=30)
    in_parallel(lambda _: both.wait(), range(2))


def test_no_threads_inside_threads(monkeypatch):
    monkeypatch.setenv("COVEY_THREADS", "2")

    def inner(_):
        here = threading.get_ident()
        return thread_count(), {here} == set(in_parallel(lambda _: threading.get_ident(), range(4)))

    assert in_parallel(inner, range(3)) == [(1, True)] * 3
    assert thread_count() == 2


def test_the_first_failure_is_raised_and_stops_the_rest(threads):
    stopped, begun = threading.Event(), []

    def work(item):
        begun.append(item)
        if item == 1:
            raise KeyError("the reason")
        if threads > 1 and not stopped.wait(30):
            raise AssertionError("was not told to stop")
        if stopped.is_set():
            raise RuntimeError("a consequence")

    with pytest.raises(KeyError, match="the reason"):
        in_parallel(work, range(50), stopped.set)
    assert len(begun) <= threads + 1, "tasks that had not begun never do"
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("covey")]


def test_so_many_at_a_time_share_all_threads(monkeypatch):
    monkeypatch.setenv("COVEY_THREADS", "8")
    lock, now, most = threading.Lock(), [0], [0]

    def work(_item):
        with lock:
            now[0] += 1
            most[0] = max(most[0], now[0])
        time.sleep(0.02)
        with lock:
            now[0] -= 1
        return thread_count()

    assert in_parallel(work, range(6), at_most=2) == [4] * 6
    assert most[0] == 2
    assert in_parallel(work, range(3)) == [2] * 3
    assert in_parallel(work, [0]) == [8]


@pytest.mark.parametrize("threads", ["1", "4"])
def test_results_come_in_order_and_a_little_ahead(monkeypatch, threads):
    monkeypatch.setenv("COVEY_THREADS", threads)
    begun = []

    def work(item):
        begun.append(item)
        time.sleep(0.001 * (7 - item % 7))
        return item * item

    found = in_order(work, iter(range(40)))
    assert [next(found) for _ in range(3)] == [0, 1, 4]
    assert len(begun) <= 3 + 2 * int(threads)
    assert list(found) == [item * item for item in range(3, 40)]


def test_what_fails_in_order_is_raised(monkeypatch):
    monkeypatch.setenv("COVEY_THREADS", "4")
    with pytest.raises(ZeroDivisionError):
        list(in_order(lambda item: 1 // (5 - item), range(40)))
