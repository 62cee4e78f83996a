"""Why a column probably has a role, and what to look at in it: texts that are data too.

Whoever shows them as they are, as the command line does, needs to know nothing else; a page finds
its own words by what they are.
"""

from __future__ import annotations

from enum import Enum


class Reason(str, Enum):
    """Why a column probably has a role."""

    OTHERS_KNOW = "others may know it"
    NAME = "name"
    NAME_AND_FEW_VALUES = "name, few values"
    ONE_VALUE = "the same value in all records"
    ALL_DIFFERENT = "no two values are equal"
    NAMES_OF_PERSONS = "perhaps names of persons"
    NO_VALUES = "no values"
    UNKNOWN_KIND = "of a kind that cannot be grouped"
    TOO_MANY_TEXTS = "text with too many different values"
    REPEATS = "repeats, and other columns stay the same with it"
    REFUSED = "cannot be grouped as it is"

    def __str__(self) -> str:
        return str.__str__(self)


class Advice(Enum):
    """What somebody should decide about a column."""

    WHICH_WEIGHT = "which of several weights to use"
    MISSING_CODE = "whether the lowest value means that it is unknown"
    TAKEN_AS_CODES = "whether few whole numbers, taken as codes, are codes"
    MAYBE_CODES = "whether few whole numbers are codes"
    HAS_ORDER = "whether categories have an order"


class Note(str):
    """What to look at in a column, and what it advises to decide, if it does.

    Examples
    --------
    >>> Note("Which weight fits?", Advice.WHICH_WEIGHT).advice.name
    'WHICH_WEIGHT'
    """

    advice: Advice | None

    def __new__(cls, text: str = "", advice: Advice | None = None) -> Note:
        """A note that says `text`."""
        note = str.__new__(cls, text)
        note.advice = advice
        return note

    def __getnewargs__(self) -> tuple[str, Advice | None]:  # type: ignore[override]
        return str(self), self.advice
