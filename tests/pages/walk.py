"""A walk through a page: its blocks one after the other, in one folder, as a reader would."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from covey.release import Settings

from . import commands, statements
from .blocks import Block, Command, blocks_of, commands_of
from .output import is_shown, refreshed

EFFORT = "covey.refining.improving.DEFAULT_EFFORT"
SHORT = 50.0  # moves per record
REMEDY = "Correct the page, or let the program do it: script/test tests/pages --refresh"


class Walk:
    """Run the blocks of a page in the current folder and collect where it shows something else.

    In a `slow` walk the blocks that are marked slow run as a user's do. In any other they run with
    short searches, and only the words that they print must agree.

    Parameters
    ----------
    page : Path
    slow : bool
    sql : callable, optional
        Runs the SQL of the page.
    place : callable, optional
        Changes text before it is run: names of servers.
    """

    def __init__(
        self,
        page: Path,
        *,
        slow: bool = False,
        sql: Callable[[str], None] | None = None,
        place: Callable[[str], str] = str,
    ) -> None:
        self.page, self.slow, self.sql, self.place = page, slow, sql, place
        self.text = page.read_text("utf-8")
        self.lines = self.text.splitlines()
        self.names: dict[str, Any] = {"__name__": "page"}
        self.differences: list[str] = []
        self.edits: list[tuple[int, int, list[str]]] = []
        self.figures = True
        self.printed: list[str] = []

    def go(self) -> None:
        """Run everything."""
        for block in blocks_of(self.text):
            if block.mark == "not run":
                self._check(block)
                continue
            with self._searches(block):
                getattr(self, f"_{block.language or 'plain'}")(block)

    def write(self) -> None:
        """Write the page with what was printed in place of what it showed."""
        for start, end, new in sorted(self.edits, reverse=True):
            self.lines[start:end] = new
        self.page.write_text("\n".join(self.lines) + "\n", "utf-8")

    @contextmanager
    def _searches(self, block: Block) -> Iterator[None]:
        short = block.mark == "slow" and not self.slow
        self.figures = not short
        if not short:
            yield
            return
        with patch(EFFORT, SHORT):
            yield

    def _check(self, block: Block) -> None:
        """Hold a block that is not run to what can be known without running it."""
        if block.language == "console":
            for command in commands_of(block):
                commands.check(command.words)
        elif block.language == "python":
            compile("\n".join(block.lines), str(self.page), "exec", inspect.CO_NESTED)

    def _console(self, block: Block) -> None:
        for command in commands_of(block):
            ran = commands.run(self.place(command.words))
            if ran is None:
                continue
            where = self._where(command.start, command.words)
            assert ran.code == 0, f"{where}\n{ran.err}"
            printed = [line.rstrip() for line in (ran.out + ran.err).splitlines()]
            assert command.shown or not ran.err, (
                f"{where}\nprints, and the page does not: {ran.err}"
            )
            if command.shown:
                self._compare(command, printed)

    def _python(self, block: Block) -> None:
        self.printed = []
        for outcome in statements.run(self.place("\n".join(block.lines)).splitlines(), self.names):
            line = block.lines[outcome.line]
            shown = statements.shown_value(line)
            if shown is None:
                self.printed += outcome.printed.splitlines()
            elif not is_shown([shown], [outcome.value], figures=self.figures):
                at = block.start + outcome.line
                self._differs(at, at + 1, [statements.with_value(line, outcome.value)])

    def _text(self, block: Block) -> None:
        """What the Python before it printed."""
        assert self.printed, f"{self._where(block.start, '')}the Python before it prints nothing"
        self._compare(Command("print", block.lines, block.start), self.printed)
        self.printed = []

    def _plain(self, block: Block) -> None:
        """A drawing, which nothing is expected of."""

    def _toml(self, block: Block) -> None:
        text = "\n".join(block.lines)
        Settings.from_toml(text)
        if block.mark == "file":
            Path(block.because).write_text(text, "utf-8")

    def _sql(self, block: Block) -> None:
        assert self.sql, f"{self.page.name}: say <!-- given: PostgreSQL -->"
        self.sql("\n".join(block.lines))

    def _r(self, block: Block) -> None:
        raise AssertionError(f"{self.page.name}: R is not run here; mark the block")

    def _compare(self, command: Command, printed: list[str]) -> None:
        if not is_shown(command.shown, printed, figures=self.figures):
            start = command.start
            self._differs(
                start, start + len(command.shown), refreshed(command.shown, printed), command.words
            )

    def _differs(self, start: int, end: int, new: list[str], words: str = "") -> None:
        old = [f"- {line}" for line in self.lines[start:end]]
        lines = [self._where(start, words), *old, *(f"+ {line}" for line in new)]
        self.differences.append("\n".join(lines))
        if self.figures:
            self.edits.append((start, end, new))

    def _where(self, line: int, words: str) -> str:
        return f"{self.page.name}:{line + 1}: {words}"
