"""Values that a file declares as missing: ranges in SPSS, the tags .a to .z in Stata and SAS."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple


class Values(NamedTuple):
    """Values with None where one is missing, and whether some were declared so."""

    kept: list[Any]
    user_missing: bool


class Missing(NamedTuple):
    """Ranges of missing values; `tags` tells that a text among the numbers is a tag."""

    ranges: Sequence[dict[str, Any]]
    tags: bool

    def includes(self, value: Any) -> bool:
        """Whether the value is declared as missing."""
        if isinstance(value, str) and self.tags:
            return True
        return any(part["lo"] <= value <= part["hi"] for part in self.ranges)

    def kept(self, labels: dict[Any, str]) -> dict[Any, str]:
        """The labels of values that are not missing."""
        return {value: text for value, text in labels.items() if not self.includes(value)}


def without_missing(values: Sequence[Any], missing: Missing) -> Values:
    """Replace user-missing values by None."""
    kept = [None if value is None or missing.includes(value) else value for value in values]
    return Values(kept, kept.count(None) > sum(value is None for value in values))
