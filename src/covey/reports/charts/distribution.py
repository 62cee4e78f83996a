"""One numeric variable before and after, or after alone."""

from __future__ import annotations

from collections.abc import Sequence

from covey.errors import InvalidParameter
from covey.reports.charts.theme import ACCENT, ORIGINAL, Spec, chart, fitted

# Numbers between these may be years of the calendar.
EARLIEST, LATEST, FEWEST_YEARS = 1000, 2999, 5


def distribution(
    name: str,
    original_counts: Sequence[float] | None,
    released_counts: Sequence[float],
    bin_edges: Sequence[float],
    unit: str | None = None,
    width: int = 320,
    height: int = 200,
) -> Spec:
    """Records per interval: the original as filled bars, the release as a line over them.

    Without `original_counts` the release takes the bars: a reader outside sees nothing else.
    """
    _require_one_more_edge(released_counts, bin_edges)
    axis = f"{name} ({unit})" if unit else name
    years = unit == "year" or _like_years(bin_edges)
    if original_counts is None:
        bars = _bars(_intervals(bin_edges, released_counts), axis, ACCENT, years)
        layers, shown = [bars], "released"
    else:
        _require_one_more_edge(original_counts, bin_edges)
        bars = _bars(_intervals(bin_edges, original_counts), axis, ORIGINAL, years)
        layers, shown = [bars, _steps(bin_edges, released_counts)], "original and released"
    description = f"Distribution of {name}, {shown}: records in {len(released_counts)} intervals."
    return chart(description, width, height, autosize=fitted(), layer=layers)


def _require_one_more_edge(counts: Sequence[float], edges: Sequence[float]) -> None:
    if len(edges) != len(counts) + 1:
        raise InvalidParameter(
            f"{len(counts)} counts need {len(counts) + 1} bin edges; got {len(edges)}."
        )


def _intervals(edges: Sequence[float], counts: Sequence[float]) -> list[Spec]:
    return [
        {"from": float(low), "to": float(high), "count": float(count)}
        for low, high, count in zip(edges[:-1], edges[1:], counts, strict=True)
    ]


def _like_years(edges: Sequence[float]) -> bool:
    """A column of birth years has no unit, and 1,940 is no year."""
    low, high = edges[0], edges[-1]
    return low >= EARLIEST and high <= LATEST and high - low >= FEWEST_YEARS


def _bars(intervals: list[Spec], title: str, colour: str, years: bool) -> Spec:
    scale = {"nice": False, "domain": [intervals[0]["from"], intervals[-1]["to"]]}
    axis: Spec = {"grid": False, "tickCount": 5, "labelOverlap": True}
    axis |= {"format": "d", "tickMinStep": 1} if years else {}
    return {
        "data": {"values": intervals},
        "mark": {"type": "bar", "color": colour, "binSpacing": 1},
        "encoding": {
            "x": {
                "field": "from",
                "type": "quantitative",
                "bin": "binned",
                "title": title,
                "scale": scale,
                "axis": axis | {"titleLimit": 260},
            },
            "x2": {"field": "to"},
            "y": _height(),
        },
    }


def _height() -> Spec:
    return {
        "field": "count",
        "type": "quantitative",
        "title": "records",
        "axis": {"tickCount": 4, "domain": False, "ticks": False},
    }


def _steps(edges: Sequence[float], counts: Sequence[float]) -> Spec:
    """A line along the tops, from the ground up and down to it again."""
    heights = [float(count) for count in counts]
    outline = zip([edges[0], *edges], [0.0, *heights, 0.0], strict=True)
    points = [
        {"from": float(edge), "count": height, "order": i}
        for i, (edge, height) in enumerate(outline)
    ]
    return {
        "data": {"values": points},
        "mark": {"type": "line", "interpolate": "step-after", "color": ACCENT, "strokeWidth": 2},
        "encoding": {
            "x": {"field": "from", "type": "quantitative"},
            "y": {"field": "count", "type": "quantitative"},
            "order": {"field": "order", "type": "quantitative"},
        },
    }
