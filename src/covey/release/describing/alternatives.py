"""What was tried beside a release, and which of it was released."""

from __future__ import annotations

import math
from typing import Any

from covey import techniques
from covey.errors import InvalidParameter
from covey.release.candidates import Candidate, figure, label_of
from covey.release.comparing import Comparison
from covey.release.release import Release
from covey.release.settings import plain
from covey.reports.content_types.pictures import Alternatives

# Losses of one release differ by rounding at most.
SAME_LOSS = 1e-9


def alternatives_to(release: Release, comparison: Comparison) -> Alternatives:
    """What was tried, with the release marked; a note where it cannot be."""
    return marked_alternatives(comparison, released_among(release, comparison))


def marked_alternatives(comparison: Comparison, released: Candidate | None) -> Alternatives:
    """What was tried, with one of them marked as released; None if it is none of them."""
    return {
        "loss_label": label_of(comparison.loss),
        "risk_label": label_of(comparison.risk),
        "max_risk": comparison.max_risk,
        "candidates": comparison.points_marking(released),
        "note": note_on(released),
    }


def note_on(released: Candidate | None) -> str:
    """What must be said when no alternative in the table is the one released."""
    if released is None:
        return (
            "The release is not among these alternatives: none has its technique, k, parameters, "
            "driving variables and loss."
        )
    if released.risk is None:
        return (
            f"The release is {released.name}. It was tried, but the search did not measure its "
            "risk, so it is not shown here."
        )
    return ""


def released_among(release: Release, comparison: Comparison) -> Candidate | None:
    """The candidate that is this release, if it was tried.

    Technique, k, driving variables and parameters must agree, defaults filled in. So must the loss:
    it differs when the data, the roles or the treatment of columns were others.
    """
    wanted = _grouping(
        release.technique.describe().name, release.settings.k, release.settings.parameters
    )
    alike = [c for c in comparison.candidates if wanted == _of_candidate(c)]
    if not alike:
        return None
    try:
        loss = figure(release.evaluation, comparison.loss)
    except InvalidParameter:  # a measure that these data cannot have
        return None
    same = (c for c in alike if math.isclose(c.loss, loss, rel_tol=SAME_LOSS, abs_tol=SAME_LOSS))
    return next(same, None)


def _of_candidate(candidate: Candidate) -> tuple[str, dict[str, Any]] | None:
    try:
        return _grouping(candidate.technique, candidate.k, candidate.parameters)
    except InvalidParameter:  # of another version of Covey
        return None


def _grouping(technique: str, k: int, parameters: Any) -> tuple[str, dict[str, Any]]:
    """Everything that a technique was told, defaults too."""
    given = {name: value for name, value in parameters.items() if name != "k"}
    told = techniques.get(technique).configured(k=k, **given).get_params(deep=False)
    return technique, {name: plain(value) for name, value in told.items()}
