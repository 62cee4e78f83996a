"""How far long work is: its stages, as data that the pipeline, the command line and the app share.

Long work calls a `covey.types.Progress` with (stage, done, total). The stage is a `Stage` or one
`Part` of it; both are texts, so that whoever only shows them needs to know nothing else.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # it brings NumPy, which who only opens files does without
    from covey.types import Progress


class Stage(str, Enum):
    """A stage of the work: its name on a bar, and a label for a page.

    Examples
    --------
    >>> Stage.GROUPING == "grouping", Stage.GROUPING.label
    (True, 'Grouping the records')
    """

    label: str

    READING = "reading", "Reading the file"
    INSPECTING = "inspecting", "Looking at the columns"
    SURVEYING = "surveying", "Looking at all records once"
    DIVIDING = "dividing", "Dividing the records into blocks"
    EMBEDDING = "embedding", "Turning records into points"
    GROUPING = "grouping", "Grouping the records"
    IMPROVING = "improving", "Improving the groups"
    REPAIRING = "repairing seams", "Improving groups where blocks meet"
    AGGREGATING = "aggregating", "Taking the values of each group"
    WRITING = "writing", "Writing the files"
    CHECKING = "checking", "Checking the release"
    MEASURING = "measuring", "Measuring loss and risk"
    MEASURING_ORIGINAL = "measuring the original", "Measuring the risk of the original"
    COMPARING = "comparing", "Trying one release after the other"
    SEARCHING = "searching", "Searching for the best release"
    DRAWING = "drawing", "Drawing the charts"
    REPORTING = "reporting", "Writing the reports"

    def __new__(cls, name: str, label: str = "") -> Stage:
        """A member, from its name on a bar and its label."""
        member = str.__new__(cls, name)
        member._value_ = name
        member.label = label
        return member

    def __str__(self) -> str:
        return str.__str__(self)


class Part(str):
    """One part of a stage that has several: a measure, say.

    Attributes
    ----------
    stage : Stage
    number, of : int
        Which part it is, counted from 1, and how many there are.
    """

    stage: Stage
    number: int
    of: int

    def __new__(cls, text: str, stage: Stage, number: int, of: int) -> Part:
        """A part that is called `text` on a bar."""
        part = str.__new__(cls, text)
        part.stage, part.number, part.of = stage, number, of
        return part

    def __getnewargs__(self) -> tuple[str, Stage, int, int]:  # type: ignore[override]
        return str(self), self.stage, self.number, self.of


def stage_of(text: str) -> Stage | None:
    """The stage that a text stands for; None for one that is nobody's.

    Examples
    --------
    >>> stage_of("grouping").label
    'Grouping the records'
    >>> stage_of(Part("distance linkage", Stage.MEASURING, 2, 4)) is Stage.MEASURING
    True
    """
    if isinstance(text, Part):
        return text.stage
    return next((stage for stage in Stage if stage == text), None)


def share_of(text: str, done: int, total: int) -> float:
    """How much of a stage is done, from 0 to 1, when so much of a part of it is.

    Examples
    --------
    >>> share_of(Part("distance linkage", Stage.MEASURING, 2, 4), 1, 2)
    0.375
    """
    share = done / total if total > 0 else 0.0
    if isinstance(text, Part):
        share = (text.number - 1 + share) / text.of
    return min(share, 1.0)


def within(progress: Progress, stage: Stage, parts: int, prefix: str = "") -> Progress:
    """A callback for work that is a stage of other work, and whose own stages are its parts.

    `parts` says how many are expected; when there are more, the last ones count as one.
    """
    begun: list[str] = []

    def tell(name: str, done: int, total: int) -> None:
        if name not in begun:
            begun.append(name)
        number = min(begun.index(name) + 1, parts)
        progress(Part(prefix + name, stage, number, parts), done, total)

    return tell
