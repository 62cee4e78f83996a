"""Dates, times of day and instants as floats, and back."""

from __future__ import annotations

import datetime as dt

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from covey.tables.kinds import Kinds
from covey.tables.variables import Variable, read_variable


def read(column, **kinds) -> Variable:
    return read_variable("x", column, Kinds.read(**kinds))


def there_and_back(column, **kinds):
    variable = read(column, **kinds)
    return variable.restore(variable.values)


class TestInstants:
    @pytest.mark.parametrize(
        "arrow_type",
        [
            *(pa.date32(), pa.date64()),
            *(pa.timestamp(unit) for unit in ("s", "ms", "us", "ns")),
            *(pa.timestamp(unit, "Europe/Madrid") for unit in ("s", "ns")),
            *(pa.time32("s"), pa.time32("ms"), pa.time64("us"), pa.time64("ns")),
        ],
        ids=str,
    )
    def test_there_and_back(self, arrow_type):
        day = 86_400_000
        raw = {"day": [0, 19_000, -3], "ms64": [0, 19_000 * day, -3 * day]}
        if pa.types.is_date32(arrow_type):
            column = pa.array(raw["day"], pa.int32()).cast(arrow_type)
        elif pa.types.is_date64(arrow_type):
            column = pa.array(raw["ms64"], pa.int64()).cast(arrow_type)
        else:
            bits = pa.int32() if pa.types.is_time32(arrow_type) else pa.int64()
            scale = {"s": 1, "ms": 1000, "us": 10**6, "ns": 10**9}[arrow_type.unit]
            column = pa.array([0, 71 * scale, 86_399 * scale], bits).cast(arrow_type)
        column = pa.concat_arrays([column, pa.nulls(1, arrow_type)])
        assert read(column).kind == "date"
        back = there_and_back(column)
        assert back.type == arrow_type
        assert back.equals(column)

    @pytest.mark.parametrize("arrow_type", [pa.date32(), pa.timestamp("us")], ids=str)
    def test_nothing_is_hidden_under_a_gap(self, arrow_type):
        """The earliest instant of the file is no value of a cell that is empty."""
        column = pa.array([dt.date(2001, 2, 3), dt.date(2003, 4, 5)]).cast(arrow_type)
        restored = read(column).restore(np.full(2, np.nan))
        assert restored.null_count == 2
        assert not np.frombuffer(restored.buffers()[1], dtype=np.uint8).any()

    def test_microseconds_from_the_earliest(self):
        column = pa.array([dt.datetime(1970, 1, 2), dt.datetime(1969, 12, 31, 23, 59, 59)])
        assert read(column).values.tolist() == [86_401e6, 0.0]

    def test_the_mean_of_two_days_is_a_day(self):
        variable = read(pa.array([dt.date(2020, 1, 1), dt.date(2020, 1, 4)]))
        middle = np.full(2, variable.values.mean())
        assert variable.restore(middle)[0].as_py() == dt.date(2020, 1, 3)  # day 18263.5, to even

    def test_a_zone_is_kept(self):
        column = pa.array([0, 7_200], pa.timestamp("s", "America/Lima"))
        variable = read(column)
        restored = variable.restore(np.full(2, variable.values.mean()))
        assert restored.type.tz == "America/Lima"
        assert restored.cast(pa.int64()).to_pylist() == [3_600, 3_600]

    def test_whole_seconds_stay_whole(self):
        restored = read(pa.array([0, 1], pa.timestamp("s"))).restore(np.array([0.6e6, np.nan]))
        assert restored.cast(pa.int64()).to_pylist() == [1, None]

    @pytest.mark.parametrize("year", [1, 1600, 2254, 2300, 9999])
    def test_the_last_microsecond_of_any_year(self, year):
        """9999-12-31 23:59:59.999999 stands for "for ever" in many databases."""
        column = pa.array([dt.datetime(year, 12, 31, 23, 59, 59, 999_999)])
        assert there_and_back(column).equals(column)

    def test_pandas_and_polars(self):
        moments = [dt.datetime(2024, 2, 29, 12), None]
        for column in (pa.array(pd.Series(moments)), pl.Series(moments).to_arrow()):
            assert there_and_back(column).to_pylist()[0].replace(tzinfo=None) == moments[0]
            assert read(column).known.tolist() == [True, False]

    def test_polars_time_and_date(self):
        for values in ([dt.time(8, 30), None], [dt.date(2024, 2, 29), None]):
            assert there_and_back(pl.Series(values).to_arrow()).to_pylist() == values
