"""A workshop with a worker, as the server has one, for tests without a server."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from covey.app.jobs import Job
from covey.app.workshop import Workshop


@pytest.fixture(scope="module")
def make_workshop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[], Workshop]]:
    """Workshops that share nothing but end together."""
    made: list[Workshop] = []

    def make() -> Workshop:
        workshop = Workshop(tmp_path_factory.mktemp("private"))
        workshop.start()
        made.append(workshop)
        return workshop

    yield make
    for workshop in made:
        workshop.stop()


@pytest.fixture(scope="module")
def workshop(make_workshop: Callable[[], Workshop]) -> Workshop:
    """One for a whole file of tests, each of which opens a file of its own."""
    return make_workshop()


def over(job: Job, seconds: float = 120.0) -> Job:
    """Wait for the end of a job."""
    deadline = time.monotonic() + seconds
    while not job.is_over:
        assert time.monotonic() < deadline, f"{job} takes too long"
        time.sleep(0.01)
    return job


def opened(workshop: Workshop, text: str | bytes, name: str = "people.csv") -> Job:
    """Give a workshop a file and have it opened."""
    upload = workshop.uploads.add(name, Path(name).suffix)
    upload.path.write_bytes(text.encode() if isinstance(text, str) else text)
    return over(workshop.open(upload.number))
