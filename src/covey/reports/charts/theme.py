"""The colours and type of every chart, and what each colour becomes on a dark page.

Charts use no colour that is not named here. A page can then re-colour a drawn chart by CSS alone
(`RECOLOURED` says how), and one drawing serves light, dark and paper.
"""

from __future__ import annotations

from typing import Any, TypeAlias

Spec: TypeAlias = dict[str, Any]

INK = "#22303c"
MUTED = "#566573"
GRID = "#e1e6ea"
SURFACE = "#ffffff"
ORIGINAL = "#b4c0ca"
ACCENT = "#0072b2"
LIMIT = "#b3261e"
ON_STRONG = "#fefefe"  # text on a strong colour; not SURFACE, for on a dark page it turns dark

# Okabe & Ito's palette, which people with any kind of colour vision can tell apart. Its black is
# our ink, and its yellow comes last because it is pale on paper.
OKABE_ITO = (ACCENT, "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", INK, "#f0e442")

# From falling (orange) over unchanged to rising (blue).
DIVERGING = (
    "#b45309",
    "#dd8b45",
    "#f2c193",
    "#fae5d0",
    "#f3f5f7",
    "#d6e8f6",
    "#9ac7e8",
    "#62a5d6",
    "#0b5a95",
)

# Colours that are not named here are bright enough for both.
RECOLOURED = {
    INK: "#e3eaf0",
    MUTED: "#a3b1bd",
    GRID: "#33414d",
    SURFACE: "#17212a",
    ORIGINAL: "#5d6c79",
    ACCENT: "#5cb3ea",
    LIMIT: "#ff8f85",
    ON_STRONG: "#101820",
    "#d55e00": "#f08a3c",
    "#009e73": "#35c79b",
    "#b45309": "#f7a456",
    "#dd8b45": "#955b26",
    "#f2c193": "#6f4a26",
    "#fae5d0": "#4a3a2b",
    "#f3f5f7": "#26323d",
    "#d6e8f6": "#233f55",
    "#9ac7e8": "#2a5377",
    "#62a5d6": "#2f6c9e",
    "#0b5a95": "#86c7f7",
}

COLOURS = frozenset(OKABE_ITO + DIVERGING) | frozenset(RECOLOURED)

# Families of one width, so that text takes the room it was measured to take, on any system.
FONT = "Helvetica Neue, Helvetica, Arial, Liberation Sans, sans-serif"
TEXT_SIZE = 12

_AXIS = {
    "domainColor": MUTED,
    "tickColor": MUTED,
    "gridColor": GRID,
    "labelColor": MUTED,
    "titleColor": INK,
    "labelFontSize": TEXT_SIZE,
    "titleFontSize": TEXT_SIZE,
    "titleFontWeight": "normal",
    "titlePadding": 8,
    "labelLimit": 120,
    "titleLimit": 420,
    "labelPadding": 4,
    "tickSize": 4,
    "labelFlush": False,
}
_LEGEND = {
    "labelColor": INK,
    "titleColor": MUTED,
    "labelFontSize": TEXT_SIZE,
    "titleFontSize": TEXT_SIZE,
    "titleFontWeight": "normal",
    "symbolStrokeColor": INK,
    "labelLimit": 160,
}

# Vega's own labels of single marks are switched off: a thousand of them help nobody. The chart as
# a whole has one, its description.
CONFIG: Spec = {
    "aria": False,
    "background": SURFACE,
    "font": FONT,
    "padding": 6,
    "view": {"stroke": None},
    "axis": _AXIS,
    "legend": _LEGEND,
    "text": {"color": INK, "fontSize": TEXT_SIZE},
    "line": {"color": ACCENT},
    "bar": {"color": ACCENT},
    "point": {"color": ACCENT, "opacity": 1},
    "rule": {"color": MUTED},
    "rect": {"color": GRID},
}

SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"


def chart(description: str, width: int, height: int, **rest: Any) -> Spec:
    """A spec in the house's dress; `description` is what a screen reader says instead."""
    return {
        "$schema": SCHEMA,
        "description": description,
        "width": width,
        "height": height,
        "config": CONFIG,
        **rest,
    }


def fitted() -> Spec:
    """Width and height are those of the whole picture, so that pictures in a grid line up."""
    return {"type": "fit", "contains": "padding"}
