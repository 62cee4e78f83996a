"""Whether identifiers are released: those that were named, and columns that look like some."""

from __future__ import annotations

from covey.release.prepared import kept_identifiers, unnamed_identifiers
from covey.release.release import Release
from covey.reports.content_types.internal import Check


def no_identifier(release: Release) -> Check:
    """The check of the internal report; it does not pass while a column looks like one."""
    named, likely = release.roles.identifiers, likely_identifiers(release)
    finding = f"{len(named)} identifier(s) removed" if named else "no identifier was named"
    if likely:
        looks = "looks like one and is" if len(likely) == 1 else "look like some and are"
        finding += f"; {', '.join(likely)} {looks} released"
    released = set(named) & set(release.masked.table.column_names)
    return {
        "name": "No identifier is released",
        "passed": not released and not likely,
        "finding": finding,
    }


def likely_identifiers(release: Release) -> list[str]:
    """Released columns that a warning calls likely identifiers."""
    prepared, settings = release.masked.prepared, release.settings
    unnamed = unnamed_identifiers(prepared) if settings.quasi_identifiers is None else {}
    return [*unnamed, *kept_identifiers(prepared, int(settings.k))]
