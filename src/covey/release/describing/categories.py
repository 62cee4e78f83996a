"""What categories lost, ordered or not."""

from __future__ import annotations

import numpy as np

from covey.measures.loss import category_losses
from covey.measures.loss.categories import CategoryLoss
from covey.release.release import Release


def losses_of_categories(release: Release) -> dict[str, CategoryLoss]:
    """Share changed and shift of the distribution of every nominal and ordinal variable."""
    coded = release.coded
    names = [*coded.nominal, *coded.ordinal_names]
    if not names:
        return {}
    return category_losses(coded.original, coded.released, names).by_variable


def lost_levels(release: Release) -> dict[str, list[str]]:
    """Levels of every quasi-identifier that occur in the original and not in the release."""
    found = {}
    for j, variable in enumerate(release.masked.prepared.variables):
        if not variable.is_category:
            continue
        released = release.masked.values[:, j]
        lost = np.setdiff1d(variable.values[variable.known], released[~np.isnan(released)])
        if lost.size:
            names = variable.categories.to_pylist()
            found[variable.name] = [str(names[int(code)]) for code in lost]
    return found
