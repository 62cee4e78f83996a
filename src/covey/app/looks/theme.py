"""What stands in the head of every page: the style sheet and the scripts, all from here."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from covey.reports.charts.theme import RECOLOURED

FAVICON = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" stroke="#0072b2" '
    'stroke-width="2.2" fill="#0072b2"><path d="M16 16 6 8M16 16l11-6M16 16l-8 10M16 16l9 10" '
    'fill="none"/><g stroke="none"><circle cx="16" cy="16" r="5.5"/><circle cx="5.5" cy="7.5" '
    'r="3"/><circle cx="27" cy="9" r="3"/><circle cx="8" cy="26.5" r="3"/><circle cx="25.5" '
    'cy="26" r="3"/></g></svg>'
)


@cache
def head() -> str:
    """Style and behaviour, as the head of a page takes them."""
    style = _asset("style.css") + _dark_charts()
    return (
        f"<script>{_asset('early.js')}</script><style>{style}</style>"
        f"<script>{_asset('behaviour.js')}</script>"
    )


def _asset(name: str) -> str:
    return (files("covey.app.looks") / name).read_text(encoding="utf-8")


def _dark_charts() -> str:
    """The colours that the charts of the reports have on a dark page."""
    return "".join(
        f':root[data-dark] .chart [{paint}="{light}"] {{ {paint}: {dark}; }}\n'
        for light, dark in RECOLOURED.items()
        for paint in ("fill", "stroke")
    )
