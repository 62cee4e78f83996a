"""The map of groups: records tied to what they are released as; a group answers to the pointer."""

from __future__ import annotations

from collections import defaultdict

from markupsafe import Markup

from covey.app.pages.axes import Axis, Plane, around
from covey.app.pages.wording import count_of
from covey.reports.content_types.pictures import GroupsMap
from covey.reports.formatting import count

WIDTH, HEIGHT = 860, 500
LEFT, RIGHT, TOP, BOTTOM = 52, 14, 34, 56
SMALLEST_DOT, REACH = 3.0, 11

_DRAWING = Markup(
    '<svg class="drawing" viewBox="0 0 {width} {height}" role="img" aria-label="{says}">'
    '<clipPath id="map-frame"><rect x="{left}" y="{top}" width="{inside}" height="{tall}"/>'
    '</clipPath>{axes}<g clip-path="url(#map-frame)">{groups}</g></svg>'
)
_GROUP = Markup(
    '<g class="group" data-tip="{tip}"><path class="tie" d="{ties}"/>{records}'
    '<circle class="reach" cx="{x}" cy="{y}" r="{reach}"/>'
    '<circle class="became" cx="{x}" cy="{y}" r="{r}"/></g>'
)
_RECORD = Markup('<circle class="was" cx="{}" cy="{}" r="2"/>')


def groups_drawing(data: GroupsMap) -> Markup:
    """The map as SVG."""
    plane = _plane(data)
    members = defaultdict(list)
    for x, y, group in zip(data["x"], data["y"], data["labels"], strict=True):
        members[group].append((plane.x.at(x), plane.y.at(y)))
    drawn = [
        _group(
            plane.x.at(data["group_x"][group]), plane.y.at(data["group_y"][group]), members[group]
        )
        for group in sorted(members, key=lambda group: -len(members[group]))
    ]
    return _DRAWING.format(
        width=WIDTH,
        height=HEIGHT,
        left=LEFT,
        top=TOP,
        inside=WIDTH - LEFT - RIGHT,
        tall=HEIGHT - TOP - BOTTOM,
        says=f"Map of {count_of(len(data['x']), 'record')} in {count_of(len(drawn), 'group')}; "
        "each record is tied to the point that is released for its group.",
        axes=plane.drawn(),
        groups=Markup("").join(drawn),
    )


def _plane(data: GroupsMap) -> Plane:
    x_ends, y_ends = around(_near(data["x"])), around(_near(data["y"]))
    x = Axis(*x_ends, LEFT, WIDTH - RIGHT)
    return Plane(x, Axis(*y_ends, HEIGHT - BOTTOM, TOP), data["x_title"], data["y_title"])


def _near(values: list[float]) -> list[float]:
    """Without the few that lie so far away that the others would be one blot."""
    ranked = sorted(values)
    few = len(ranked) // 200
    core = ranked[few : len(ranked) - few]
    reach = 0.5 * (core[-1] - core[0])
    return [value for value in ranked if core[0] - reach <= value <= core[-1] + reach]


def far_away(data: GroupsMap) -> int:
    """How many records lie outside the map."""
    x, y = set(_near(data["x"])), set(_near(data["y"]))
    return sum(a not in x or b not in y for a, b in zip(data["x"], data["y"], strict=True))


def _group(x: float, y: float, records: list[tuple[float, float]]) -> Markup:
    size = len(records)
    return _GROUP.format(
        tip=f"A group of {count_of(size, 'record')}\nReleased as {count(size)} equal records, at "
        "the middle of the group.",
        ties=" ".join(f"M{x} {y}L{a} {b}" for a, b in records),
        records=Markup("").join(_RECORD.format(a, b) for a, b in records),
        x=x,
        y=y,
        r=round(SMALLEST_DOT + 0.6 * min(size, 16) ** 0.5, 1),
        reach=REACH,
    )
