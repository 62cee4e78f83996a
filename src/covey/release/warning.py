"""Warnings of what is legal but risky."""

from __future__ import annotations

import warnings

from covey.errors import DisclosureWarning
from covey.release.preparing import (
    Prepared,
    warn_about_names,
    warn_about_unnamed,
    warn_about_weights,
)
from covey.release.settings import Settings
from covey.tables.column_facts import looks_coded


def warn_about(prepared: Prepared, settings: Settings, *, counts: bool = True) -> None:
    """Warn of what is legal but risky in the columns and the settings.

    `counts` tells whether all records are there, so that different values can be counted.
    """
    warn_about_weights(prepared)
    if settings.quasi_identifiers is None:
        warn_about_unnamed(prepared, counts=counts)
    if counts:
        warn_about_names(prepared, int(settings.k))
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
