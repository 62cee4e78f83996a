"""The risk–utility map: what each technique and k would have cost and risked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from covey.reports.charts.label_places import label_places
from covey.reports.charts.theme import (
    INK,
    LIMIT,
    MUTED,
    OKABE_ITO,
    SURFACE,
    Spec,
    chart,
)

CANDIDATES = "candidates"  # the layer of the points, which can be given handles
POINT, RING = 5.0, 10.0  # radii in pixels

SHAPES = (
    "circle",
    "square",
    "triangle-up",
    "diamond",
    "cross",
    "triangle-down",
    "triangle-right",
    "triangle-left",
    "arrow",
)


class Candidate(TypedDict):
    """One release that was tried; `loss`, `risk` and `score` in percent, lower is better."""

    technique: str
    k: int
    loss: float
    risk: float
    score: float
    front: bool
    chosen: bool


def risk_utility(
    points: Sequence[Candidate],
    loss_label: str,
    risk_label: str,
    max_risk: float | None = None,
    width: int = 440,
    height: int = 340,
) -> Spec:
    """Loss against risk: a colour and a shape per technique, k beside each point.

    A line joins the front: those that no other candidate beats in both. The chosen one is ringed,
    and `max_risk` draws the limit that was set. A label that has no room is left out.
    """
    far_right = 1.08 * max((point["loss"] for point in points), default=1.0) or 1.0
    highest = [*(point["risk"] for point in points), max_risk or 0.0]
    top = 1.12 * max(highest) or 1.0
    axes = _axes(loss_label, risk_label, far_right, top)
    labelled = _labelled(points, far_right, top, width, height)
    limit = [] if max_risk is None else _limit(max_risk)
    return chart(
        _description(points),
        width,
        height,
        layer=[_front(points) | axes, *limit, _ring(points), _points(points), *_labels(labelled)],
    )


def _description(points: Sequence[Candidate]) -> str:
    techniques = {point["technique"] for point in points}
    chosen = [f"{p['technique']} with k {p['k']}" for p in points if p["chosen"]]
    words = f" Chosen: {', '.join(chosen)}." if chosen else ""
    return f"Loss and risk of {len(points)} candidates of {len(techniques)} techniques.{words}"


def _axes(loss_label: str, risk_label: str, far_right: float, top: float) -> Spec:
    axis = {"tickCount": 6, "domain": False, "ticks": False}
    return {
        "encoding": {
            "x": _place("loss", far_right) | {"title": loss_label, "axis": axis},
            "y": _place("risk", top) | {"title": risk_label, "axis": axis},
        }
    }


def _place(field: str, end: float) -> Spec:
    scale = {"domain": [0, end], "nice": False}
    return {"field": field, "type": "quantitative", "scale": scale}


def _at(**more: Spec) -> Spec:
    places = {name: {"field": name, "type": "quantitative"} for name in ("loss", "risk")}
    return {"x": places["loss"], "y": places["risk"], **more}


def _front(points: Sequence[Candidate]) -> Spec:
    front = sorted((p["loss"], p["risk"]) for p in points if p["front"])
    return {
        "data": {"values": [{"loss": loss, "risk": risk} for loss, risk in front]},
        "mark": {"type": "line", "color": MUTED, "strokeWidth": 1.5, "strokeDash": [5, 3]},
    }


def _limit(max_risk: float) -> list[Spec]:
    data = {"data": {"values": [{"risk": max_risk, "text": f"limit {max_risk:g}"}]}}
    y = {"y": {"field": "risk", "type": "quantitative"}}
    line = {"mark": {"type": "rule", "color": LIMIT, "strokeWidth": 1.5}, "encoding": y}
    words = {
        "mark": {"type": "text", "x": "width", "align": "right", "dy": -7, "color": LIMIT},
        "encoding": y | {"text": {"field": "text"}},
    }
    return [data | line, data | words]


def _ring(points: Sequence[Candidate]) -> Spec:
    return {
        "data": {"values": [dict(point) for point in points if point["chosen"]]},
        "mark": {"type": "point", "color": INK, "size": 300, "strokeWidth": 2, "filled": False},
        "encoding": _at(),
    }


def _points(points: Sequence[Candidate]) -> Spec:
    techniques = sorted({point["technique"] for point in points})
    colours = [OKABE_ITO[i % len(OKABE_ITO)] for i in range(len(techniques))]
    shapes = [SHAPES[i % len(SHAPES)] for i in range(len(techniques))]

    def by_technique(values: list[str]) -> Spec:
        return {
            "field": "technique",
            "type": "nominal",
            "scale": {"domain": techniques, "range": values},
            "legend": {"title": None, "orient": "bottom", "columns": 4, "columnPadding": 14},
        }

    return {
        "name": CANDIDATES,
        "data": {"values": [dict(point) for point in points]},
        "mark": {
            "type": "point",
            "filled": True,
            "size": 80,
            "stroke": INK,  # yellow alone would be lost on paper
            "strokeWidth": 0.7,
        },
        "encoding": _at(color=by_technique(colours), shape=by_technique(shapes)),
    }


def _labelled(
    points: Sequence[Candidate], far_right: float, top: float, width: int, height: int
) -> list[Spec]:
    """Points with the place of their label; the chosen one and the front choose first."""
    ranked = sorted(points, key=lambda p: (not p["chosen"], not p["front"], p["loss"]))
    pixels = [(p["loss"] / far_right * width, (1 - p["risk"] / top) * height) for p in ranked]
    texts = [str(point["k"]) for point in ranked]
    radii = [RING if point["chosen"] else POINT for point in ranked]
    places = label_places(pixels, texts, radii, (width, height))
    return [
        {"loss": p["loss"], "risk": p["risk"], "k": text, "dx": place.dx, "dy": place.dy}
        for p, text, place in zip(ranked, texts, places, strict=True)
        if place is not None
    ]


def _labels(labelled: list[Spec]) -> list[Spec]:
    """One layer per offset: a mark's offset is a property of the whole mark.

    A halo of the background keeps lines that pass behind from striking a figure out.
    """
    offsets = sorted({(label["dx"], label["dy"]) for label in labelled})
    halo = {"stroke": SURFACE, "strokeWidth": 3, "strokeJoin": "round"}
    return [
        {
            "data": {"values": [p for p in labelled if (p["dx"], p["dy"]) == (dx, dy)]},
            "mark": {"type": "text", "dx": dx, "dy": dy, "fontSize": 11, "color": INK} | under,
            "encoding": _at(text={"field": "k"}),
        }
        for under in (halo, {})
        for dx, dy in offsets
    ]
