"""How far a mean moved, as a user of either file would compute it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from covey.release.describing.pictures import DAY, is_time
from covey.release.release import Release
from covey.types import FloatVector


class Change(NamedTuple):
    """In percent of the original mean, or in days; None where it has no meaning."""

    percent: float | None = None
    days: float | None = None


def change_of_mean(release: Release, name: str) -> Change:
    """Mean of all known released cells against that of the known original cells.

    Records that were left out and cells that were emptied count in neither: with them, the change
    would tell the values of a few.
    """
    prepared = release.masked.prepared
    j, variable = next((j, v) for j, v in enumerate(prepared.variables) if v.name == name)
    released = release.masked.values[:, j]
    kept = np.where(np.isnan(released), np.nan, variable.values)
    before = _mean(kept, _original_weights(release))
    after = _mean(released, _released_weights(release))
    if before is None or after is None or (variable.clock is not None and is_time(variable)):
        return Change()
    if variable.clock is not None:
        return Change(days=(after - before) / DAY)
    return Change(percent=100.0 * (after - before) / abs(before) if before else None)


def basis_of_means(release: Release) -> str:
    """Which means are compared, in words."""
    cells = "the cells that have a value in it, without those that were emptied"
    if not _weighs(release):
        return f"The mean of each file is taken over {cells}."
    name = release.roles.weight
    return f"The mean of each file is taken over {cells}, weighted by the {name} of that file."


def _mean(values: FloatVector, weights: FloatVector | None) -> float | None:
    known = ~np.isnan(values)
    if weights is None:
        return float(values[known].mean()) if known.any() else None
    total = float(weights[known].sum())
    return float(values[known] @ weights[known]) / total if total > 0 else None


def _weighs(release: Release) -> bool:
    """Whether users have weights to work with: those of the original alone would not be fair."""
    return release.roles.weight in release.masked.table.column_names


def _original_weights(release: Release) -> FloatVector | None:
    return release.masked.prepared.weights if _weighs(release) else None


def _released_weights(release: Release) -> FloatVector | None:
    if not _weighs(release):
        return None
    return np.array(release.masked.table[release.roles.weight], dtype=np.float64)
