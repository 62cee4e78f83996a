"""Jobs and the process that does them: they queue, report, stop and fail, and the rest lives on."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from covey.app import failing
from covey.app.foreman import Foreman
from covey.app.jobs import CANCELLED, DONE, FAILED, RUNNING, WAITING, Job, Jobs
from covey.app.phases import Pace, Place, place_of
from covey.app.results import Upload
from covey.app.worker import NICENESS
from covey.errors import Infeasible, InvalidParameter, ways
from covey.progress import Part, Stage
from covey.release.settings import Settings

from .chores import Answer, BeDeaf, Crash, Die, FinishAnyway, Print, Raise, Unsendable, Wait


class Office:
    """Jobs with a foreman, and what came in."""

    def __init__(self) -> None:
        self.kept: list[tuple[int, object]] = []
        self.jobs = Jobs()
        self.foreman = Foreman(
            self.jobs, lambda job, result: self.kept.append((job.number, result))
        )
        self.foreman.start()

    def ask(self, work: object) -> Job:
        return self.jobs.submit("protect", "a chore", 0, work)


@pytest.fixture(scope="module")
def office():
    """One for all tests: none of them may leave it unable to work."""
    made = Office()
    yield made
    made.foreman.stop()


def until(holds: Callable[[], bool], seconds: float = 30.0) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "it took too long"
        time.sleep(0.01)


def over(job: Job) -> Job:
    until(lambda: job.is_over)
    return job


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_work_is_done_in_another_process_that_yields(office):
    job = over(office.ask(Answer("yes")))
    value, pid, niceness = job.result
    assert (job.state, value) == (DONE, "yes")
    assert pid == office.foreman.worker_pid != os.getpid()
    assert niceness == min(os.nice(0) + NICENESS, 19)
    assert office.kept[-1] == (job.number, job.result)


def test_two_jobs_queue(office, tmp_path):
    first = office.ask(Wait(1.0, tmp_path / "first"))
    second = office.ask(Wait(0.1, tmp_path / "second"))
    until((tmp_path / "first").exists)
    assert (first.state, second.state) == (RUNNING, WAITING)
    assert office.jobs.active == [first, second]
    assert not (tmp_path / "second").exists()
    over(second)
    assert (first.state, second.state) == (DONE, DONE)
    assert first.ended <= second.started


def test_progress_is_told(office):
    job = office.ask(Wait(3.0))
    until(lambda: job.left is not None)
    assert (job.stage, job.phase, job.phases) == (Stage.GROUPING, 2, 7)
    assert 0 < job.share < 1
    assert 0 < job.left < 4
    assert job.seconds > 0
    over(job)
    assert job.left is None


def test_cancel_in_mid_run_keeps_the_worker(office, tmp_path):
    mark = tmp_path / "begun"
    job = office.ask(Wait(60, mark))
    until(mark.exists)
    pid = office.foreman.worker_pid
    job.cancel()
    asked = time.monotonic()
    over(job)
    assert time.monotonic() - asked < 1.5
    assert (job.state, job.message) == (CANCELLED, "Cancelled.")
    assert over(office.ask(Answer(1))).result[1] == pid


def test_cancel_of_work_that_does_not_listen_ends_the_worker(office, tmp_path):
    mark = tmp_path / "begun"
    job, waiting = office.ask(BeDeaf(mark)), office.ask(Answer("next"))
    until(mark.exists)
    pid = office.foreman.worker_pid
    job.cancel()
    asked = time.monotonic()
    over(job)
    assert 1.5 < time.monotonic() - asked < 5
    assert job.state == CANCELLED
    assert over(waiting).state == DONE
    assert waiting.result[1] != pid
    assert not is_alive(pid)


def test_cancel_at_the_very_end_is_obeyed(office, tmp_path):
    kept = len(office.kept)
    job = office.ask(FinishAnyway(tmp_path / "run", tmp_path / "mark"))
    until((tmp_path / "mark").exists)
    pid = office.foreman.worker_pid
    job.cancel()
    assert over(job).state == CANCELLED
    assert not (tmp_path / "run").exists()
    assert len(office.kept) == kept
    assert office.foreman.worker_pid == pid


def test_cancel_of_a_job_that_waits(office, tmp_path):
    first, second = office.ask(Wait(0.5)), office.ask(Wait(60, tmp_path / "never"))
    second.cancel()
    assert (second.state, second.message) == (CANCELLED, "Cancelled before it began.")
    assert over(first).state == DONE
    assert over(office.ask(Answer(1))).state == DONE
    assert not (tmp_path / "never").exists()


def test_a_wish_that_comes_too_late_does_not_hit_the_next_job(office):
    for _ in range(5):
        job, following = office.ask(Answer(1)), office.ask(Wait(0.2))
        until(lambda job=job: job.state != WAITING)
        job.cancel()
        assert over(following).state == DONE


@pytest.mark.parametrize("work", [Die(), Die(signal.SIGTERM), Crash()])
def test_the_death_of_the_worker_is_a_message(office, work):
    job, following = office.ask(work), office.ask(Answer("still here"))
    over(job)
    assert (job.state, job.message) == (FAILED, failing.CRASHED)
    assert over(following).result[0] == "still here"


def test_a_worker_that_died_between_jobs_is_replaced(office):
    pid = over(office.ask(Answer(1))).result[1]
    os.kill(pid, signal.SIGKILL)
    until(lambda: not office.foreman._worker.is_alive())
    job = over(office.ask(Answer(2)))
    assert job.state == DONE
    assert job.result[1] != pid


@pytest.mark.parametrize(
    ("what", "message"),
    [
        ("infeasible", "2 of 4 strata have fewer than k=5 records. Have small strata merged."),
        ("memory", failing.MEMORY),
        ("disk", failing.DISK),
        ("bug", failing.UNEXPECTED),
    ],
)
def test_what_is_raised_is_a_message(office, what, message):
    job = over(office.ask(Raise(what)))
    assert (job.state, job.message) == (FAILED, message)
    assert over(office.ask(Answer(1))).state == DONE


def test_a_file_is_called_by_its_name(office):
    upload = Upload(1, Path("/private/place/upload-0001.csv"), "wages 2026.csv", 10)
    job = over(office.ask(Raise("file", upload)))
    assert job.message == "wages 2026.csv is no file; wages 2026.csv is empty."


def test_a_result_that_cannot_travel_is_a_failure(office):
    job = over(office.ask(Unsendable()))
    assert (job.state, job.message) == (FAILED, failing.UNEXPECTED)
    assert over(office.ask(Answer(1))).state == DONE


def test_the_worker_prints_nothing(capfd):
    office = Office()
    assert over(office.ask(Print())).result == "printed"
    office.foreman.stop()
    out, err = capfd.readouterr()
    assert "4711" not in out + err


def test_stopping_ends_the_worker_in_mid_run(tmp_path):
    office, mark = Office(), tmp_path / "begun"
    job = office.ask(BeDeaf(mark))
    until(mark.exists)
    pid = office.foreman.worker_pid
    office.foreman.stop()
    assert not is_alive(pid)
    assert job.state == CANCELLED


def test_the_worker_ends_with_a_server_that_was_killed(tmp_path):
    """Even in work that does not listen, and without any chance to say goodbye."""
    code = f"""
import pathlib, time
from tests.app.chores import BeDeaf
from tests.app.test_jobs import Office
if __name__ == "__main__":
    office = Office()
    office.ask(BeDeaf(pathlib.Path({str(tmp_path / "begun")!r})))
    while not pathlib.Path({str(tmp_path / "begun")!r}).exists():
        time.sleep(0.01)
    print(office.foreman.worker_pid, flush=True)
    time.sleep(60)
"""
    script = tmp_path / "server.py"
    script.write_text(code)
    root = Path(__file__).parents[2]
    server = subprocess.Popen(
        [sys.executable, script],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(root)},
    )
    pid = int(server.stdout.readline())
    server.kill()
    server.wait()
    server.stdout.close()
    until(lambda: not is_alive(pid), seconds=5)


class TestPhases:
    def test_a_stage_is_a_part_of_its_phase(self):
        second = Part("distance linkage", Stage.MEASURING, 2, 4)
        assert place_of("protect", second, 1, 2) == Place(Stage.MEASURING, 3, (1 + 0.5) / 4)
        assert place_of("protect", "grouping", 1, 4) == Place(Stage.GROUPING, 2, 0.25)

    def test_what_comes_just_before_and_after_is_none_and_all_of_it(self):
        assert place_of("protect", Stage.EMBEDDING, 0, 1) == Place(Stage.GROUPING, 2, 0.0)
        assert place_of("protect", Stage.CHECKING, 0, 1) == Place(Stage.GROUPING, 2, 1.0)

    def test_what_nobody_knows_changes_nothing(self):
        assert place_of("protect", "dreaming", 1, 2) is None

    def test_nothing_is_said_of_the_time_too_early(self, monkeypatch):
        clock = iter([0.0, 0.5, 2.0, 4.0])
        monkeypatch.setattr("covey.app.phases.time.monotonic", lambda: next(clock))
        pace = Pace(1, 0.0)
        assert pace.left(Place(Stage.GROUPING, 1, 0.5)) is None
        assert pace.left(Place(Stage.GROUPING, 1, 0.5)) is None
        assert pace.left(Place(Stage.GROUPING, 1, 0.5)) == pytest.approx(2.0)
        assert pace.left(Place(Stage.GROUPING, 1, 0.8)) == pytest.approx(1.0)


def test_how_it_is_done_elsewhere_is_for_other_readers():
    error = Infeasible("2 strata are small (k=5).", remedy="Merge them", how=ways("small_strata"))
    assert str(error) == ("2 strata are small (k=5). Merge them (small_strata= or --small-strata).")
    assert failing.for_readers(error) == "2 strata are small (k=5). Merge them."


@pytest.mark.parametrize(
    ("wrong", "plain"),
    [
        (
            {"thresholds": {"distance_linkage": 101.0}},
            "The limit on distance linkage (DLD) must be a number of at least 0 and at most 100; ",
        ),
        ({"k": 1}, "k must be a whole number of at least 2; got 1."),
        ({"importance": {"age": -1.0}}, "Importance of age must be a number of at least 0 and"),
        (
            {"min_contributors": 9},
            "Fewest values behind a released one must be empty, or a whole number of at least 1",
        ),
    ],
)
def test_parameters_have_the_names_of_the_page(wrong, plain):
    with pytest.raises(InvalidParameter) as raised:
        Settings(**wrong).check()
    assert failing.for_readers(raised.value).startswith(plain)
