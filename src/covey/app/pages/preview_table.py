"""The first records of a file as a table: whatever stands in a cell is text."""

from __future__ import annotations

from markupsafe import Markup

from covey.app.results import Opened
from covey.release.describing.words import KINDS

MOST_ROWS, MOST_COLUMNS = 12, 60
NUMBERS = ("number", "integer")

_TABLE = Markup(
    '<table class="preview"><caption class="unseen">{caption}</caption>'
    "<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"
)
_HEAD = Markup('<th scope="col" class="{look}">{name}<span class="kind">{kind}</span></th>')
_CELL = Markup('<td class="{look}" title="{text}">{text}</td>')
_GAP = Markup('<td class="gap {look}"><span aria-label="missing">–</span></td>')


def preview_table(opened: Opened) -> Markup:
    """A table of the first rows and columns."""
    columns = opened.columns[:MOST_COLUMNS]
    looks = ["number" if column.kind in NUMBERS else "" for column in columns]
    heads = [
        _HEAD.format(look=look, name=column.name, kind=KINDS.get(column.kind, column.kind))
        for column, look in zip(columns, looks, strict=True)
    ]
    rows = [_row(row[:MOST_COLUMNS], looks) for row in opened.rows[:MOST_ROWS]]
    caption = f"The first {len(rows)} records of {opened.name}"
    return _TABLE.format(caption=caption, heads=Markup("").join(heads), rows=Markup("").join(rows))


def _row(row: tuple[str | None, ...], looks: list[str]) -> Markup:
    cells = [
        _GAP.format(look=look) if text is None else _CELL.format(look=look, text=text)
        for text, look in zip(row, looks, strict=True)
    ]
    return Markup("<tr>{}</tr>").format(Markup("").join(cells))
