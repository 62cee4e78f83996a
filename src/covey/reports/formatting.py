"""Numbers as a reader sees them: thousands apart, no false digits, a dash for what is not there."""

from __future__ import annotations

import re
from typing import Any

NOTHING = "–"
MINUS = "−"


def count(value: int | None) -> str:
    """A whole number.

    >>> count(12345)
    '12,345'
    """
    return NOTHING if value is None else f"{value:,}".replace("-", MINUS)


def figure(value: float | None, decimals: int = 2) -> str:
    """A number with a fixed number of decimals, so that a column of them lines up.

    >>> figure(-1234.5678), figure(-0.001), figure(None)
    ('−1,234.57', '0.00', '–')
    """
    if value is None:
        return NOTHING
    text = f"{value:,.{decimals}f}"
    is_zero = not text.strip("-0.,")
    return text.lstrip("-") if is_zero else text.replace("-", MINUS)


def signed(value: float | None, decimals: int = 2) -> str:
    """A change: its sign always shows, unless it rounds to nothing.

    >>> signed(0.5), signed(-0.5), signed(0.0001)
    ('+0.50', '−0.50', '0.00')
    """
    text = figure(value, decimals)
    grew = value is not None and value > 0 and bool(text.strip("0.,"))
    return f"+{text}" if grew else text


def percent(value: float | None, decimals: int = 2) -> str:
    """A figure that is in percent already, with the sign that says so, kept on its line.

    >>> percent(3.14159).split(), percent(None)
    (['3.14', '%'], '–')
    """
    return NOTHING if value is None else f"{figure(value, decimals)}\xa0%"


def breakable(name: str) -> Any:
    """A name that may be broken where its parts meet, rather than anywhere, and is escaped.

    >>> breakable("net_income <b>")
    Markup('net_<wbr>income &lt;b&gt;')
    """
    from markupsafe import Markup, escape

    return Markup("<wbr>").join(escape(part) for part in re.split(r"(?<=[_./-])(?=\w)", name))
