"""Categories with an order: which is lowest, which is highest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from covey.app.pages.elements import Part, inline
from covey.app.pages.parts import button, section

if TYPE_CHECKING:
    from covey.app.pages.frame import Frame
    from covey.app.results import Opened


def orders(frame: Frame, opened: Opened) -> None:
    """A list for every column that is ordinal and has categories to put in order."""
    choices = frame.workshop.state.choices
    grouped = choices.with_role("quasi-identifier")
    names = [name for name, order in choices.orders.items() if order and name in grouped]
    for at, column in enumerate(opened.columns):
        if column.name in names and choices.kinds.get(column.name) == "ordinal":
            _order(frame, at, column.name, choices.orders[column.name])


def _order(frame: Frame, at: int, column: str, order: tuple[str, ...]) -> None:
    about = "From the lowest to the highest. No program can guess it."
    with section(f"Order of {column}", about), Part("ol", "order"):
        for place, level in enumerate(order):
            with Part("li"):
                inline(str(place + 1), "place")
                inline(level)
                _mover(frame, at, column, order, place, -1)
                _mover(frame, at, column, order, place, 1)


def _mover(frame: Frame, at: int, column: str, order: tuple[str, ...], place: int, by: int) -> None:
    """A button that moves a category; it keeps the focus on the category as it moves."""
    way = "up" if by < 0 else "down"
    target = place + by
    possible = 0 <= target < len(order)

    def move() -> None:
        moved = list(order)
        moved[place], moved[target] = moved[target], moved[place]
        frame.choose(f"{column}: {order[place]} moved {way}", orders={column: tuple(moved)})

    button(
        "",
        move if possible else None,
        id=f"order-{at}-{order[place]}-{way}",
        look="round",
        picture=way,
        says=f"Move {order[place]} {way}",
        enabled=possible,
    )
