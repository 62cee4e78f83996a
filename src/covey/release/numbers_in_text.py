"""Numbers that are written as text: "12 thousand", "1,234.56", "EUR 80"."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from covey.tables.variables import Variable
from covey.types import FloatVector

# So large a share of the records must have a number for text to be read as numbers.
NEARLY_ALL = 0.95
# A sign, digits with or without marks between thousands, and decimals.
NUMBER = re.compile(r"(?<!\w)[-−+]?\d+(?:['’\s]\d{3}(?!\d)|[.,]\d+)*")
THOUSANDS = re.compile(r"[-+]?\d{1,3}(,\d{3})+")


def numbers_in_text(variable: Variable) -> FloatVector:
    """The first number in the text of each record; all NaN where many have none."""
    nothing = np.full(variable.values.size, np.nan)
    known = variable.known
    if variable.categories is None or not known.any():
        return nothing
    found = np.array([_first_number(value) for value in variable.categories.to_pylist()])
    numbers = nothing.copy()
    numbers[known] = found[variable.values[known].astype(np.int64)]
    return numbers if (~np.isnan(numbers[known])).mean() >= NEARLY_ALL else nothing


def _first_number(value: Any) -> float:
    found = NUMBER.search(value) if isinstance(value, str) else None
    return np.nan if found is None else _as_number(found.group())


def _as_number(text: str) -> float:
    """A number with marks between thousands, and a point or a comma before its decimals."""
    text = re.sub(r"['’\s]", "", text.replace("−", "-"))
    point, comma = text.rfind("."), text.rfind(",")
    if comma > point and not THOUSANDS.fullmatch(text):
        text = text.replace(".", "").replace(",", ".")
    text = text.replace(",", "")
    if text.count(".") > 1:
        text = text.replace(".", "")
    return float(text)
