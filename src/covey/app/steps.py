"""Steps: every change is kept, and every one of them can be gone back to."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from covey.app.choices import Choices
from covey.app.results import Opened
from covey.app.writing import About


@dataclass(frozen=True)
class State:
    """Where somebody stands: the file, what was chosen, and what is looked at.

    `about` has the title of the reports, the publisher and the contact.
    `run` and `comparison` are numbers of what `Workshop.runs` and `Workshop.comparisons` keep.
    """

    opened: Opened | None = None
    choices: Choices = field(default_factory=Choices)
    about: About = field(default_factory=About)
    run: int | None = None
    comparison: int | None = None

    def changed(self, **changes: Any) -> State:
        return replace(self, **changes)


@dataclass(frozen=True)
class Step:
    """What was done, in words, the step it was done from, and the state after it."""

    number: int
    name: str
    place: str  # the part of the path it belongs to: open, roles, protect, look, compare, release
    base: int | None
    state: State


class History:
    """Steps in the order in which they were made; none is ever taken away.

    Going back moves the position. What is done then is a new step, based on the one gone back to,
    and the steps that were made before stay in the list.
    """

    def __init__(self) -> None:
        self.steps: list[Step] = [Step(0, "Start", "open", None, State())]
        self.position = 0
        self.moves = 0  # how often a person has moved or changed something
        self._ahead: list[int] = []

    @property
    def current(self) -> Step:
        return self.steps[self.position]

    def add(self, name: str, place: str, state: State) -> Step:
        """A step from the current one; it becomes the current one."""
        step = self.add_aside(name, place, state, self.position)
        self._move(step.number)
        self._ahead.clear()
        return step

    def add_aside(self, name: str, place: str, state: State, base: int) -> Step:
        """A step that was made from an earlier one, while somebody went on elsewhere."""
        step = Step(len(self.steps), name, place, base, state)
        self.steps.append(step)
        return step

    def arrive(self, number: int) -> None:
        """Make a step the current one that nobody asked to go to: the result of work."""
        self.position = number
        self._ahead.clear()

    def go_to(self, number: int) -> Step:
        """Go to any step."""
        if not 0 <= number < len(self.steps):
            raise IndexError(f"There is no step {number}.")
        self._ahead.clear()
        self._move(number)
        return self.current

    @property
    def can_undo(self) -> bool:
        return self.current.base is not None

    @property
    def can_redo(self) -> bool:
        return self._next() is not None

    def undo(self) -> Step:
        """Go back to the step that this one was made from; at the start, nothing happens."""
        if self.current.base is not None:
            self._ahead.append(self.position)
            self._move(self.current.base)
        return self.current

    def redo(self) -> Step:
        """Go on to the step that was left by undo, or else to the latest made from this one."""
        following = self._next()
        if following is not None:
            if self._ahead:
                self._ahead.pop()
            self._move(following)
        return self.current

    def path(self) -> list[Step]:
        """The steps that lead to the current one, from the start."""
        found = [self.current]
        while found[-1].base is not None:
            found.append(self.steps[found[-1].base])
        return found[::-1]

    def _next(self) -> int | None:
        if self._ahead:
            return self._ahead[-1]
        made_here = [step.number for step in self.steps if step.base == self.position]
        return made_here[-1] if made_here else None

    def _move(self, number: int) -> None:
        self.position = number
        self.moves += 1
