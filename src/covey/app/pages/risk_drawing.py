"""The risk–utility map: what each release loses and risks; a point opens what it stands for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from markupsafe import Markup

from covey.app.pages.axes import Axis, Plane
from covey.app.pages.wording import cards, count_of
from covey.reports.charts.label_places import label_places

WIDTH, HEIGHT = 860, 440
LEFT, RIGHT, TOP, BOTTOM = 52, 16, 34, 56
POINT, RING = 7.0, 12.0
SHAPES = ("circle", "square", "up", "diamond", "down", "cross", "right", "left", "bar")


class Spot(NamedTuple):
    """A release on the map.

    `number` is its place in the list; `opens` says that there is a run to be looked at.
    """

    number: int
    technique: str
    k: int
    loss: float
    risk: float
    on_front: bool
    is_chosen: bool
    opens: bool
    tip: str


_DRAWING = Markup(
    '<svg class="drawing" viewBox="0 0 {width} {height}" role="group" aria-label="{says}">'
    "{axes}{front}{spots}</svg>"
)
_SPOT = Markup(
    '<g class="run {look}" data-spot="{number}" data-tip="{tip}" role="button" tabindex="0" '
    'id="spot-{number}" aria-label="{tip}" transform="translate({x} {y})">'
    '<circle class="ring" r="{ring}"/><path class="dot technique-{colour}" d="{shape}"/>'
    "{label}</g>"
)
_LABEL = Markup('<text x="{}" y="{}" dy=".36em" text-anchor="middle">{}</text>')


def risk_drawing(spots: Sequence[Spot], loss: str, risk: str) -> Markup:
    """The map as SVG; `loss` and `risk` are what the two measures are called."""
    x = Axis(0.0, 1.08 * max(spot.loss for spot in spots) or 1.0, LEFT, WIDTH - RIGHT)
    y = Axis(0.0, 1.12 * max(spot.risk for spot in spots) or 1.0, HEIGHT - BOTTOM, TOP)
    plane = Plane(x, y, f"loss: {loss}, in percent", f"risk: {risk}, in percent")
    return _DRAWING.format(
        width=WIDTH,
        height=HEIGHT,
        says=f"Risk–utility map of {count_of(len(spots), 'release')}",
        axes=plane.drawn(),
        front=_front(spots, plane),
        spots=Markup("").join(_drawn(spots, plane)),
    )


def looks_of(spots: Sequence[Spot]) -> dict[str, int]:
    """A number for the colour and the shape of each technique, the same on every map."""
    known = [card.title for card in cards().values()]
    return {name: known.index(name) for name in known if any(s.technique == name for s in spots)}


def shape_of(number: int, size: float = POINT) -> str:
    """The outline of the shape with this number, around the origin."""
    s, d = size, size * 0.4
    outlines: Mapping[str, str] = {
        "circle": f"M{-s} 0a{s} {s} 0 1 0 {2 * s} 0a{s} {s} 0 1 0 {-2 * s} 0Z",
        "square": f"M{-s * 0.88} {-s * 0.88}H{s * 0.88}V{s * 0.88}H{-s * 0.88}Z",
        "up": f"M0 {-s * 1.15}L{s * 1.1} {s * 0.8}H{-s * 1.1}Z",
        "diamond": f"M0 {-s * 1.25}L{s * 1.1} 0L0 {s * 1.25}L{-s * 1.1} 0Z",
        "down": f"M0 {s * 1.15}L{s * 1.1} {-s * 0.8}H{-s * 1.1}Z",
        "cross": f"M{-d} {-s}H{d}V{-d}H{s}V{d}H{d}V{s}H{-d}V{d}H{-s}V{-d}H{-d}Z",
        "right": f"M{s * 1.15} 0L{-s * 0.8} {s * 1.1}V{-s * 1.1}Z",
        "left": f"M{-s * 1.15} 0L{s * 0.8} {s * 1.1}V{-s * 1.1}Z",
        "bar": f"M{-s * 1.2} {-d}H{s * 1.2}V{d}H{-s * 1.2}Z",
    }
    return outlines[SHAPES[number % len(SHAPES)]]


def _front(spots: Sequence[Spot], plane: Plane) -> Markup:
    """A line along those that no other beats in both."""
    front = sorted((spot.loss, spot.risk) for spot in spots if spot.on_front)
    places = " ".join(f"{plane.x.at(loss)},{plane.y.at(risk)}" for loss, risk in front)
    return Markup('<polyline class="front" points="{}"/>').format(places)


def _drawn(spots: Sequence[Spot], plane: Plane) -> list[Markup]:
    """The chosen one and the front choose the place of their label first, and lie on top."""
    ranked = sorted(spots, key=lambda spot: (not spot.is_chosen, not spot.on_front, spot.loss))
    places = [(plane.x.at(spot.loss), plane.y.at(spot.risk)) for spot in ranked]
    radii = [RING if spot.is_chosen else POINT + 2 for spot in ranked]
    labels = label_places(places, [str(spot.k) for spot in ranked], radii, (WIDTH, HEIGHT))
    looks = looks_of(spots)
    found = []
    for spot, (x, y), label in zip(ranked, places, labels, strict=True):
        text = "" if label is None else _LABEL.format(label.dx, label.dy, spot.k)
        colour = looks[spot.technique]
        found.append(
            _SPOT.format(
                look=f"{'chosen' if spot.is_chosen else ''} {'' if spot.opens else 'tried'}",
                number=spot.number,
                tip=spot.tip,
                x=x,
                y=y,
                ring=RING,
                colour=colour % 8,
                shape=shape_of(colour),
                label=text,
            )
        )
    return found[::-1]
