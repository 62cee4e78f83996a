"""Records become groups: where each record was, and where its group is released."""

from __future__ import annotations

from collections.abc import Sequence

from covey.reports.charts.theme import ACCENT, ORIGINAL, SURFACE, Spec, chart


def groups_map(
    x: Sequence[float],
    y: Sequence[float],
    labels: Sequence[int],
    gx: Sequence[float],
    gy: Sequence[float],
    x_title: str = "first direction",
    y_title: str = "second direction",
    width: int = 480,
    height: int = 400,
) -> Spec:
    """Faint originals, tied to the released point of their group.

    Parameters
    ----------
    x, y : sequences of float
        The records in two directions.
    labels : sequence of int
        The group of each record: a place in `gx` and `gy`.
    gx, gy : sequences of float
        The released point of each group.
    x_title, y_title : str
        What the two directions are.

    More than about 1,500 records turn into a cloud: give whole groups of a sample instead.
    """
    records = [
        {"x": float(a), "y": float(b), "gx": float(gx[g]), "gy": float(gy[g])}
        for a, b, g in zip(x, y, labels, strict=True)
    ]
    groups = _groups(labels, gx, gy)
    return chart(
        f"Map of {len(records)} records, each tied by a line to the released point of its group; "
        f"{len(groups)} groups.",
        width,
        height,
        layer=[_ties(records), _originals(records), _released(groups)],
        encoding={"x": _place("x", x_title), "y": _place("y", y_title)},
    )


def _groups(labels: Sequence[int], gx: Sequence[float], gy: Sequence[float]) -> list[Spec]:
    sizes: dict[int, int] = {}
    for label in labels:
        sizes[int(label)] = sizes.get(int(label), 0) + 1
    return [
        {"x": float(gx[group]), "y": float(gy[group]), "size": size}
        for group, size in sorted(sizes.items())
    ]


def _place(field: str, title: str) -> Spec:
    return {
        "field": field,
        "type": "quantitative",
        "title": title,
        "scale": {"zero": False, "nice": True},
        "axis": {"tickCount": 6},
    }


def _ties(records: list[Spec]) -> Spec:
    return {
        "data": {"values": records},
        "mark": {"type": "rule", "color": ORIGINAL, "strokeWidth": 0.8},
        "encoding": {"x2": {"field": "gx"}, "y2": {"field": "gy"}},
    }


def _originals(records: list[Spec]) -> Spec:
    return {
        "data": {"values": records},
        "mark": {"type": "point", "filled": True, "size": 14, "color": ORIGINAL},
    }


def _released(groups: list[Spec]) -> Spec:
    sizes = [group["size"] for group in groups]
    return {
        "data": {"values": groups},
        "mark": {
            "type": "point",
            "filled": True,
            "color": ACCENT,
            "stroke": SURFACE,
            "strokeWidth": 0.8,
        },
        "encoding": {
            "size": {
                "field": "size",
                "type": "quantitative",
                "legend": None,
                "scale": {"domain": [0, max(sizes)], "range": [0, 64]},
            },
        },
    }
