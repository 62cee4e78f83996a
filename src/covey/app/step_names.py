"""What the list of steps says of a change."""

from __future__ import annotations

from typing import Any

MOST_NAMED = 3


def change_in_words(changes: dict[str, Any]) -> str:
    """The names of what was changed, and what it is now.

    >>> change_in_words({"roles": {"age": "confidential"}, "k": 5})
    'age: confidential, k: 5'
    """
    words = []
    for name, value in changes.items():
        if isinstance(value, dict):
            words += [f"{column}: {_said(part)}" for column, part in value.items()]
        else:
            words.append(f"{name.replace('_', ' ')}: {_said(value)}")
    more = len(words) - MOST_NAMED
    return ", ".join(words[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def _said(value: Any) -> str:
    if isinstance(value, tuple | list):
        return " < ".join(map(str, value))
    return "as detected" if value is None else str(value)
