"""Runs side by side: those that can be held against each other, on one risk–utility map."""

from __future__ import annotations

from collections.abc import Sequence

from covey.app.choices import Choices
from covey.app.results import Compared, Run
from covey.release.candidates import Candidate
from covey.release.comparing import Comparison

# The measures that runs are compared by; the loss is the one that the columns can have.
RISK = "g_dr"
WEIGHT_OF_LOSS = 0.5
# What must be alike: loss and risk of different columns have nothing to do with each other.
ALIKE = ("roles", "kinds", "orders", "keeps_weight")


def side_by_side(
    runs: Sequence[Run], compared: Compared | None, like: Choices
) -> Comparison | None:
    """Runs that treat the columns as `like`, and what was tried beside them; None for nothing."""
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


def treat_alike(first: Choices, second: Choices) -> bool:
    """Whether every column has the same role and kind in both."""
    return all(getattr(first, name) == getattr(second, name) for name in ALIKE)


def _settings(candidate: Candidate) -> tuple[str, int, dict[str, object]]:
    return candidate.technique, candidate.k, candidate.parameters
