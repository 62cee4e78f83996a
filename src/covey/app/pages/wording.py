"""Numbers and names in words, as several pages say them."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from covey.app.technique_cards import Card, technique_cards
from covey.reports.formatting import count

if TYPE_CHECKING:
    from covey.app.choices import Choices

AUTO = "auto"


@cache
def cards() -> dict[str, Card]:
    """The techniques by name."""
    return {card.name: card for card in technique_cards()}


def card_of(technique: str) -> Card:
    """The card of a technique; that of the recommended one for "auto"."""
    if technique == AUTO:
        return next(card for card in cards().values() if card.is_recommended)
    return cards()[technique]


def technique_title(technique: str) -> str:
    return card_of(technique).title


def holds_jointly(choices: Choices) -> bool:
    """Whether k will hold for whole records, and not only inside blocks of columns."""
    columns = len(choices.with_role("quasi-identifier"))
    card = card_of(choices.technique)
    if not card.is_joint:
        return columns == 1
    if card.block_parameter is None:
        return True
    block_size = choices.parameters.get(card.block_parameter)
    return block_size is None or block_size >= columns


def cannot_be_used(card: Card, choices: Choices) -> str:
    """Why a technique cannot group the columns that are chosen; empty if it can."""
    columns = len(choices.with_role("quasi-identifier"))
    if not card.by_one_variable or columns <= 1:
        return ""
    return f"Needs exactly one quasi-identifier; there are {columns}."


def count_of(number: int, thing: str) -> str:
    """
    >>> count_of(1, "record"), count_of(1200, "record")
    ('1 record', '1,200 records')
    """
    return f"{count(number)} {thing}{'' if number == 1 else 's'}"


def duration(seconds: float) -> str:
    """
    >>> duration(0.3), duration(4.2), duration(75), duration(4000)
    ('less than a second', '4 s', '1 min 15 s', '1 h 6 min')
    """
    if seconds < 1:
        return "less than a second"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    if minutes < 60:
        return f"{minutes} min {rest} s" if rest else f"{minutes} min"
    return f"{minutes // 60} h {minutes % 60} min"
