"""Strata that were too small and were put together."""

from __future__ import annotations

import numpy as np

from covey.release.release import Release
from covey.tables.categories import plain_values

RELABELLED = "small strata put together, otherwise not changed"


def relabelled_strata(release: Release) -> tuple[str, ...]:
    """Stratum columns in which some records have another label than before.

    Merging need not change every one of them: strata that were put together may differ in one
    column only, or in what is missing.
    """
    if not release.merged:
        return ()
    coded = release.coded
    return tuple(
        name
        for name in release.roles.strata
        if not np.array_equal(coded.original[name], coded.released[name], equal_nan=True)
    )


def new_labels(release: Release, name: str) -> list[str]:
    """Labels that came into being; the released file shows them anyway."""
    before = set(plain_values(release.masked.prepared.table[name]).to_pylist())
    after = set(plain_values(release.masked.table[name]).to_pylist())
    return sorted(str(label) for label in after - before if label is not None)
