"""Records become groups: where each record was, and where its group is released."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from covey.reports.charts.rendering import Handles
from covey.reports.charts.theme import ACCENT, ORIGINAL, SURFACE, Spec, chart

GROUP = "data-group"
FEW = 200  # one record of so many, on each side, may be far from the others


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

    More than about 1,500 records turn into a cloud: give whole groups of a sample instead. Records
    that lie so far away that the others would be one blot are outside; see `far_away`.
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
        encoding={"x": _place("x", x_title, near(x)), "y": _place("y", y_title, near(y))},
    )


def near(values: Sequence[float]) -> tuple[float, float]:
    """The ends of an axis that shows all values but the few that lie far away.

    Examples
    --------
    >>> near([0.0, 4.0, 10.0])
    (0.0, 10.0)
    """
    ranked = sorted(values)
    few = len(ranked) // FEW
    core = ranked[few : len(ranked) - few]
    reach = 0.5 * (core[-1] - core[0])
    shown = [value for value in ranked if core[0] - reach <= value <= core[-1] + reach]
    return float(shown[0]), float(shown[-1])


def far_away(x: Sequence[float], y: Sequence[float]) -> int:
    """How many records lie outside the map.

    Examples
    --------
    >>> far_away([0.0, 1.0, 2.0], [0.0, 1.0, 2.0])
    0
    """
    (left, right), (low, high) = near(x), near(y)
    return sum(not (left <= a <= right and low <= b <= high) for a, b in zip(x, y, strict=True))


def handles_of(labels: Sequence[int], tip: Callable[[int], str]) -> Handles:
    """What lets a page light up a whole group: its number on each mark, and a tip on its point.

    `tip` gives the words for a group of so many records.
    """
    members = [{GROUP: str(int(label))} for label in labels]
    sizes = sorted(Counter(map(int, labels)).items())
    points = [{GROUP: str(label), "data-tip": tip(size)} for label, size in sizes]
    return {"ties": members, "originals": members, "released": points}


def _groups(labels: Sequence[int], gx: Sequence[float], gy: Sequence[float]) -> list[Spec]:
    return [
        {"x": float(gx[group]), "y": float(gy[group]), "size": size}
        for group, size in sorted(Counter(map(int, labels)).items())
    ]


def _place(field: str, title: str, ends: tuple[float, float]) -> Spec:
    return {
        "field": field,
        "type": "quantitative",
        "title": title,
        "scale": {"zero": False, "nice": True, "domain": list(ends)},
        "axis": {"tickCount": 6},
    }


def _ties(records: list[Spec]) -> Spec:
    return {
        "data": {"values": records},
        "name": "ties",
        "mark": {"type": "rule", "color": ORIGINAL, "strokeWidth": 0.8, "clip": True},
        "encoding": {"x2": {"field": "gx"}, "y2": {"field": "gy"}},
    }


def _originals(records: list[Spec]) -> Spec:
    return {
        "data": {"values": records},
        "name": "originals",
        "mark": {"type": "point", "filled": True, "size": 14, "color": ORIGINAL, "clip": True},
    }


def _released(groups: list[Spec]) -> Spec:
    sizes = [group["size"] for group in groups]
    return {
        "name": "released",
        "data": {"values": groups},
        "mark": {
            "type": "point",
            "clip": True,
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
