"""Dates as the statistics packages hold them: numbers counted from a day, shown by a format."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from covey.sources.kinds import Kind
from covey.sources.limits import in_milliseconds

DAY = 86_400_000  # milliseconds


class Calendar(NamedTuple):
    """How a package counts time.

    `origin` is the number of days from day 0 to 1 January 1970. A date counts `day`, a timestamp
    or a time of day counts `millisecond` units. `shown` tells the kind of column by its format;
    `written` is the format that Covey gives a kind.
    """

    origin: int
    day: float
    millisecond: float
    shown: tuple[tuple[re.Pattern[str], Kind], ...]
    written: dict[Kind, str]

    def kind(self, format: str | None) -> Kind | None:
        """Kind of the dates or times shown by this format; None for other formats."""
        return next((kind for form, kind in self.shown if form.fullmatch(format or "")), None)

    def format(self, kind: Kind, before: str | None) -> str:
        """The format of a kind: the one that the column had before, if it counts alike."""
        if before is None:
            return self.written[kind]
        # In SPSS a date is a timestamp of which the format hides the time.
        one_unit = self.day == DAY * self.millisecond
        alike = (Kind.DATE, Kind.INSTANT) if one_unit and kind is not Kind.TIME else (kind,)
        return before if self.kind(before) in alike else self.written[kind]

    def read(self, numbers: Any, kind: Kind) -> Any:
        """Dates or times from numbers; the numbers themselves where they cannot be such."""
        import pyarrow as pa

        readers = {Kind.DATE: self._dates, Kind.INSTANT: self._instants, Kind.TIME: self._times}
        try:
            return readers[kind](numbers)
        except pa.ArrowInvalid:  # infinite, or beyond the years that Arrow knows
            return numbers

    def _dates(self, numbers: Any) -> Any:
        import pyarrow as pa
        import pyarrow.compute as pc

        days = pc.subtract(pc.divide(numbers, self.day), float(self.origin))
        if pc.any(pc.not_equal(pc.floor(days), days)).as_py():
            # SPSS shows a date though the column holds a time too: keep it.
            milliseconds = pc.round(pc.multiply(days, float(DAY)))
            return milliseconds.cast(pa.int64()).cast(pa.timestamp("ms"))
        return days.cast(pa.int32()).cast(pa.date32())

    def _instants(self, numbers: Any) -> Any:
        import pyarrow as pa
        import pyarrow.compute as pc

        count = pc.round(pc.divide(numbers, self.millisecond)).cast(pa.int64())
        return pc.subtract(count, self.origin * DAY).cast(pa.timestamp("ms"))

    def _times(self, numbers: Any) -> Any:
        import pyarrow as pa
        import pyarrow.compute as pc

        count = pc.round(pc.divide(numbers, self.millisecond)).cast(pa.int64())
        inside = pc.and_(pc.greater_equal(count, 0), pc.less(count, DAY))
        if not pc.all(inside, min_count=0).as_py():
            return numbers  # a duration, in the units of the package
        return count.cast(pa.int32()).cast(pa.time32("ms"))

    def write(self, column: Any, kind: Kind) -> Any:
        """Numbers from dates or times."""
        import pyarrow as pa
        import pyarrow.compute as pc

        if kind is Kind.DATE:
            days = column.cast(pa.date32()).cast(pa.int32()).cast(pa.float64())
            return pc.multiply(pc.add(days, float(self.origin)), self.day)
        fine = in_milliseconds(column)
        start = self.origin * DAY if kind is Kind.INSTANT else 0
        count = fine.cast(pa.int64() if kind is Kind.INSTANT else pa.int32()).cast(pa.int64())
        # Whole milliseconds are exact in a float; so is the quotient's nearest float.
        return pc.multiply(pc.add(count, start).cast(pa.float64()), self.millisecond)


def _patterns(date: str, instant: str, time: str) -> tuple[tuple[re.Pattern[str], Kind], ...]:
    texts = ((date, Kind.DATE), (instant, Kind.INSTANT), (time, Kind.TIME))
    return tuple((re.compile(text), kind) for text, kind in texts)


WIDTH = r"\d*(?:\.\d*)?"

SPSS = Calendar(
    origin=141_428,
    day=86_400.0,
    millisecond=0.001,
    shown=_patterns(
        rf"(?:[AEJS]?DATE|QYR|MOYR|WKYR){WIDTH}", rf"(?:DATETIME|YMDHMS){WIDTH}", rf"D?TIME{WIDTH}"
    ),
    written={Kind.DATE: "SDATE10", Kind.INSTANT: "DATETIME23.3", Kind.TIME: "TIME12.3"},
)

STATA = Calendar(
    origin=3_653,
    day=1.0,
    millisecond=1.0,
    # Times of day first: they are timestamps of which the format hides the date.
    shown=tuple(reversed(_patterns(r"%-?t?d.*", r"%-?t[cC].*", r"%-?tcHH:MM.*"))),
    written={Kind.DATE: "%td", Kind.INSTANT: "%tc", Kind.TIME: "%tcHH:MM:SS"},
)

SAS = Calendar(
    origin=3_653,
    day=1.0,
    millisecond=0.001,
    shown=_patterns(
        rf"(?:DATE|WEEKDAT[EX]|WORDDAT[EX]|JULIAN|MONYY|(?:DDMMYY|MMDDYY|YYMMDD)[BCDNPS]?"
        rf"|(?:IS|E|B)8601DA|NLDATE){WIDTH}",
        rf"(?:DATETIME|DTDATE|DATEAMPM|MDYAMPM|(?:IS|E|B)8601D[TN]|NLDATM){WIDTH}",
        rf"(?:TIME|TOD|HHMM|TIMEAMPM|(?:IS|E|B)8601TM){WIDTH}",
    ),
    written={Kind.DATE: "YYMMDD10", Kind.INSTANT: "DATETIME22.3", Kind.TIME: "TIME12.3"},
)
