"""Runs side by side: those that can be held against each other, on one risk–utility map."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from covey.app.choices import Choices
from covey.app.results import Compared, Run
from covey.release.candidates import Candidate
from covey.release.comparing import Comparison

# The measures that runs are compared by; the loss is the one that the columns can have.
RISK = "g_dr"
WEIGHT_OF_LOSS = 0.5


class LeftOut(NamedTuple):
    """How many runs, and how many releases that were only tried, are not on the map."""

    runs: int
    tried: int


def side_by_side(
    runs: Sequence[Run], compared: Compared | None, like: Choices
) -> Comparison | None:
    """Runs that treat the records as `like`, and what was tried beside them; None for nothing."""
    alike = [run for run in runs if treat_alike(run.choices, like)]
    candidates: list[Candidate] = [run.candidate for run in alike]
    tried = compared is not None and treat_alike(compared.choices, like)
    if compared is not None and tried:
        made = [_settings(candidate) for candidate in candidates]
        more = compared.comparison.candidates
        candidates += [candidate for candidate in more if _settings(candidate) not in made]
    if not candidates:
        return None
    loss = alike[0].loss if alike or compared is None else compared.comparison.loss
    return Comparison(tuple(candidates), loss, RISK, WEIGHT_OF_LOSS)


def left_out(runs: Sequence[Run], compared: Compared | None, like: Choices) -> LeftOut:
    """What `side_by_side` does not show."""
    others = sum(not treat_alike(run.choices, like) for run in runs)
    hidden = compared is not None and not treat_alike(compared.choices, like)
    return LeftOut(others, len(compared.comparison.candidates) if compared and hidden else 0)


def treat_alike(first: Choices, second: Choices) -> bool:
    """Whether nothing but the technique and k can make a difference between two releases."""
    return first.treatment() == second.treatment()


def _settings(candidate: Candidate) -> tuple[str, int, dict[str, object]]:
    return candidate.technique, candidate.k, candidate.parameters
