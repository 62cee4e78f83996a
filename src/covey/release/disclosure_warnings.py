"""Warnings of what is legal but risky."""

from __future__ import annotations

import warnings

from covey.errors import DisclosureWarning
from covey.release.copies import warn_about_copies
from covey.release.prepared import (
    Prepared,
    warn_about_names,
    warn_about_unnamed,
    warn_about_weights,
)
from covey.release.settings import Settings
from covey.tables.column_facts import looks_coded


def warn_about(prepared: Prepared, settings: Settings, *, of_records: int | None = None) -> None:
    """Warn of what is legal but risky in the columns and the settings.

    `of_records` is the number of all records, if these may be a sample of them: different values
    are counted where all are there; in a sample, text that hardly repeats is enough.
    """
    counts = of_records in (None, prepared.n_records)
    warn_about_weights(prepared)
    if settings.quasi_identifiers is None:
        warn_about_unnamed(prepared, counts=counts)
    warn_about_names(prepared, int(settings.k), is_sample=not counts)
    warn_about_copies(prepared, of_records=of_records)
    coded = [variable.name for variable in prepared.variables if looks_coded(variable)]
    if coded:
        warnings.warn(
            f"The lowest value of {', '.join(map(repr, coded))} is negative, repeated and looks "
            "like a code. If it means 'unknown', empty these cells first: it is averaged as a "
            "number.",
            DisclosureWarning,
            stacklevel=2,
        )
    if settings.contributors < min(3, settings.k):
        warnings.warn(
            f"Values that only {settings.contributors} member(s) of a group stand behind are "
            "released: they may be the values of those members.",
            DisclosureWarning,
            stacklevel=2,
        )
