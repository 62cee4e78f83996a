"""Workshop: everything that a page shows and does, without the page.

One for each server: one person, in as many tabs as they like. Pages read `state`, `history`,
`jobs`, `runs` and `comparisons`, and look at `version` now and then, which grows with every change,
and at `shape`, which grows with every change but progress.
"""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from covey.app.foreman import Foreman
from covey.app.jobs import Job, Jobs
from covey.app.results import Compared, Opened, Run, Upload
from covey.app.steps import History, State, Step
from covey.app.working import RISK, WEIGHT_OF_LOSS, Compare, Open, Protect
from covey.errors import InvalidParameter
from covey.release.candidates import Candidate
from covey.release.comparing import Comparison
from covey.sources.asking import Reading

LIMIT = 500_000_000  # bytes


class Workshop:
    """The state of the app.

    Parameters
    ----------
    folder : Path, optional
        Where files are kept; a new temporary folder if not given.
    limit : int
        Bytes that a file may have.
    """

    def __init__(self, folder: Path | None = None, limit: int = LIMIT) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="covey-")) if folder is None else folder
        self.limit = limit
        self.version = 0
        self.shape = 0
        self.history = History()
        self.uploads: dict[int, Upload] = {}
        self._n_uploads = 0
        self.runs: dict[int, Run] = {}
        self.comparisons: dict[int, Compared] = {}
        self._moves: dict[int, int] = {}  # by job: how often somebody had moved when it was asked
        self._lock = threading.RLock()
        self.jobs = Jobs(self.touch)
        self._foreman = Foreman(self.jobs, self._keep)

    def start(self) -> None:
        """Get a worker, so that it is ready when it is needed."""
        self._foreman.start()

    def stop(self) -> None:
        """End the worker, whatever it is doing."""
        self._foreman.stop()

    @property
    def worker_pid(self) -> int | None:
        return self._foreman.worker_pid

    # -- looking ---------------------------------------------------------------------------

    @property
    def state(self) -> State:
        """The state after the current step."""
        return self.history.current.state

    @property
    def run(self) -> Run | None:
        """The run that is looked at."""
        return None if self.state.run is None else self.runs[self.state.run]

    @property
    def comparison(self) -> Compared | None:
        """What was tried, if that is looked at."""
        number = self.state.comparison
        return None if number is None else self.comparisons[number]

    def runs_of_file(self) -> list[Run]:
        """The runs that were made of the file that is open, in their order."""
        opened = self.state.opened
        if opened is None:
            return []
        return [run for run in self.runs.values() if run.upload.number == opened.upload.number]

    def problem(self) -> str | None:
        """Why what is chosen cannot be protected, if it can be told before trying."""
        opened = self.state.opened
        if opened is None or not opened.is_ready:
            return "Open a file first."
        try:
            self.state.choices.settings(opened.reading)
        except ValueError as error:  # all that Covey raises about parameters and columns
            return str(error)
        k, n_records = self.state.choices.k, opened.n_records
        if n_records < k:
            return f"{n_records} records are too few for one group of k={k}. Lower k."
        return None

    def touch(self, shape: bool = True) -> None:
        """Note that something changed, and whether it was more than progress."""
        with self._lock:
            self.version += 1
            self.shape += shape

    # -- doing -----------------------------------------------------------------------------

    def add_upload(self, name: str, ending: str) -> Upload:
        """A place in the private folder for a file; `name` is only shown."""
        with self._lock:
            self._n_uploads += 1
            number = self._n_uploads
            upload = Upload(number, self.folder / f"upload-{number:04d}{ending}", name, 0)
            self.uploads[number] = upload
            return upload

    def note_size(self, number: int, size: int) -> Upload:
        """A file is there as a whole."""
        with self._lock:
            self.uploads[number] = self.uploads[number]._replace(size=size)
            return self.uploads[number]

    def drop_upload(self, number: int) -> None:
        """A file did not come."""
        with self._lock:
            self.uploads.pop(number, None)

    def open(self, upload: int, **reading: Any) -> Job:
        """Look at an uploaded file; `reading` is encoding=, table=, query= or order_by=."""
        given = self.uploads[upload]
        return self._submit("open", f"Open {given.name}", Open(given, Reading(**reading)))

    def open_example(self) -> Job:
        """Make a survey with missing values, and look at it."""
        upload = self.add_upload("survey.csv", ".csv")
        return self._submit("open", "Open the example", Open(upload, Reading(), is_example=True))

    def choose(self, place: str = "protect", name: str = "", **changes: Any) -> Step:
        """Change choices, as one step; see `Choices.changed`.

        `place` is the part of the path where it was done, `name` what the list of steps says.
        """
        with self._lock:
            if self.state.opened is None:
                raise InvalidParameter("Open a file first.")
            choices = self.state.choices.changed(**changes)
            if choices == self.state.choices:
                return self.history.current
            return self._add(name or _in_words(changes), place, self.state.changed(choices=choices))

    def protect(self) -> Job:
        """Make a release of what is chosen; raises if it can be told that there can be none."""
        opened = self._ready()
        number = self._next_run()
        choices = self.state.choices
        work = Protect(
            number, opened.upload, opened.reading, choices, self.folder / f"run-{number:04d}"
        )
        return self._submit("protect", f"Protect with {choices.technique}, k = {choices.k}", work)

    def compare(self, techniques: Iterable[str], sizes: Iterable[int]) -> Job:
        """Try techniques with group sizes, with the roles that are chosen."""
        opened = self._ready()
        tried, ks = tuple(techniques), tuple(sizes)
        work = Compare(
            len(self.jobs.all) + 1, opened.upload, opened.reading, self.state.choices, tried, ks
        )
        return self._submit("compare", f"Compare {len(tried) * len(ks)} releases", work)

    def look_at(self, run: int) -> Step:
        """Make a run the one that is looked at, with its choices."""
        found = self.runs[run]
        with self._lock:
            state = self.state.changed(run=run, choices=found.choices)
            return self._add(f"Looked at run {run}: {found.name}", "look", state)

    def runs_compared(self) -> Comparison | None:
        """The runs of this file, and what was tried beside them, on one risk–utility map."""
        runs = self.runs_of_file()
        tried = self.comparison
        candidates: list[Candidate] = [run.candidate for run in runs]
        if tried is not None:
            candidates += [c for c in tried.comparison.candidates if c not in candidates]
        if not candidates:
            return None
        loss = runs[0].loss if runs else tried.comparison.loss if tried else "il"
        return Comparison(tuple(candidates), loss, RISK, WEIGHT_OF_LOSS)

    # -- going back and on -----------------------------------------------------------------

    def undo(self) -> Step:
        with self._lock:
            self.touch()
            return self.history.undo()

    def redo(self) -> Step:
        with self._lock:
            self.touch()
            return self.history.redo()

    def go_to(self, step: int) -> Step:
        with self._lock:
            self.touch()
            return self.history.go_to(step)

    # -- inside ----------------------------------------------------------------------------

    def _ready(self) -> Opened:
        problem = self.problem()
        if problem is not None:
            raise InvalidParameter(problem)
        assert self.state.opened is not None
        return self.state.opened

    def _next_run(self) -> int:
        return 1 + sum(job.kind == "protect" for job in self.jobs.all)

    def _submit(self, kind: str, name: str, work: Any) -> Job:
        with self._lock:
            self._moves[len(self.jobs.all) + 1] = self.history.moves
            return self.jobs.submit(kind, name, self.history.position, work)

    def _add(self, name: str, place: str, state: State) -> Step:
        self.touch()
        return self.history.add(name, place, state)

    def _keep(self, job: Job, result: object) -> None:
        """Keep the result of a job, and make it a step from where it was asked for."""
        with self._lock:
            state = self.history.steps[job.step].state
            name, place, state = self._after(result, state)
            step = self.history.add_aside(name, place, state, job.step)
            if self._moves[job.number] == self.history.moves:
                self.history.arrive(step.number)

    def _after(self, result: Any, state: State) -> tuple[str, str, State]:
        if isinstance(result, Opened):
            self.uploads[result.upload.number] = result.upload
            return f"Opened {result.name}", "open", State(result, result.guesses)
        if isinstance(result, Run):
            self.runs[result.number] = result
            return f"Protected: {result.name}", "look", state.changed(run=result.number)
        assert isinstance(result, Compared)
        self.comparisons[result.number] = result
        name = f"Compared {len(result.comparison.candidates)} releases"
        return name, "compare", state.changed(comparison=result.number)


def _in_words(changes: dict[str, Any]) -> str:
    """What the list of steps says of a change."""
    words = []
    for name, value in changes.items():
        if isinstance(value, dict):
            words += [f"{column}: {_said(part)}" for column, part in value.items()]
        else:
            words.append(f"{name.replace('_', ' ')}: {_said(value)}")
    return ", ".join(words[:3]) + (f" and {len(words) - 3} more" if len(words) > 3 else "")


def _said(value: Any) -> str:
    if isinstance(value, tuple | list):
        return " < ".join(map(str, value))
    return "as before" if value is None else str(value)
