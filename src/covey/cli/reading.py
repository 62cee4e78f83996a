"""What users write behind options, as Python values."""

from __future__ import annotations

import ast
from typing import Any

from covey.errors import InvalidParameter


def column_names(given: list[str] | None, option: str) -> list[str] | None:
    """Comma-separated names, from one option or several; None if the option was not used."""
    if given is None:
        return None
    names = [name.strip() for text in given for name in text.split(",") if name.strip()]
    if not names:
        raise InvalidParameter(f"{option} names no column.")
    return names


def parameter_values(settings: list[str] | None) -> dict[str, Any]:
    """NAME=VALUE settings: numbers, lists, True, False and None as such, anything else as text."""
    values = {}
    for setting in settings or []:
        name, equals, text = setting.partition("=")
        if not equals:
            raise InvalidParameter(f"--set takes NAME=VALUE; got {setting!r}.")
        try:
            values[name.strip()] = ast.literal_eval(text)
        except (SyntaxError, ValueError):
            values[name.strip()] = text
    return values
