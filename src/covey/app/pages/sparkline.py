"""A distribution no larger than a word.

Drawn by hand, unlike the charts: it has no axis, no scale and no legend to specify, and a file can
have a thousand columns, each with one, while somebody waits for the page.
"""

from __future__ import annotations

from markupsafe import Markup

from covey.app.pages.wording import count_of
from covey.release.describing.sketches import Sketch
from covey.reports.formatting import percent

WIDTH, HEIGHT, GAP = 104, 28, 1.0
MOST_BARS = 26

_BAR = Markup('<rect x="{x}" y="{y}" width="{width}" height="{height}" rx=".8"/>')
_DRAWING = Markup(
    '<svg class="sparkline" viewBox="0 0 {width} {height}" fill="currentColor" role="img" '
    'aria-label="{says}" data-tip="{says}">{bars}</svg>'
)


def sparkline(sketch: Sketch | None) -> Markup:
    """Bars of the counts; nothing where there is no distribution."""
    if sketch is None or not sketch["counts"]:
        return Markup('<span class="none">–</span>')
    counts = _few(sketch["counts"])
    each = WIDTH / max(len(counts), 4)
    tallest = max(counts) or 1
    bars = [_bar(number, count / tallest, each) for number, count in enumerate(counts) if count]
    return _DRAWING.format(
        width=WIDTH, height=HEIGHT, says=in_words(sketch), bars=Markup("").join(bars)
    )


def _few(counts: list[int]) -> list[int]:
    """Neighbours together, until there is room for all."""
    if len(counts) <= MOST_BARS:
        return counts
    step = -(-len(counts) // MOST_BARS)
    return [sum(counts[start : start + step]) for start in range(0, len(counts), step)]


def _bar(number: int, share: float, each: float) -> Markup:
    height = max(1.5, round(share * HEIGHT, 1))
    return _BAR.format(
        x=round(number * each, 1),
        y=round(HEIGHT - height, 1),
        width=round(min(each - GAP, 14.0), 1),
        height=height,
    )


def in_words(sketch: Sketch) -> str:
    """The range, or the most frequent categories."""
    if sketch["edges"] is not None:
        low, high = sketch["edges"][0], sketch["edges"][-1]
        return f"Mostly from {_short(low)} to {_short(high)}"
    total = sum(sketch["counts"]) or 1
    levels = sorted(
        zip(sketch["counts"], sketch["levels"] or [], strict=True), key=lambda pair: -pair[0]
    )
    named = [f"{name}: {percent(100 * number / total, 0)}" for number, name in levels[:4]]
    more = len(levels) - len(named)
    return "\n".join([*named, *([f"and {count_of(more, 'other')}"] if more else [])])


def _short(value: float) -> str:
    return f"{value:,.4g}".replace("-", "−") if abs(value) < 10_000 else f"{value:,.0f}"
