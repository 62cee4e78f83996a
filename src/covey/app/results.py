"""What the worker hands back: small values that a page can show."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from covey.app.choices import Choices
from covey.app.writing import About
from covey.release.candidates import Candidate
from covey.release.comparing import Comparison
from covey.release.describing.sketches import Sketch
from covey.reports.content_types import InternalContent
from covey.sources.asking import Reading
from covey.tables.guess_words import Note, Reason


class Upload(NamedTuple):
    """A file in the private folder; `name` is what its owner calls it, and only shown."""

    number: int
    path: Path
    name: str
    size: int


MOST_LEVELS = 60  # categories that are told one by one


class SeenColumn(NamedTuple):
    """A column: what `inspect` says of it, its distribution, and its categories if they are few.

    `smallest` is the number of records of the rarest value, where there are few values.
    """

    name: str
    kind: str
    missing: int
    distinct: int
    role: str
    reason: Reason
    note: Note
    treatment: str
    sketch: Sketch | None
    levels: tuple[str, ...]
    smallest: int | None

    @property
    def can_be_ordered(self) -> bool:
        """Whether there are few enough categories for a person to put them in order."""
        return self.kind != "nominal" or self.distinct <= MOST_LEVELS


@dataclass(frozen=True)
class Opened:
    """A file that was looked at.

    `rows` are the first records as text, None where a value is missing. A database has `tables`;
    with several of them nothing is read until one is chosen, and `is_ready` is False.
    """

    upload: Upload
    reading: Reading
    format: str
    n_records: int = 0
    columns: tuple[SeenColumn, ...] = ()
    notes: tuple[str, ...] = ()
    rows: tuple[tuple[str | None, ...], ...] = ()
    tables: tuple[str, ...] = ()
    guesses: Choices = field(default_factory=Choices, repr=False)

    @property
    def name(self) -> str:
        return self.upload.name

    @property
    def is_ready(self) -> bool:
        return bool(self.columns)


@dataclass(frozen=True)
class Run:
    """A release that was made.

    `lines` is what `covey protect` prints and `figures` what `covey protect --json` prints.
    `content` has the figures of the internal report, `pictures` its charts as SVG, by name; a list
    of them for "distributions", in the order of ``content["distributions"]``. `files` says by
    what name a part can be downloaded, and `notes` what could not be written.
    """

    number: int
    name: str
    upload: Upload
    reading: Reading
    choices: Choices
    lines: dict[str, str]
    figures: dict[str, Any]
    content: InternalContent
    pictures: dict[str, Any]
    candidate: Candidate
    loss: str
    risk: str
    seconds: float
    folder: Path
    files: dict[str, str]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Compared:
    """Techniques and group sizes that were tried on a file, with the roles in `choices`."""

    number: int
    upload: Upload
    reading: Reading
    choices: Choices
    comparison: Comparison


class Reported(NamedTuple):
    """The reports of a run were written, under this title."""

    run: int
    about: About
