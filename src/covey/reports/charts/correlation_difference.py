"""Which correlations the release moved, and which way."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise

from covey.reports.charts.theme import DIVERGING, INK, ON_STRONG, SURFACE, Spec, chart

# The same classes for every release, so that two reports can be laid side by side.
BOUNDS = (-0.2, -0.1, -0.05, -0.02, 0.02, 0.05, 0.1, 0.2)
STRONG = 0.2  # from here on a cell is dark enough for light text
MOST_VARIABLES_WITH_FIGURES = 14
FEWEST_FOR_INNER_LEGEND = 12  # then the empty half has room for it
CELL, WIDEST = 42, 560  # pixels


def correlation_difference(names: Sequence[str], matrix: Sequence[Sequence[float | None]]) -> Spec:
    """Released minus original correlation of every pair, each pair once.

    Orange fell, blue rose. A pair without a correlation (a variable that does not vary) is None
    and stays blank. Up to 14 variables the figures are printed in the cells.
    """
    cells = _cells(len(names), matrix)
    width, height = _extent(len(names))
    layers = [_squares(len(names))]
    if len(names) <= MOST_VARIABLES_WITH_FIGURES:
        layers.append(_figures())
    return chart(
        _description(names, cells),
        width,
        height,
        data={"values": cells},
        encoding={
            "x": _side("column", names, range(len(names) - 1), -40),
            "y": _side("row", names, range(1, len(names)), 0),
        },
        layer=layers,
    )


def _cells(n_variables: int, matrix: Sequence[Sequence[float | None]]) -> list[Spec]:
    """Positions, not names, place a cell: two columns may have the same name cut short."""
    return [
        {"row": i, "column": j, "difference": value, "text": signed(value), "class": _class(value)}
        for i in range(1, n_variables)
        for j, value in enumerate(matrix[i][:i])
        if value is not None
    ]


def signed(value: float) -> str:
    """Two decimals with a sign, but no sign for what rounds to nothing.

    >>> signed(-0.125), signed(0.001)
    ('−0.12', '0.00')
    """
    return "0.00" if abs(value) < 0.005 else f"{value:+.2f}".replace("-", "−")


def _class(value: float) -> str:
    return _class_names()[bisect_right(BOUNDS, value)]


def _class_names() -> list[str]:
    ends = [signed(bound) for bound in BOUNDS]
    between = [f"{low} to {high}" for low, high in pairwise(ends)]
    return [f"below {ends[0]}", *between, f"{ends[-1]} and more"]


def _extent(n_variables: int) -> tuple[int, int]:
    cell = min(CELL, WIDEST / max(n_variables - 1, 1))
    side = max(int(cell * (n_variables - 1)), CELL)
    return side, side if n_variables > MOST_VARIABLES_WITH_FIGURES else int(side * 0.66)


def _description(names: Sequence[str], cells: list[Spec]) -> str:
    sizes = [abs(cell["difference"]) for cell in cells]
    largest = f"; the largest is {max(sizes):.3f}" if sizes else ""
    return f"Differences of correlations between {len(names)} variables{largest}."


def _side(field: str, names: Sequence[str], shown: range, angle: int) -> Spec:
    # Labels are looked up by position in an array of texts (the expression language reads JSON),
    # so that no name is ever taken for an expression.
    texts = json.dumps([str(name) for name in names])
    return {
        "field": field,
        "type": "ordinal",
        "title": None,
        "scale": {"domain": list(shown)},
        "axis": {
            "labelExpr": f"{texts}[datum.value]",
            "labelAngle": angle,
            "ticks": False,
            "domain": False,
        },
    }


def _squares(n_variables: int) -> Spec:
    inner = n_variables >= FEWEST_FOR_INNER_LEGEND
    return {
        "mark": {"type": "rect", "stroke": SURFACE, "strokeWidth": 1.5},
        "encoding": {
            "color": {
                "field": "class",
                "type": "nominal",
                "scale": {"domain": _class_names()[::-1], "range": list(DIVERGING)[::-1]},
                "legend": {
                    "title": ["released", "− original"],
                    "orient": "top-right" if inner else "right",
                    "symbolType": "square",
                    "symbolSize": 170,
                    "symbolStrokeWidth": 0,
                },
            }
        },
    }


def _figures() -> Spec:
    light = {"test": f"abs(datum.difference) >= {STRONG}", "value": ON_STRONG}
    return {
        "mark": {"type": "text", "fontSize": 11},
        "encoding": {
            "text": {"field": "text"},
            "color": {"condition": light, "value": INK},
        },
    }
