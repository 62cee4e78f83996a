"""What is said when work failed or was stopped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from covey.app.pages.elements import words
from covey.app.pages.parts import note

if TYPE_CHECKING:
    from covey.app.jobs import Job
    from covey.app.pages.frame import Frame
    from covey.app.workshop import Workshop


def show_failure(frame: Frame, kind: str, title: str) -> None:
    """The message of the latest job of a kind, while nothing was changed since."""
    job = latest(frame, kind)
    if job is None or not is_current(frame, job):
        return
    if job.state == "failed":
        with note(title, "bad", live=True):
            words(job.message, id=f"failure-{kind}")
            if kind == "open":
                for sentence in still_open(frame.workshop):
                    words(sentence)
    elif job.state == "cancelled":
        with note("Cancelled"):
            words(job.message or "Nothing was changed. You can start it again.")


def still_open(workshop: Workshop) -> list[str]:
    """What is open although another file could not be opened; nothing if none is."""
    opened = workshop.state.opened
    return [] if opened is None else [f"{opened.name} is still open."]


def latest(frame: Frame, kind: str) -> Job | None:
    jobs = [job for job in frame.workshop.jobs.all if job.kind == kind]
    return jobs[-1] if jobs else None


def is_current(frame: Frame, job: Job) -> bool:
    """Whether it was asked for from where one stands."""
    return job.step == frame.workshop.history.position


def has_failed(frame: Frame, kind: str) -> bool:
    """Whether the page says already why something did not work."""
    job = latest(frame, kind)
    return job is not None and job.state == "failed" and is_current(frame, job)
