"""Where to put the label of each point so that labels hide neither points nor each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

GAP = 3.0  # between a point and its label, in pixels


class Box(NamedTuple):
    """A rectangle on the picture, in pixels."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: Box) -> bool:
        apart = self.right <= other.left or other.right <= self.left
        return not (apart or self.bottom <= other.top or other.bottom <= self.top)

    def inside(self, width: float, height: float) -> bool:
        return self.left >= 0 and self.top >= 0 and self.right <= width and self.bottom <= height


class Place(NamedTuple):
    """How far the middle of a label lies from its point, in pixels."""

    dx: float
    dy: float


def label_places(
    points: Sequence[tuple[float, float]],
    texts: Sequence[str],
    radii: Sequence[float],
    size: tuple[float, float],
    font_size: float = 11.0,
) -> list[Place | None]:
    """Give each label, in turn, the first free place around its point of radius `radii`.

    Earlier points choose first, so pass the important ones first. None means that there is no
    room: an omitted label misleads less than one over another.
    """
    taken = [Box(x - r, y - r, x + r, y + r) for (x, y), r in zip(points, radii, strict=True)]
    places: list[Place | None] = []
    for point, text, radius in zip(points, texts, radii, strict=True):
        extent = 0.58 * font_size * len(text) + 2, font_size
        place, box = _first_free(point, radius, extent, taken, size)
        places.append(place)
        if box is not None:
            taken.append(box)
    return places


def _first_free(
    point: tuple[float, float],
    radius: float,
    extent: tuple[float, float],
    taken: list[Box],
    size: tuple[float, float],
) -> tuple[Place | None, Box | None]:
    for place in _around(radius, *extent):
        x, y = point[0] + place.dx, point[1] + place.dy
        across, down = extent[0] / 2, extent[1] / 2
        box = Box(x - across, y - down, x + across, y + down)
        if box.inside(*size) and not any(box.meets(other) for other in taken):
            return place, box
    return None, None


def _around(radius: float, width: float, height: float) -> Iterator[Place]:
    """Right, left, above, below, then the corners; at the point first, then a little farther."""
    sides = ((1, 0), (-1, 0), (0, -1), (0, 1), (1, -1), (1, 1), (-1, -1), (-1, 1))
    for far in (0.0, 6.0):
        for across, down in sides:
            gap = radius + GAP + far
            yield Place(across * (gap + width / 2), down * (gap + height / 2))
