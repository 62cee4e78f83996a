"""Dates, times of day and instants as microseconds, and back."""

from __future__ import annotations

from typing import Any

import numpy as np

from covey.types import BoolVector, FloatVector

# Microseconds. What is finer than a microsecond is lost.
DAY = 86_400_000_000
UNITS = {"s": 1_000_000, "ms": 1_000, "us": 1, "ns": 1}


def read_instants(column: Any) -> FloatVector:
    """Microseconds since 1970 (since midnight for times of day); NaN where missing."""
    import pyarrow as pa

    if pa.types.is_date(column.type):
        days = column.cast(pa.date32()).cast(pa.int32())
        return _floats(days) * DAY
    if pa.types.is_time(column.type):
        return _floats(column.cast(pa.time64("us"), safe=False).cast(pa.int64()))
    zone = column.type.tz
    return _floats(column.cast(pa.timestamp("us", zone), safe=False).cast(pa.int64()))


def restore_instants(released: FloatVector, missing: BoolVector, arrow_type: Any) -> Any:
    """Instants in the type they came in, rounded to what it can hold (a date to the day)."""
    import pyarrow as pa

    instants = np.where(missing, 0.0, released)
    if pa.types.is_date(arrow_type):
        days = np.rint(instants / DAY).astype(np.int32)
        return pa.array(days, mask=missing).cast(pa.date32()).cast(arrow_type)
    unit = UNITS[arrow_type.unit]
    whole = pa.array(np.rint(instants / unit).astype(np.int64) * unit, mask=missing)
    if pa.types.is_time(arrow_type):
        return whole.cast(pa.time64("us")).cast(arrow_type, safe=False)
    return whole.cast(pa.timestamp("us", arrow_type.tz)).cast(arrow_type, safe=False)


def _floats(whole: Any) -> FloatVector:
    import pyarrow as pa

    return np.array(whole.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False))
