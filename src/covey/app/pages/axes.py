"""Where numbers lie on a drawing, and the round numbers beside it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup


class Axis(NamedTuple):
    """Numbers from `low` to `high` between two places in pixels."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        """
        >>> Axis(0.0, 10.0, 100.0, 200.0).at(5.0)
        150.0
        """
        share = (value - self.low) / (self.high - self.low)
        return round(self.start + share * (self.end - self.start), 1)

    def ticks(self, about: int = 6) -> list[float]:
        """Round numbers inside the axis.

        >>> Axis(0.0, 23.0, 0.0, 1.0).ticks()
        [0.0, 5.0, 10.0, 15.0, 20.0]
        """
        step = round_step((self.high - self.low) / about)
        first = math.ceil(self.low / step)
        last = math.floor(self.high / step)
        return [number * step for number in range(first, last + 1)]


def round_step(rough: float) -> float:
    """The next of 1, 2, 5, 10 … times a power of ten.

    >>> round_step(3.2), round_step(0.012)
    (5.0, 0.02)
    """
    power = 10.0 ** math.floor(math.log10(rough))
    return next(step * power for step in (1.0, 2.0, 5.0, 10.0) if step * power >= rough * 0.999)


def around(values: Sequence[float]) -> tuple[float, float]:
    """A little more than the values need; never nothing."""
    low, high = min(values), max(values)
    room = 0.05 * (high - low) or 1.0
    return low - room, high + room


def shown(value: float) -> str:
    """A number beside an axis.

    >>> shown(-2.5), shown(0.0), shown(12000.0)
    ('−2.5', '0', '12,000')
    """
    return f"{value:,.6g}".replace("-", "−")


class Plane(NamedTuple):
    """Two axes and what they are called."""

    x: Axis
    y: Axis
    x_title: str
    y_title: str

    def drawn(self) -> Markup:
        """Faint lines, the numbers and the titles."""
        return Markup("").join([*self._columns(), *self._rows(), *self._titles()])

    def _columns(self) -> list[Markup]:
        line = Markup(
            '<line class="grid" x1="{0}" x2="{0}" y1="{1}" y2="{2}"/>'
            '<text x="{0}" y="{3}" text-anchor="middle">{4}</text>'
        )
        bottom, top = self.y.start, self.y.end
        return [
            line.format(self.x.at(value), bottom, top, bottom + 20, shown(value))
            for value in self.x.ticks()
        ]

    def _rows(self) -> list[Markup]:
        line = Markup(
            '<line class="grid" y1="{0}" y2="{0}" x1="{1}" x2="{2}"/>'
            '<text x="{3}" y="{0}" dy=".35em" text-anchor="end">{4}</text>'
        )
        left, right = self.x.start, self.x.end
        return [
            line.format(self.y.at(value), left, right, left - 9, shown(value))
            for value in self.y.ticks()
        ]

    def _titles(self) -> list[Markup]:
        middle = (self.x.start + self.x.end) / 2
        below = Markup('<text class="axis-title" x="{}" y="{}" text-anchor="middle">{}</text>')
        above = Markup('<text class="axis-title" x="{}" y="{}">{}</text>')
        return [
            below.format(middle, self.y.start + 44, self.x_title),
            above.format(self.x.start - 44, self.y.end - 14, self.y_title),
        ]
