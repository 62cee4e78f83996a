"""Workshop: everything that a page shows and does, without the page.

One for each server: one person, in as many tabs as they like. Pages read `state`, `history`,
`jobs`, `runs` and `comparisons`, and look at `version` now and then, which grows with every change,
and at `shape`, which grows with every change but progress.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from covey.app.failing import without_options
from covey.app.foreman import Foreman
from covey.app.jobs import Job, Jobs
from covey.app.results import Compared, Opened, Reported, Run
from covey.app.shelf import Shelf
from covey.app.side_by_side import side_by_side
from covey.app.step_names import change_in_words
from covey.app.steps import History, State, Step
from covey.app.technique_cards import technique_name
from covey.app.working import Compare, Open, Protect, Report
from covey.app.writing import About, alternatives_to
from covey.errors import InvalidParameter
from covey.release.comparing import Comparison
from covey.sources.asking import Reading

LIMIT = 500_000_000  # bytes


class Workshop:
    """The state of the app.

    Parameters
    ----------
    folder : Path
        Where files are kept.
    limit : int
        Bytes that a file may have.
    """

    def __init__(self, folder: Path, limit: int = LIMIT) -> None:
        self.folder = folder
        self.limit = limit
        self.version = 0
        self.shape = 0
        self.history = History()
        self.uploads = Shelf(self.folder)
        self.runs: dict[int, Run] = {}
        self.comparisons: dict[int, Compared] = {}
        self._moves: dict[int, int] = {}  # by job: how often somebody had moved when it was asked
        self._titles: dict[int, About] = {}  # by run: what its reports are called
        self._lock = threading.RLock()
        self.jobs = Jobs(self.touch)
        self._foreman = Foreman(self.jobs, self._keep, tools=Protect.__module__)

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
        return [run for run in self.runs.values() if self._is_of_file(run)]

    def problem(self) -> str | None:
        """Why what is chosen cannot be protected, if it can be told before trying."""
        opened = self.state.opened
        if opened is None or not opened.is_ready:
            return "Open a file first."
        try:
            self.state.choices.settings(opened.reading)
        except ValueError as error:  # all that Covey raises about parameters and columns
            return without_options(str(error))
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

    def open(self, upload: int, **reading: Any) -> Job:
        """Look at an uploaded file; `reading` is encoding=, table=, query= or order_by=."""
        given = self.uploads[upload]
        return self._submit("open", f"Open {given.name}", Open(given, Reading(**reading)))

    def open_example(self) -> Job:
        """Make a survey with missing values, and look at it."""
        upload = self.uploads.add("survey.csv", ".csv")
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
            return self._add(
                name or change_in_words(changes), place, self.state.changed(choices=choices)
            )

    def protect(self) -> Job:
        """Make a release of what is chosen; raises if it can be told that there can be none."""
        opened = self._ready()
        number = self._next_run()
        choices = self.state.choices
        folder = self.folder / f"run-{number:04d}"
        work = Protect(number, opened.upload, opened.reading, choices, folder, self.state.about)
        name = technique_name(choices.technique)
        return self._submit("protect", f"Protect with {name}, k = {choices.k}", work)

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
            step = self._add(f"Looked at run {run}: {found.name}", "look", state)
            self._bring_reports_up_to_date()
            return step

    def describe(self, **about: str) -> Job:
        """Give the reports a title=, publisher= and contact=, and write them again.

        The internal report then also shows the releases that were tried beside it.
        """
        with self._lock:
            run = self.run
            if run is None:
                raise InvalidParameter("Protect the file first.")
            wanted = self.state.about._replace(**{n: text.strip() for n, text in about.items()})
            if wanted != self.state.about:
                words = ", ".join(f"{name}: {text}" for name, text in about.items() if text)
                self._add(words or "No title", "release", self.state.changed(about=wanted))
            return self._write_reports(run)

    def runs_compared(self) -> Comparison | None:
        """The runs of this file, and what was tried beside them, on one risk–utility map.

        Only runs that treat the columns alike can be held against each other: those that do as
        the run that is looked at, or as is chosen if there is none.
        """
        like = self.state.choices if self.run is None else self.run.choices
        comparison = self.comparison
        if comparison is not None and not self._is_of_file(comparison):
            comparison = None
        return side_by_side(self.runs_of_file(), comparison, like)

    # -- going back and on -----------------------------------------------------------------

    def undo(self) -> Step:
        return self._move(self.history.undo)

    def redo(self) -> Step:
        return self._move(self.history.redo)

    def go_to(self, step: int) -> Step:
        return self._move(lambda: self.history.go_to(step))

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

    def _move(self, move: Callable[[], Step]) -> Step:
        with self._lock:
            step = move()
            self.touch()
            self._bring_reports_up_to_date()
            return step

    def _bring_reports_up_to_date(self) -> Job | None:
        """Write the reports of the run again, if they have another title than they should."""
        run = self.run
        if run is None or self._titles[run.number] == self.state.about:
            return None
        return self._write_reports(run)

    def _write_reports(self, run: Run) -> Job:
        about = self._titles[run.number] = self.state.about
        together = self.runs_compared()
        tried = None if together is None else alternatives_to(run.candidate, together)
        work = Report(run.number, run.folder, about, tried)
        return self._submit("report", f"Write the reports of run {run.number}", work)

    def _is_of_file(self, made: Run | Compared) -> bool:
        """Whether it was made of the file, or the table of the database, that is open."""
        opened = self.state.opened
        if opened is None:
            return False
        return (made.upload.number, made.reading) == (opened.upload.number, opened.reading)

    def _add(self, name: str, place: str, state: State) -> Step:
        self.touch()
        return self.history.add(name, place, state)

    def _keep(self, job: Job, result: object) -> None:
        """Keep the result of a job, and make it a step from where it was asked for."""
        with self._lock:
            if isinstance(result, Reported):
                return
            state = self.history.steps[job.step].state
            name, place, state = self._after(result, state)
            step = self.history.add_aside(name, place, state, job.step)
            if self._moves[job.number] == self.history.moves:
                self.history.arrive(step.number)

    def _after(self, result: Any, state: State) -> tuple[str, str, State]:
        if isinstance(result, Opened):
            self.uploads.note_size(result.upload.number, result.upload.size)
            return f"Opened {result.name}", "open", State(result, result.guesses)
        if isinstance(result, Run):
            self.runs[result.number] = result
            self._titles[result.number] = state.about
            return f"Protected: {result.name}", "look", state.changed(run=result.number)
        assert isinstance(result, Compared)
        self.comparisons[result.number] = result
        name = f"Compared {len(result.comparison.candidates)} releases"
        return name, "compare", state.changed(comparison=result.number)
