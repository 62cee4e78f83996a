"""Columns of every type, with the values that software gets wrong.

To add a type, add a line to `KINDS`: what becomes of the values in a group, and how to make them.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from decimal import Decimal
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from tests.release.every_type import arrow_columns
from tests.release.random_tables import LEVELS

Draw = np.random.Generator
Make = Callable[[Draw, int], pa.Array]

# A word of this kind may stand in no message.
PRIVATE = "zqxj"
NASTY = ["", " ", "a,b", 'say "no"', "two\nlines", "it's", "NA", "null", "-0.0", "ß☃", "1e5", "007"]
ZONES = ["UTC", "Europe/Berlin", "+05:30", "America/New_York"]


class Kind(NamedTuple):
    """What a group is given, and how a column without gaps is made.

    `sort` is "number" or "instant" (a mean), "category" (one that is there), "level" (one that is
    there and has an order), "rank" (a number with an order), or "odd" (cannot be grouped).
    `is_plain` says that any file and database gives the same values back.
    """

    sort: str
    make: Make
    is_plain: bool = False


# -- numbers -----------------------------------------------------------------------------------


def _whole(low: int, high: int, arrow_type: Any) -> Make:
    def make(draw: Draw, n: int) -> pa.Array:
        close = draw.random() < 0.5
        ends = (max(low, -3), min(high, 4)) if close else (low, high)
        return pa.array(draw.integers(*ends, n, endpoint=True).tolist(), arrow_type)

    return make


def _floats(values: Callable[[Draw, int], Any], arrow_type: Any = None) -> Make:
    def make(draw: Draw, n: int) -> pa.Array:
        return pa.array(np.asarray(values(draw, n), dtype=np.float64)).cast(
            arrow_type or pa.float64(), safe=False
        )

    return make


def _far_from_zero(draw: Draw, n: int) -> Any:
    """A huge offset with a tiny spread."""
    offset = float(draw.choice([1e9, -1e12, 4e15, 1e200, 123_456_789.125]))
    return offset + draw.integers(0, 5, n) * np.spacing(offset) * float(draw.choice([1, 3, 1000]))


def _tiny(draw: Draw, n: int) -> Any:
    """Numbers below the smallest normal one, and just above it."""
    unit = float(draw.choice([5e-324, 1e-310, 2.3e-308, 1e-300]))
    return unit * draw.integers(-4, 5, n)


def _of_all_sizes(draw: Draw, n: int) -> Any:
    return draw.choice([-1.0, 1.0], n) * 10.0 ** draw.integers(-320, 299, n)


def _ties(draw: Draw, n: int) -> Any:
    return draw.choice([-0.0, 0.0, 0.1, 0.30000000000000004, 7.5], n)


def _beyond(draw: Draw, n: int) -> Any:
    values = draw.normal(size=n)
    values[draw.integers(n)] = draw.choice([1e308, -1.7e308, 3e300])
    return values


def _infinite(draw: Draw, n: int) -> Any:
    values = draw.normal(size=n)
    values[draw.integers(n)] = draw.choice([np.inf, -np.inf])
    return values


def _decimals(arrow_type: Any, digits: int) -> Make:
    def make(draw: Draw, n: int) -> pa.Array:
        whole = draw.integers(-(10**9), 10**9, n).tolist()
        return pa.array([Decimal(value).scaleb(-digits) for value in whole], arrow_type)

    return make


# -- instants ----------------------------------------------------------------------------------

IN_A_DAY = {"s": 86_400, "ms": 86_400_000, "us": 86_400_000_000, "ns": 86_400_000_000_000}


def _days(arrow_type: Any) -> Make:
    def make(draw: Draw, n: int) -> pa.Array:
        first, last = (-719_162, 2_932_896) if draw.random() < 0.3 else (-30_000, 30_000)
        days = pa.array(draw.integers(first, last, n).astype(np.int32), pa.int32())
        return days.cast(pa.date32()).cast(arrow_type)

    return make


def _moments(unit: str, zone: str | None = None) -> Make:
    def make(draw: Draw, n: int) -> pa.Array:
        days = 40_000 if draw.random() < 0.8 else 2
        ticks = draw.integers(-days * IN_A_DAY[unit], days * IN_A_DAY[unit], n)
        chosen = str(draw.choice(ZONES)) if zone else None
        return pa.array(ticks, pa.int64()).cast(pa.timestamp(unit, chosen))

    return make


def _times(arrow_type: Any) -> Make:
    def make(draw: Draw, n: int) -> pa.Array:
        ticks = draw.integers(0, IN_A_DAY[arrow_type.unit], n)
        width = pa.int32() if pa.types.is_time32(arrow_type) else pa.int64()
        return pa.array(ticks, pa.int64()).cast(width).cast(arrow_type)

    return make


def _durations(unit: str) -> Make:
    return lambda draw, n: pa.array(draw.integers(-(10**6), 10**6, n)).cast(pa.duration(unit))


# -- categories --------------------------------------------------------------------------------


def _one_of(values: list[Any], arrow_type: Any = None) -> Make:
    def make(draw: Draw, n: int) -> pa.Array:
        chosen = min(len(values), int(draw.integers(1, 5)))
        some = draw.permutation(len(values))[:chosen]
        # Some are rare, so that fewer than min_contributors records have them.
        shares = draw.dirichlet(np.full(chosen, float(draw.choice([0.3, 3.0]))))
        return pa.array([values[i] for i in some[draw.choice(chosen, n, p=shares)]], arrow_type)

    return make


def _dictionary(values: list[Any], index: Any, ordered: bool = False) -> Make:
    """Categories that are listed, with some that nobody has."""

    def make(draw: Draw, n: int) -> pa.Array:
        codes = draw.choice(len(values), n, p=draw.dirichlet(np.full(len(values), 0.5)))
        return pa.DictionaryArray.from_arrays(pa.array(codes, index), values, ordered=ordered)

    return make


def _words(draw: Draw, n: int) -> pa.Array:
    return pa.array([f"{PRIVATE}{i}" for i in draw.integers(0, max(2, n // 6), n)])


def _names(draw: Draw, n: int) -> pa.Array:
    """Every record has another one: an identifier that nobody named."""
    return pa.array([f"{PRIVATE}{i}" for i in draw.permutation(n)])


def _nothing(draw: Draw, n: int) -> pa.Array:
    return pa.nulls(n, pa.float64() if draw.random() < 0.5 else pa.null())


def _lists(draw: Draw, n: int) -> pa.Array:
    return pa.array([[int(i), 1] for i in draw.integers(0, 2, n)])


def _records(draw: Draw, n: int) -> pa.Array:
    return pa.array([{"a": int(i)} for i in draw.integers(0, 2, n)])


def _drawn_from(column: pa.Array) -> Make:
    return lambda draw, n: column.take(pa.array(draw.integers(0, len(column), n)))


def _of_other_types() -> dict[str, Kind]:
    """Whatever else Arrow knows and can be drawn from; some of it is grouped, much is refused."""
    sorts = {"decimal32(5, 1)": "number", "decimal64(10, 2)": "number"}
    found = {}
    for name, column in arrow_columns().items():
        with contextlib.suppress(pa.ArrowException, UnicodeDecodeError):
            column.take(pa.array([0, 1, 0])).to_pylist()
            found[f"other: {name}"] = Kind(sorts.get(name, "odd"), _drawn_from(column))
    return found


PLACES = ["north", "south", "east", PRIVATE, "Łódź"]

KINDS: dict[str, Kind] = {
    **{
        f"int{bits}": Kind("number", _whole(-(2 ** (bits - 1)), 2 ** (bits - 1) - 1, kind), True)
        for bits, kind in ((8, pa.int8()), (16, pa.int16()), (32, pa.int32()))
    },
    "int64": Kind("number", _whole(-(2**53), 2**53, pa.int64()), True),
    "int64 beyond floats": Kind("number", _whole(-(2**63), 2**63 - 1, pa.int64())),
    **{
        f"uint{bits}": Kind("number", _whole(0, 2**bits - 1, kind), True)
        for bits, kind in ((8, pa.uint8()), (16, pa.uint16()), (32, pa.uint32()))
    },
    "uint64": Kind("number", _whole(0, 2**53, pa.uint64())),
    "uint64 beyond floats": Kind("number", _whole(0, 2**63 - 1, pa.uint64())),
    "normal": Kind("number", _floats(lambda draw, n: draw.normal(size=n)), True),
    "skewed": Kind("number", _floats(lambda draw, n: draw.lognormal(3, 2, n).round(2)), True),
    "ties": Kind("number", _floats(_ties), True),
    "constant": Kind("number", _floats(lambda draw, n: np.full(n, draw.choice([0.1, -1e300]))), 1),
    "far from zero": Kind("number", _floats(_far_from_zero), True),
    "tiny": Kind("number", _floats(_tiny)),
    "huge": Kind("number", _floats(lambda draw, n: draw.uniform(-1, 1, n) * 1e300)),
    "of all sizes": Kind("number", _floats(_of_all_sizes)),
    "beyond": Kind("number", _floats(_beyond)),
    "infinite": Kind("number", _floats(_infinite)),
    "float16": Kind("number", _floats(lambda draw, n: draw.normal(size=n) * 100, pa.float16())),
    "float32": Kind("number", _floats(lambda draw, n: draw.normal(size=n) * 1e30, pa.float32())),
    "decimal128": Kind("number", _decimals(pa.decimal128(18, 4), 4)),
    "decimal256": Kind("number", _decimals(pa.decimal256(50, 10), 10)),
    "nothing": Kind("number", _nothing),
    "date32": Kind("instant", _days(pa.date32())),
    "date64": Kind("instant", _days(pa.date64())),
    **{f"timestamp {unit}": Kind("instant", _moments(unit)) for unit in IN_A_DAY},
    **{f"timestamp {unit} zone": Kind("instant", _moments(unit, "some")) for unit in IN_A_DAY},
    **{
        str(kind): Kind("instant", _times(kind))
        for kind in (pa.time32("s"), pa.time32("ms"), pa.time64("us"), pa.time64("ns"))
    },
    "truth": Kind("category", _one_of([True, False])),
    "text": Kind("category", _one_of(PLACES), True),
    "words": Kind("category", _words, True),
    "large text": Kind("category", _one_of(PLACES, pa.large_string())),
    "text view": Kind("category", _one_of(PLACES, pa.string_view())),
    "names": Kind("category", _names),
    "nasty text": Kind("category", _one_of(NASTY)),
    "codes": Kind("category", _one_of([1, 2, 10, 99]), True),
    "small codes": Kind("category", _one_of([0, 1, -1], pa.int8())),
    "float codes": Kind("category", _one_of([1.0, 2.5, -0.0, 0.0])),
    "days as codes": Kind("category", _days(pa.date32())),
    "dictionary int8": Kind("category", _dictionary(PLACES, pa.int8())),
    "dictionary int32": Kind("category", _dictionary(PLACES, pa.int32())),
    "dictionary of numbers": Kind("category", _dictionary([3, 1, 2], pa.int16())),
    "dictionary of floats": Kind("category", _dictionary([0.5, -0.0, 0.0, 2.0], pa.int8())),
    "ordered dictionary": Kind("level", _dictionary(LEVELS, pa.int8(), ordered=True)),
    "ordered large": Kind(
        "level", _dictionary(pa.array(LEVELS, pa.large_string()), pa.int32(), ordered=True)
    ),
    "levels": Kind("level", _one_of(LEVELS)),
    "ranks": Kind("rank", _one_of([1, 2, 3, 4, 5])),
    "float ranks": Kind("rank", _floats(_ties)),
    "amounts as ranks": Kind("rank", _floats(lambda draw, n: draw.lognormal(3, 2, n).round(2))),
    **{f"duration {unit}": Kind("odd", _durations(unit)) for unit in IN_A_DAY},
    "bytes": Kind("odd", _one_of([b"a", b"\xff", b""])),
    "lists": Kind("odd", _lists),
    "records": Kind("odd", _records),
    **_of_other_types(),
}
# Columns of these kinds are likely to be refused, so few tables have one.
RARE = {"int64 beyond floats", "uint64 beyond floats", "beyond", "infinite", "names"}
RARE |= {name for name, kind in KINDS.items() if kind.sort == "odd"}
NOMINAL = {"codes", "small codes", "float codes", "days as codes", "nasty text", "words"}
NOMINAL |= {"dictionary of numbers", "dictionary of floats"}


def with_gaps(column: pa.Array, draw: Draw, share: float) -> pa.Array:
    """The same column with about so many values missing: nulls, or NaN where there is one."""
    missing = draw.random(len(column)) < share
    if not missing.any() or pa.types.is_null(column.type):
        return column
    if pa.types.is_float64(column.type) and draw.random() < 0.3:
        return pa.array(np.where(missing, np.nan, column.to_numpy(zero_copy_only=False)))
    if pa.types.is_string_view(column.type):  # Arrow takes nothing from these
        gaps = [None if gone else value for value, gone in zip(column.to_pylist(), missing)]  # noqa: B905
        return pa.array(gaps, column.type)
    return column.take(pa.array(np.where(missing, 0, np.arange(len(column))), mask=missing))
