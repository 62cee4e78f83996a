"""What was tried or made of a file, and what it is called."""

from __future__ import annotations

from typing import NamedTuple

from covey.app.pages.wording import technique_title
from covey.app.workshop import Workshop
from covey.release.candidates import Candidate
from covey.release.comparing import Comparison


class Tried(NamedTuple):
    """A candidate, its place in the list, and the run that it is, if it was made."""

    number: int
    candidate: Candidate
    run: int | None

    @property
    def title(self) -> str:
        return technique_title(self.candidate.technique)

    @property
    def name(self) -> str:
        """The technique and k; a run has its number before it."""
        said = f"{self.title}, k = {self.candidate.k}"
        return said if self.run is None else f"Run {self.run}: {said}"


def tried_of(workshop: Workshop, comparison: Comparison) -> list[Tried]:
    """The candidates of a comparison in their order."""
    runs = workshop.runs_of_file()
    return [
        Tried(
            number,
            candidate,
            next((run.number for run in runs if run.candidate is candidate), None),
        )
        for number, candidate in enumerate(comparison.candidates)
    ]
