"""What is going on: jobs with how far they are, the time left, and a way to stop them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from covey.app.pages.elements import box, words
from covey.app.pages.parts import button
from covey.app.pages.wording import duration
from covey.progress import Stage

if TYPE_CHECKING:
    from covey.app.jobs import Job
    from covey.app.pages.frame import Frame

GROUPS = ("protect", "compare")
BEFORE_A_SHARE = (Stage.GROUPING, Stage.COMPARING)
FIRST_RUN = "The first run takes longer: Covey prepares itself once"
NOT_AT_ONCE = 2.0  # seconds
SOON = 1.0  # seconds; less than this is not worth saying


class JobsPanel:
    """Stands at the foot of every page while there is work."""

    def __init__(self, frame: Frame) -> None:
        self._frame = frame
        self._place = box("jobs", aria_live="polite")
        self._lines: dict[int, _Line] = {}

    def show(self) -> None:
        """Build the lines anew."""
        self._place.clear()
        with self._place:
            self._lines = {job.number: _Line(job) for job in self._frame.workshop.jobs.active}

    def update(self) -> None:
        """Say how far the jobs are now."""
        for line in self._lines.values():
            line.update()


class _Line:
    """One job."""

    def __init__(self, job: Job) -> None:
        self._job = job
        with box("job", id=f"job-{job.number}"):
            with box():
                words(job.name, "what")
                # Told to those who look, not four times a second to those who listen.
                self._says = words("", "how-far", aria_live="off")
            self._stop = button(
                "Cancel", self._cancel, id=f"cancel-{job.number}", look="slim", says=""
            )
            self._stop.assign(aria_label=f"Cancel: {job.name}")
            with box("line"):
                self._bar = box("bar", role="progressbar", aria_label=job.name)
                with self._bar:
                    self._filled = box()
        self.update()

    def _cancel(self) -> None:
        self._job.cancel()
        self.update()

    def update(self) -> None:
        job = self._job
        text = how_far(job)
        if self._says.text != text:
            self._says.set_text(text)
        if job.wants_cancel:
            self._stop.assign(disabled=True)
        if job.share is None or job.state != "running":
            self._bar.classes("unknown")
            return
        percent = f"{100 * job.share:.0f}"
        self._bar.classes(remove="unknown")
        self._bar.assign(aria_valuenow=percent, aria_valuemin="0", aria_valuemax="100")
        self._filled.style(f"width: {percent}%")


def prepares_itself(job: Job) -> bool:
    """Whether it may be the first run after installation, which compiles before it groups."""
    works = [other for other in job.queue.all if other.kind in GROUPS]
    begins = job.kind in GROUPS and job.stage in BEFORE_A_SHARE and job.share is None
    return begins and job.seconds >= NOT_AT_ONCE and all(other.state != "done" for other in works)


def how_far(job: Job) -> str:
    """In words, with the time that is left when it can be told."""
    if job.wants_cancel:
        return "Stopping …"
    if job.state == "waiting":
        return "Waiting for the work before it"
    said = ["Starting" if job.stage is None else job.stage.label]
    if job.phase and job.phases > 1:
        said.append(f"part {job.phase} of {job.phases}")
    if job.share is not None:
        said.append(f"{100 * job.share:.0f} %")
    if job.seconds >= SOON:
        said.append(f"{duration(job.seconds)} so far")
    if prepares_itself(job):
        said.append(FIRST_RUN)
    if job.left is not None and job.left >= SOON:
        said.append(f"about {duration(job.left)} left")
    return " · ".join(said)
