"""Workshop: everything that a page shows and does, without the page.

One for each server: one person, in as many tabs as they like. Pages read `state`, `history`,
`jobs`, `runs` and `comparisons`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from covey.app.choices import Choices
from covey.app.failing import for_readers
from covey.app.foreman import Foreman
from covey.app.jobs import Job, Jobs
from covey.app.results import MOST_LEVELS, Compared, Opened, Reported, Run, SeenColumn
from covey.app.shelf import Shelf
from covey.app.side_by_side import LeftOut, left_out, side_by_side
from covey.app.step_names import change_in_words
from covey.app.steps import History, State, Step
from covey.app.technique_cards import technique_name
from covey.app.working import Compare, Open, Protect, Report
from covey.app.writing import About, alternatives_to
from covey.errors import CoveyError, InvalidParameter
from covey.release.candidates import Candidate
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
        self.history = History()
        self.uploads = Shelf(self.folder)
        self.runs: dict[int, Run] = {}
        self.comparisons: dict[int, Compared] = {}
        self.looked_at: set[int] = set()  # runs that somebody has seen, in whichever tab
        self._moves: dict[int, int] = {}  # by job: how often somebody had moved when it was asked
        self._titles: dict[int, About] = {}  # by run: what its reports are called, if it is known
        self._lock = threading.RLock()
        self.jobs = Jobs()
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
        except CoveyError as error:
            return for_readers(error)
        for column in opened.columns:
            if self._has_no_order(column):
                return (
                    f"{column.name!r} has {column.distinct} categories, too many to be put in "
                    f"order: there can be {MOST_LEVELS}. Treat it as a category without an order."
                )
        k, n_records = self.state.choices.k, opened.n_records
        if n_records < k:
            return f"{n_records} records are too few for one group of k={k}. Lower k."
        return None

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

    def make(self, candidate: Candidate, place: str = "compare", name: str = "") -> Job:
        """Make a release that was tried, as it was tried: with the choices of the comparison.

        Limits and edit rules stay as they are now; they do not change a release.
        """
        with self._lock:
            compared = self._compared()
            if compared is None or candidate not in compared.comparison.candidates:
                raise InvalidParameter("This release was not tried with the file that is open.")
            changes: dict[str, Any] = {
                "technique": candidate.technique,
                "k": candidate.k,
                "parameters": dict(candidate.parameters),
                "rules": self.state.choices.rules,
                "thresholds": self.state.choices.thresholds,
            }
            choices = compared.choices.changed(**changes)
            if choices != self.state.choices:
                words = name or f"Chosen from the comparison: {candidate.name}"
                self._add(words, place, self.state.changed(choices=choices))
            return self.protect()

    def look_at(self, run: int) -> Step:
        """Make a run the one that is looked at, with its choices."""
        with self._lock:
            found = self.runs.get(run)
            if found is None or not self._is_of_file(found):
                raise InvalidParameter(
                    f"Run {run} is not of the file that is open. Go back to it in the history."
                )
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

        Only what treats the records alike can be held against each other: as the run or the
        comparison that was made or looked at last, or as is chosen if there is none.
        """
        return side_by_side(self.runs_of_file(), self._compared(), self._like())

    @property
    def left_out(self) -> LeftOut:
        """Runs and tried releases of this file that are not on the map."""
        return left_out(self.runs_of_file(), self._compared(), self._like())

    @property
    def reports_are_being_written(self) -> bool:
        """Whether the reports of the run that is looked at are being written, or wait for it."""
        return self.run is not None and bool(self._titles_to_come(self.run))

    @property
    def reports_are_current(self) -> bool:
        """Whether the reports of the run that is looked at have the title they should have."""
        run = self.run
        known = run is not None and self._titles.get(run.number) == self.state.about
        return known and not self.reports_are_being_written

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
            self._bring_reports_up_to_date()
            return step

    def _bring_reports_up_to_date(self) -> Job | None:
        """Write the reports of the run again, if they have another title than they should."""
        run = self.run
        if run is None:
            return None
        to_come = self._titles_to_come(run)
        title = to_come[-1] if to_come else self._titles.get(run.number)
        return None if title == self.state.about else self._write_reports(run)

    def _write_reports(self, run: Run) -> Job:
        """Write them again; until that is done nobody knows what they are called."""
        self._titles.pop(run.number, None)
        together = side_by_side(self.runs_of_file(), self._compared(), run.choices)
        tried = None if together is None else alternatives_to(run.candidate, together)
        work = Report(run.number, run.folder, self.state.about, tried)
        return self._submit("report", f"Write the reports of run {run.number}", work)

    def _titles_to_come(self, run: Run, without: Job | None = None) -> list[About]:
        """What the reports of a run will be called by the jobs that write them, in their order."""
        return [
            job.work.about
            for job in self.jobs.active
            if isinstance(job.work, Report)
            and job.work.run == run.number
            and job is not without
            and not job.wants_cancel
        ]

    def _compared(self) -> Compared | None:
        """What was tried with the file that is open, if that is looked at."""
        found = self.comparison
        return found if found is not None and self._is_of_file(found) else None

    def _like(self) -> Choices:
        """The choices that others are held against."""
        path = self.history.path()
        for before, step in zip(path[-2::-1], path[:0:-1], strict=True):
            old, new = before.state, step.state
            if self._compared() is not None and new.comparison not in (None, old.comparison):
                return self.comparisons[new.comparison].choices
            if new.run is not None and (step.place == "look" or new.run != old.run):
                return self.runs[new.run].choices
        return self.state.choices

    def _has_no_order(self, column: SeenColumn) -> bool:
        """Whether it shall be put in order, which it cannot be."""
        choices = self.state.choices
        wanted = choices.roles.get(column.name) == "quasi-identifier"
        ordinal = choices.kinds.get(column.name) == "ordinal"
        ordered = choices.orders.get(column.name) or column.can_be_ordered
        return wanted and ordinal and not ordered

    def _is_of_file(self, made: Run | Compared) -> bool:
        """Whether it was made of the file, or the table of the database, that is open."""
        opened = self.state.opened
        if opened is None:
            return False
        return (made.upload.number, made.reading) == (opened.upload.number, opened.reading)

    def _add(self, name: str, place: str, state: State) -> Step:
        return self.history.add(name, place, state)

    def _keep(self, job: Job, result: object) -> None:
        """Keep the result of a job, and make it a step from where it was asked for."""
        with self._lock:
            if isinstance(result, Reported):
                if not self._titles_to_come(self.runs[result.run], without=job):
                    self._titles[result.run] = result.about
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
