"""How many groups there are of each size."""

from __future__ import annotations

from collections.abc import Mapping

from covey.reports.charts.theme import ACCENT, INK, Spec, chart, fitted


def group_sizes(sizes: Mapping[int, int], k: int, width: int = 420, height: int = 230) -> Spec:
    """Bars of the number of groups by size, with a mark at k, below which there must be none."""
    bars = [
        {"size": int(size), "from": size - 0.4, "to": size + 0.4, "groups": int(groups)}
        for size, groups in sorted(sizes.items())
    ]
    limit = {"data": {"values": [{"k": k - 0.5, "text": f"k = {k}"}]}}
    return chart(
        f"Number of groups by size, k is {k}: sizes from {min(sizes)} to {max(sizes)}.",
        width,
        height,
        autosize=fitted(),
        layer=[_bars(bars, k), limit | _line(), limit | _name()],
    )


def _bars(bars: list[Spec], k: int) -> Spec:
    low = min(k, bars[0]["size"]) - 2
    high = max(bars[-1]["size"], k + 4) + 1
    return {
        "data": {"values": bars},
        "mark": {"type": "bar", "color": ACCENT},
        "encoding": {
            "x": {
                "field": "from",
                "type": "quantitative",
                "title": "records in the group",
                "scale": {"domain": [low, high], "nice": False, "zero": False},
                "axis": {"grid": False, "tickMinStep": 1, "format": "d"},
            },
            "x2": {"field": "to"},
            "y2": {"datum": 0},
            "y": {
                "field": "groups",
                "type": "quantitative",
                "title": "groups",
                "axis": {"tickCount": 5, "tickMinStep": 1, "domain": False, "ticks": False},
            },
        },
    }


def _line() -> Spec:
    return {
        "mark": {"type": "rule", "color": INK, "strokeDash": [4, 3]},
        "encoding": {"x": {"field": "k", "type": "quantitative"}},
    }


def _name() -> Spec:
    return {
        "mark": {"type": "text", "align": "right", "dx": -5, "y": 8, "color": INK},
        "encoding": {
            "x": {"field": "k", "type": "quantitative"},
            "text": {"field": "text"},
        },
    }
