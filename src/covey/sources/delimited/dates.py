"""Dates as people write them: 31.12.1970, 31/12/1970, 12/31/1970."""

from __future__ import annotations

from enum import Enum
from typing import Any, NamedTuple

from covey.sources.delimited.numerals import BLANK, every, known, missing_as_null, some

SEPARATORS = (r"\.", "/", "-")
FEW = 5

NUMBER = "(?:0?[1-9]|[12][0-9]|3[01])"  # a day or a month
OVER_TWELVE = "(?:1[3-9]|2[0-9]|3[01])"
DATE = rf"^{BLANK}(?P<first>{NUMBER})%s(?P<second>{NUMBER})%s(?P<year>[0-9]{{4}}){BLANK}$"
SHORT_DATE = rf"^{BLANK}{NUMBER}%s{NUMBER}%s[0-9]{{2}}{BLANK}$"

ADVICE = "Write them like 1970-12-31."


class Reading(Enum):
    """What was made of a column of text, and the note that says so."""

    NO_DATES = ""
    DAY_FIRST = "Read as dates, the day first: {}."
    MONTH_FIRST = "Read as dates, the month first: {}."
    UNCLEAR = (
        f"Read as text because day, month or century of the dates are not clear: {{}}. {ADVICE}"
    )
    INVALID = (
        "Read as text because not all are dates of the calendar with day and month in one order: "
        f"{{}}. {ADVICE}"
    )


class Form(NamedTuple):
    """How the dates of a column are written; `separator` is a pattern."""

    reading: Reading
    separator: str = ""

    def apply(self, texts: Any) -> Any:
        """The texts as dates, if that is what they are."""
        if self.reading in (Reading.DAY_FIRST, Reading.MONTH_FIRST):
            return _as_dates(texts, self.separator, self.reading)
        return texts


class Evidence:
    """What the texts of a column, seen piece by piece, say about dates in it."""

    def __init__(self) -> None:
        self._seen = False
        self._long, self._short = list(SEPARATORS), list(SEPARATORS)
        # Orders that would give no date of the calendar, and those that some text proves.
        self._wrong: set[Reading] = set()
        self._proved: set[Reading] = set()

    def add(self, texts: Any) -> None:
        """Look at some more texts; most columns are ruled out by the first few."""
        values = known(texts).drop_null()
        if len(values) == 0:
            return
        self._seen = True
        self._long = [one for one in self._long if _all_match(values, DATE % (one, one))]
        self._short = [one for one in self._short if _all_match(values, SHORT_DATE % (one, one))]
        for separator in self._long:
            self._look_at_order(values, separator)

    def _look_at_order(self, values: Any, separator: str) -> None:
        if some(values, rf"^{BLANK}{OVER_TWELVE}{separator}"):
            self._proved.add(Reading.DAY_FIRST)
        if some(values, rf"{separator}{OVER_TWELVE}{separator}"):
            self._proved.add(Reading.MONTH_FIRST)
            self._wrong.add(Reading.DAY_FIRST)
        day_only = self._order(separator) is Reading.DAY_FIRST
        possible = {Reading.DAY_FIRST} if day_only else {Reading.DAY_FIRST, Reading.MONTH_FIRST}
        for order in possible - self._wrong:
            if not _is_calendar(values, separator, order):
                self._wrong.add(order)

    def form(self) -> Form:
        """What all texts together are."""
        if not self._seen or not (self._long or self._short):
            return Form(Reading.NO_DATES)
        if not self._long:
            return Form(Reading.UNCLEAR)
        separator = self._long[0]
        reading = self._order(separator)
        return Form(Reading.INVALID if reading in self._wrong else reading, separator)

    def _order(self, separator: str) -> Reading:
        # Nobody writes the month first with full stops.
        if separator == r"\." or Reading.DAY_FIRST in self._proved:
            return Reading.DAY_FIRST
        return Reading.MONTH_FIRST if self._proved else Reading.UNCLEAR


def _all_match(values: Any, pattern: str) -> bool:
    return every(values.slice(0, FEW), pattern) and every(values, pattern)


def _is_calendar(values: Any, separator: str, order: Reading) -> bool:
    import pyarrow as pa

    try:
        _as_dates(values, separator, order)
    except pa.ArrowInvalid:  # the 30th of February, or a 13th month
        return False
    return True


def _as_dates(texts: Any, separator: str, reading: Reading) -> Any:
    """Through the ISO form: Arrow checks it against the calendar, on every system alike."""
    import pyarrow as pa
    import pyarrow.compute as pc

    parts = pc.extract_regex(missing_as_null(texts), DATE % (separator, separator))
    first, second, year = (pc.struct_field(parts, [i]) for i in range(3))
    day, month = (first, second) if reading is Reading.DAY_FIRST else (second, first)
    month, day = (pc.utf8_lpad(part, 2, "0") for part in (month, day))
    return pc.cast(pc.binary_join_element_wise(year, month, day, "-"), pa.date32())
