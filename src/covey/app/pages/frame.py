"""The frame around every step: rail, undo and redo, what is going on, and the step itself.

A tab has one frame. It looks at the workshop a few times a second and builds anew what changed, so
that tabs follow each other and a reload loses nothing.
"""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable
from typing import Any

from nicegui import ui

from covey.app.failing import TALKATIVE, UNEXPECTED, for_readers
from covey.app.looks.theme import head
from covey.app.pages import places
from covey.app.pages.elements import Part, acts_of, box, words
from covey.app.pages.failing import still_open
from covey.app.pages.history_panel import history_panel
from covey.app.pages.jobs_panel import JobsPanel
from covey.app.pages.nothing_yet import nothing_yet
from covey.app.pages.parts import button, note
from covey.app.pages.steps_rail import steps_rail
from covey.app.workshop import Workshop
from covey.errors import CoveyError

OFTEN = 0.25  # seconds between two looks at the workshop


class Frame:
    """What a tab shows. Steps get it to go elsewhere, to try things and to remember a little.

    `memory` holds what is not worth a step: a fold that is open, say. `hears` is what a page does
    when something of a table is changed, which tells its row and the new value.
    """

    def __init__(self, workshop: Workshop, place: str) -> None:
        self.workshop = workshop
        self.place = place
        self.memory: dict[str, Any] = {}
        self.trouble = ""
        self.hears: dict[str, Callable[[int, str], None]] = {}
        self.shows_history = False
        self._seen: object = None
        self._made_before: object = None
        self._over = {job.number for job in workshop.jobs.all if job.is_over}

    # -- building --------------------------------------------------------------------------

    def build(self) -> None:
        self._client = ui.context.client
        ui.add_head_html(head())
        Part("a", "skip", "Go to the content", href="#content")
        with box("frame"):
            self._rail = Part("aside", "rail")
            with Part("main", "main", id="content"):
                self._top = box("top")
                self._content = box("content")
                self._jobs = JobsPanel(self)
        # Stays while the page is built anew: somebody may be choosing a file at that moment.
        Part("input", "unseen", type="file", id="file", tabindex="-1", aria_label="File to open")
        self._history = Part("aside", "history", aria_label="History")
        self._listen()
        self.show()
        ui.timer(OFTEN, self._look)

    def show(self) -> None:
        """Build everything that depends on the state.

        What asks for it may be gone by then, a button say, so this is not done in its context.
        """
        self._seen, self._made_before = self._signature(), self._made()
        acts_of(self._client).clear()
        self._content.assign(data_place=self.place)
        with self._client:
            ui.page_title(f"{places.NAMES[self.place]} – Covey")
        for part, build in (
            (self._rail, steps_rail),
            (self._top, _undo_and_redo),
            (self._content, _content),
            (self._history, history_panel),
        ):
            part.clear()
            with part:
                build(self)
        self._jobs.show()

    def _listen(self) -> None:
        ui.on("covey_undo", lambda _: self.undo())
        ui.on("covey_redo", lambda _: self.redo())
        ui.on("covey_escape", lambda _: self.toggle_history(False))
        ui.on("covey_heard", lambda event: self._act(event.args))
        ui.on("covey_told", lambda event: self._hear(event.args))
        ui.on("covey_place", lambda event: self._follow(str(event.args)))
        ui.on("covey_refused", lambda event: self._refuse(str(event.args)))
        ui.on("covey_too_large", lambda event: self._refuse(self._too_large(event.args)))

    # -- what changes ----------------------------------------------------------------------

    def _signature(self) -> object:
        """What the page depends on; how far a job is, is shown without building anew."""
        history = self.workshop.history
        jobs = [job.state if job.is_over else "active" for job in self.workshop.jobs.all]
        return (self.place, history.position, len(history.steps), jobs)

    def _made(self) -> object:
        """What grows or moves when something was done that works: steps, and work to do."""
        history = self.workshop.history
        return history.position, len(history.steps), len(self.workshop.jobs.all)

    def _look(self) -> None:
        self._follow_jobs()
        if self._signature() != self._seen:
            if self._made() != self._made_before:
                self.trouble = ""  # something worked since
            self.show()
        else:
            self._jobs.update()

    def _follow_jobs(self) -> None:
        """When a job is done that was asked for here, go where its result is shown."""
        for job in self.workshop.jobs.all:
            if job.is_over and job.number not in self._over:
                self._over.add(job.number)
                current = self.workshop.history.current
                if job.state == "done" and self.place == job.kind and current.place != self.place:
                    self.go(current.place)

    # -- going -----------------------------------------------------------------------------

    def go(self, place: str) -> None:
        """Go to a step of the path."""
        if place != self.place:
            self._client.run_javascript(f"history.pushState({{}}, '', '{places.PATHS[place]}')")
        self._arrive(place)

    def _follow(self, path: str) -> None:
        self._arrive(places.at(path))

    def _arrive(self, place: str) -> None:
        self.place, self.trouble, self.hears = place, "", {}
        self.show()
        self._client.run_javascript("setTimeout(coveyArrive, 60)")

    def undo(self) -> None:
        """Take a step back, and go to where it was made: there the difference shows."""
        undone = self.workshop.history.current
        if self.workshop.history.can_undo:
            self.workshop.undo()
            self.go(undone.place)

    def redo(self) -> None:
        if self.workshop.history.can_redo:
            self.go(self.workshop.redo().place)

    def go_to(self, step: int) -> None:
        """Go to any step of the history, and to the place where it was made."""
        self.go(self.workshop.go_to(step).place)

    def toggle_history(self, shown: bool | None = None) -> None:
        self.shows_history = not self.shows_history if shown is None else shown
        self._history.classes(**{"add" if self.shows_history else "remove": "shown"})

    # -- doing -----------------------------------------------------------------------------

    def attempt(self, act: Callable[[], Any]) -> bool:
        """Do something; what cannot be done is said on the page."""
        self.trouble = ""
        try:
            act()
        except CoveyError as error:
            self.trouble = for_readers(error)
        except Exception:  # a bug of ours; nothing of it is shown
            self.trouble = UNEXPECTED
            _tell_those_who_work_on_it()
        self.show()
        return not self.trouble

    def choose(self, name: str = "", **changes: Any) -> None:
        """Change what is chosen, as one step made on this page."""
        self.attempt(lambda: self.workshop.choose(self.place, name, **changes))

    def say(self, trouble: str) -> None:
        self.trouble = trouble
        self.show()

    def _refuse(self, trouble: str) -> None:
        """A file was not taken; say what is open all the same."""
        self.say(" ".join([trouble, *still_open(self.workshop)]))

    def focus(self, id: str) -> None:
        """Give the focus to something that is just being built."""
        self._client.run_javascript(f"coveyFocus({id!r})")

    def _act(self, heard: dict[str, Any]) -> None:
        act = acts_of(self._client).get(f"{heard['event']} {heard['id']}")
        if act is not None:
            self._dare(lambda: act(heard["value"]))

    def _hear(self, told: dict[str, Any]) -> None:
        act = self.hears.get(str(told["what"]))
        if act is not None:
            self._dare(lambda: act(int(told["at"]), str(told["value"])))

    def _dare(self, act: Callable[[], Any]) -> None:
        """Do what somebody asked for by a click; if it goes wrong, they are told."""
        try:
            act()
        except CoveyError as error:
            self.say(for_readers(error))
        except Exception:  # a bug of ours; nothing of it is shown
            self.say(UNEXPECTED)
            _tell_those_who_work_on_it()

    def _too_large(self, told: dict[str, Any]) -> str:
        return places.too_large(str(told["name"]), int(told["size"]), self.workshop.limit)


def _tell_those_who_work_on_it() -> None:
    if os.environ.get(TALKATIVE):
        traceback.print_exc()


def _undo_and_redo(frame: Frame) -> None:
    history = frame.workshop.history
    _turn("undo", "Undo", "Ctrl+Z", frame.undo, history.can_undo)
    _turn("redo", "Redo", "Ctrl+Shift+Z", frame.redo, history.can_redo)
    button(
        f"History ({len(history.steps) - 1})",
        frame.toggle_history,
        id="history-button",
        look="plain slim",
        picture="history",
    )


def _turn(id: str, says: str, keys: str, act: Callable[[], None], enabled: bool) -> None:
    tip = f"{says} ({keys})"
    button("", act, id=id, look="round", picture=id, says=says, enabled=enabled, data_tip=tip)


def _content(frame: Frame) -> None:
    if frame.trouble:
        with note("That did not work", "bad", live=True):
            words(frame.trouble)
    try:
        if not nothing_yet(frame):
            places.page_of(frame.place)(frame)
    except Exception:  # a bug of ours shall not leave an empty page, and nothing of it is shown
        with note("This page cannot be shown", "bad", live=True):
            words(
                "Something is wrong in Covey; your file and your steps are still there. Go to "
                "another step, or undo the last one. Please report this as a bug."
            )
        if os.environ.get(TALKATIVE):
            raise
