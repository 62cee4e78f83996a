"""How statistics packages may show a variable: formats and widths that they can hold."""

from __future__ import annotations

import re
from typing import Any

LONGEST_TEXT = 32_767  # bytes of a text of SPSS
WIDEST = 255  # letters that SPSS shows of a column

_SPSS_NUMBERS = (
    "F|N|E|Z|P|PK|IB|PIB|PIBHEX|RB|RBHEX|COMMA|DOT|DOLLAR|PCT|CC[A-E]|"
    "[AEJS]?DATE|DATETIME|YMDHMS|[DM]?TIME|QYR|MOYR|WKYR|WKDAY|MONTH"
)
# By family: the formats of numbers and of texts.
_FORMATS = {
    "SPSS": (rf"(?:{_SPSS_NUMBERS})\d{{0,2}}(?:\.\d{{0,2}})?", r"A(?:HEX)?(\d{1,5})"),
    "Stata": (
        r"%[-~0]?\d{0,2}(?:[.,]\d{1,2})?[efg]c?|%21x|%16[HL]|%8[HL]|%-?(?:t[A-Za-z]|d)[ -~]{0,44}",
        r"%[-~]?\d{1,5}s",
    ),
    "SAS": (r"(?:[A-Za-z_]\w{0,31})?\.?\d{0,2}(?:\.\d{0,2})?", r"\$?\w{0,32}(?:\.\d{0,2})?"),
}


def known_format(text: Any, family: str, is_text: bool) -> str | None:
    """A format that the package knows for numbers or for texts; None for any other."""
    if not isinstance(text, str):
        return None
    found = re.fullmatch(_FORMATS[family][is_text], text, re.ASCII)
    if found is None:
        return None
    too_wide = family == "SPSS" and is_text and int(found[1]) > LONGEST_TEXT
    return None if too_wide else text


def known_width(value: Any) -> int | None:
    """How wide a column is shown; None for what is no width."""
    if not isinstance(value, int | float) or not 0 < value <= WIDEST:
        return None
    return int(value)
