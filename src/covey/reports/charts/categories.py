"""One categorical variable before and after, or after alone."""

from __future__ import annotations

from collections.abc import Sequence

from covey.errors import InvalidParameter
from covey.reports.charts.theme import ACCENT, ORIGINAL, Spec, chart, fitted

MOST_LEVELS = 10
ROW, FRAME = 19, 60  # pixels a level takes, and the axis and its title


def categories(
    name: str,
    levels: Sequence[str],
    original_shares: Sequence[float] | None,
    released_shares: Sequence[float],
    width: int = 320,
    height: int | None = None,
) -> Spec:
    """Share of each level, in percent: a wide bar for the original, a narrow one for the release.

    Levels beyond the ten most frequent of the release are put together.
    """
    rows = _rows(levels, original_shares, released_shares)
    if original_shares is None:
        layers, shown = [_bars(rows, "released", name, ACCENT, 0.7)], "released"
    else:
        layers = [
            _bars(rows, "original", name, ORIGINAL, 0.8),
            _bars(rows, "released", name, ACCENT, 0.32),
        ]
        shown = "original and released"
    return chart(
        f"Shares of the {len(levels)} levels of {name}, {shown}.",
        width,
        height or FRAME + ROW * len(rows),
        autosize=fitted(),
        layer=layers,
    )


def _rows(
    levels: Sequence[str], original: Sequence[float] | None, released: Sequence[float]
) -> list[Spec]:
    before = released if original is None else original
    if not len(levels) == len(before) == len(released):
        raise InvalidParameter(f"{len(levels)} levels need as many shares of each kind.")
    rows = [
        {"level": str(level), "original": float(old), "released": float(new)}
        for level, old, new in zip(levels, before, released, strict=True)
    ]
    return rows if len(rows) <= MOST_LEVELS else _folded(rows)


def _folded(rows: list[Spec]) -> list[Spec]:
    ranked = sorted(rows, key=lambda row: -row["released"])
    shown, rest = ranked[: MOST_LEVELS - 1], ranked[MOST_LEVELS - 1 :]
    together = {kind: sum(row[kind] for row in rest) for kind in ("original", "released")}
    return [*shown, {"level": f"{len(rest)} others", **together}]


def _bars(rows: list[Spec], field: str, title: str, colour: str, thickness: float) -> Spec:
    return {
        "data": {"values": rows},
        "mark": {"type": "bar", "color": colour, "height": {"band": thickness}},
        "encoding": {
            "y": {
                "field": "level",
                "type": "nominal",
                "sort": None,
                "title": None,
                "axis": {"ticks": False, "domain": False, "labelLimit": 110},
            },
            "x": {
                "field": field,
                "type": "quantitative",
                "title": f"{title}, percent of records",
                "axis": {"tickCount": 4, "domain": False, "ticks": False, "titleLimit": 260},
            },
        },
    }
