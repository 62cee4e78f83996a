"""What categories lost, ordered or not."""

from __future__ import annotations

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
