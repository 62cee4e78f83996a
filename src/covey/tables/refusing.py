"""How columns that cannot be averaged are refused. No message shows a value."""

from __future__ import annotations

import numpy as np

from covey.errors import SchemaError
from covey.types import FloatVector

ADVICE = (
    "Microaggregation averages numbers; leave these columns out or turn them into numbers first."
)


def not_numeric(names: list[str]) -> SchemaError:
    return SchemaError(f"Not numeric: {listed(names)}. {ADVICE}")


def beyond_floats(values: FloatVector) -> bool:
    """Whether whole numbers are too large for a float to hold every one of them."""
    return bool((np.abs(values) > 2.0**53).any())


def refuse_huge(names: list[str]) -> None:
    if names:
        raise SchemaError(
            f"Whole numbers beyond 2^53 in {listed(names)}: these look like identifiers, and "
            "their digits would be lost. Leave them out, or turn measurements into floats first."
        )


def listed(names: list[str], quote: bool = True, most: int = 8) -> str:
    shown = [repr(name) if quote else name for name in names[:most]]
    return "columns " + ", ".join(shown) + (" …" if len(names) > most else "")
