"""Cells that lost their value and codes that were averaged, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

# Why cells lost their value.
TOO_FEW = "too few records stand behind a value"
NO_LABEL = "small strata put together, and no value of the column is true for all of them"


def averaged_in_words(columns: Sequence[str]) -> str:
    """What to do about codes that were averaged; empty without any."""
    if not columns:
        return ""
    return (
        f"{', '.join(columns)}: few whole numbers, released as means. If they are codes, name them "
        "as nominal, or list the codes from low to high as ordinal"
    )


def emptied_in_words(
    emptied: Mapping[str, int], strata: Sequence[str], lost_weights: Mapping[str, float]
) -> str:
    """Columns in which cells lost their value, how many, why, and what of a weight is lost."""
    merged = {name: count for name, count in emptied.items() if name in strata}
    others = {name: count for name, count in emptied.items() if name not in strata}
    said = [_cells_in_words(others, TOO_FEW), _cells_in_words(merged, NO_LABEL)]
    said += [lost_in_words(lost_weights)]
    return "; ".join(text for text in said if text)


def _cells_in_words(emptied: Mapping[str, int], reason: str) -> str:
    if not emptied:
        return ""
    total = sum(emptied.values())
    columns = ", ".join(f"{name} {count}" for name, count in emptied.items())
    cells = "1 cell" if total == 1 else f"{total} cells"
    return f"{cells} ({columns}): {reason}"


def lost_in_words(lost_weights: Mapping[str, float]) -> str:
    """How much of the total of each weight is lost; empty where none is."""
    return ", ".join(
        f"{name} loses {percent:.2f} % of its total" for name, percent in lost_weights.items()
    )
