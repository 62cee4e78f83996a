"""Dates as people write them: 31.12.1970, 31/12/1970, 12/31/1970."""

from __future__ import annotations

from enum import Enum
from typing import Any, NamedTuple

from covey.sources.numerals import BLANK, every, known, missing_as_null, some

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


class Dates(NamedTuple):
    """How a column was read, and the column: dates, or the same texts."""

    reading: Reading
    column: Any


def read_dates(texts: Any) -> Dates:
    """Dates from texts, if all that are not missing are dates in one clear order."""
    values = known(texts).drop_null()
    for separator in SEPARATORS:
        signs = (separator, separator)
        if _all_match(values, DATE % signs):
            return _ordered(texts, values, separator)
        if _all_match(values, SHORT_DATE % signs):
            return Dates(Reading.UNCLEAR, texts)
    return Dates(Reading.NO_DATES, texts)


def _all_match(values: Any, pattern: str) -> bool:
    """Whether there are values and all match; most columns are ruled out by the first few."""
    return len(values) > 0 and every(values.slice(0, FEW), pattern) and every(values, pattern)


def _ordered(texts: Any, values: Any, separator: str) -> Dates:
    import pyarrow as pa

    reading = _order(values, separator)
    if reading is Reading.UNCLEAR:
        return Dates(reading, texts)
    try:
        return Dates(reading, _as_dates(texts, separator, reading))
    except pa.ArrowInvalid:  # the 30th of February, or a 13th month
        return Dates(Reading.INVALID, texts)


def _order(values: Any, separator: str) -> Reading:
    # Nobody writes the month first with full stops.
    if separator == r"\." or some(values, rf"^{BLANK}{OVER_TWELVE}{separator}"):
        return Reading.DAY_FIRST
    if some(values, rf"{separator}{OVER_TWELVE}{separator}"):
        return Reading.MONTH_FIRST
    return Reading.UNCLEAR


def _as_dates(texts: Any, separator: str, reading: Reading) -> Any:
    """Through the ISO form: Arrow checks it against the calendar, on every system alike."""
    import pyarrow as pa
    import pyarrow.compute as pc

    parts = pc.extract_regex(missing_as_null(texts), DATE % (separator, separator))
    first, second, year = (pc.struct_field(parts, [i]) for i in range(3))
    day, month = (first, second) if reading is Reading.DAY_FIRST else (second, first)
    month, day = (pc.utf8_lpad(part, 2, "0") for part in (month, day))
    return pc.cast(pc.binary_join_element_wise(year, month, day, "-"), pa.date32())
