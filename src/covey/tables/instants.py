"""Dates, times of day and instants as microseconds, and back."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from covey.errors import SchemaError
from covey.types import BoolVector, FloatVector, IntVector

# Microseconds. What is finer than a microsecond is lost.
DAY = 86_400_000_000
UNITS = {"s": 1_000_000, "ms": 1_000, "us": 1, "ns": 1}
FARTHEST = 2**61


class Clock(NamedTuple):
    """How floats are read as instants: microseconds from `zero`, inside `earliest` to `latest`.

    Whole numbers count from 1970, or from midnight for times of day. Floats count from one of the
    instants, so that no digit is lost.
    """

    zero: int
    earliest: int
    latest: int
    arrow_type: Any

    def restore(self, released: FloatVector, missing: BoolVector) -> Any:
        """Instants in the type they came in, rounded to what it can hold (a date to the day)."""
        import pyarrow as pa

        offsets = np.rint(np.where(missing, 0.0, released)).astype(np.int64)
        instants = np.clip(self.zero + offsets, self.earliest, self.latest)
        instants[missing] = 0  # nothing is left under a gap, where a mask would only hide it
        if pa.types.is_date(self.arrow_type):
            days = np.rint(instants / DAY).astype(np.int32)
            return pa.array(days, mask=missing).cast(pa.date32()).cast(self.arrow_type)
        unit = UNITS[self.arrow_type.unit]
        whole = pa.array((instants + unit // 2) // unit * unit, mask=missing)
        if pa.types.is_time(self.arrow_type):
            return whole.cast(pa.time64("us")).cast(self.arrow_type, safe=False)
        return whole.cast(pa.timestamp("us", self.arrow_type.tz)).cast(self.arrow_type, safe=False)


def read_instants(name: str, column: Any) -> tuple[FloatVector, Clock]:
    """Microseconds from the earliest instant, NaN where missing; and the clock to read them by."""
    missing = np.array(column.is_null().to_numpy(zero_copy_only=False), dtype=bool)
    whole = _microseconds(name, column)
    known = whole[~missing]
    earliest = int(known.min()) if known.size else 0
    latest = int(known.max()) if known.size else 0
    values = np.where(missing, np.nan, (whole - earliest).astype(np.float64))
    return values, Clock(earliest, earliest, latest, column.type)


def _microseconds(name: str, column: Any) -> IntVector:
    import pyarrow as pa

    if pa.types.is_date(column.type):
        return _whole_days(column) * DAY
    unit = column.type.unit
    if pa.types.is_time32(column.type):
        column = column.cast(pa.int32())
    whole = _whole(column.cast(pa.int64()))
    if unit == "ns":
        return whole // 1000
    if np.abs(whole).max(initial=0) > FARTHEST // UNITS[unit]:
        raise SchemaError(
            f"{name!r} has instants that are too far away.",
            remedy="Correct them first",
            column=name,
        )
    return whole * UNITS[unit]


def _whole_days(column: Any) -> IntVector:
    import pyarrow as pa

    if pa.types.is_date64(column.type):
        return _whole(column.cast(pa.int64())) // (DAY // UNITS["ms"])
    return _whole(column.cast(pa.int32()).cast(pa.int64()))


def _whole(column: Any) -> IntVector:
    return np.array(column.fill_null(0).to_numpy(zero_copy_only=False), dtype=np.int64)
