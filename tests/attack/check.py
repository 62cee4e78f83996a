"""A look at what was released, by plain pandas and Python: nothing of Covey is used.

What is compared are cells as `places` reads them. Every function gives what it found wrong, in
words that show no value.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd

from tests.attack.places import Given, tick_of
from tests.attack.requests import Request
from tests.release.independent import smallest_class

EXACT = ("memory", "parquet", "arrow", "folder/")


def wrong(request: Request, given: Given, found: pd.DataFrame, suppressed: int) -> list[str]:
    """Everything that is wrong with a release."""
    look = Look(request, given, found, suppressed)
    if not len(found) or len(found) != len(look.original):
        return [f"{len(found)} records instead of {len(look.original)}"]
    parts = (look.records(), look.names(), look.classes(), look.copies(), look.means())
    parts += (look.categories(),)
    if request.out == "memory" and given.in_order:
        parts += (look.groups(),)
    return [text for part in parts for text in part]


class Look:
    """One release beside the records of its original that should be in it."""

    def __init__(
        self, request: Request, given: Given, found: pd.DataFrame, suppressed: int
    ) -> None:
        self.request, self.given, self.found = request, given, found
        self.suppressed = suppressed
        self.exact = given.exact and request.out in EXACT
        small = small_cells(request, given.cells)
        left_out = small & (request.asked["small_strata"] == "suppress")
        self.has_merged = bool(small.any()) and request.asked["small_strata"] == "merge"
        self.original = given.cells[~left_out].reset_index(drop=True)

    def records(self) -> Iterator[str]:
        expected = len(self.given.cells) - len(self.original)
        if self.suppressed != expected:
            yield f"{self.suppressed} suppressed records are said, but there are {expected}"

    def names(self) -> Iterator[str]:
        asked = self.request.asked
        kept = {*self.request.kinds, *asked["strata"], *asked["keep"], *asked["confidential"]}
        kept |= set(self.request.averaged_weights)
        order = [name for name in self.request.table.column_names if name in kept]
        if list(self.found.columns) != order:
            yield f"the columns are {list(self.found.columns)} instead of {order}"

    def classes(self) -> Iterator[str]:
        """Cells are compared as they are written: −0.0 is not 0.0, and NaN is not null."""
        asked, blocks = self.request.asked, self.request.blocks
        written = self.found.map(repr)
        beside = [*asked["strata"], *self.request.averaged_weights]
        for block in blocks:
            smallest = smallest_class(written, [*block, *beside])
            if smallest < self.request.k:
                yield f"{smallest} records are equal in {block}, where k={self.request.k}"

    def copies(self) -> Iterator[str]:
        """Columns that are released as they are, inside each stratum."""
        asked = self.request.asked
        inside = [] if self.has_merged else asked["strata"]
        if not all(self._comparable(name) for name in inside):
            inside = []
        for name in (*asked["keep"], *asked["confidential"]):
            if self._comparable(name):
                before, after = (
                    Counter(zip(*(map(self.plain, frame[one]) for one in (*inside, name))))  # noqa: B905
                    for frame in (self.original, self.found)
                )
                if before != after:
                    yield f"{name!r} is not what it was"

    def means(self) -> Iterator[str]:
        """Means of complete columns are those of the original."""
        weights = self._weights()
        if weights is None:
            return
        for name, sort in self.request.sorts.items():
            usable = sort == "number" or (sort == "instant" and self.exact)
            values = [self.plain(value) for value in self.original[name]]
            if not usable or any(value is None for value in values):
                continue
            released = [self.plain(value) for value in self.found[name]]
            if any(value is None for value in released):
                yield f"{name!r} was complete and has gaps now"
                continue
            if _moved(values, released, weights, self._rounding(name)):
                yield f"the mean of {name!r} moved"

    def categories(self) -> Iterator[str]:
        """No category is new, and none points at fewer than `min_contributors` records."""
        for name, sort in self.request.sorts.items():
            if sort not in ("category", "level") or not self._comparable(name):
                continue
            counts = Counter(map(self.plain, self.original[name]))
            released = {self.plain(value) for value in self.found[name]} - {None}
            if released - set(counts):
                yield f"{name!r} has a category that the original has not"
            elif any(counts[value] < self.request.contributors for value in released):
                yield f"{name!r} has a category that only a few records had"

    def groups(self) -> Iterator[str]:
        """What stands behind a value, where rows are in the order of the original.

        Records that are equal in all released columns are one group or several.
        """
        written = self.found.map(repr)
        for block in self.request.blocks:
            keys = [*block, *self.request.asked["strata"]]
            for rows in written.groupby(keys, sort=False).indices.values():
                for name in block:
                    yield from self._group(name, rows)

    def _group(self, name: str, rows: Any) -> Iterator[str]:
        released = self.plain(self.found[name].iloc[rows[0]])
        values = [self.plain(value) for value in self.original[name].iloc[rows]]
        known = [value for value in values if value is not None]
        if released is None:
            return
        if len(known) < self.request.contributors:
            yield f"a value of {name!r} stands for {len(known)} records only"
        elif self.request.sorts[name] in ("number", "instant", "rank"):
            slack = 1e-9 * (max(known) - min(known)) + 4e-16 * max(map(abs, known))
            slack += self._rounding(name)
            if not min(known) - slack <= released <= max(known) + slack:
                yield f"a value of {name!r} is not between those of its group"

    # -- cells ---------------------------------------------------------------------------------

    def plain(self, value: Any) -> Any:
        """A cell as something that can be compared; None where it is missing."""
        if value is None or (isinstance(value, float) and math.isnan(value)):
            return None
        if isinstance(value, bool | np.bool_):
            return bool(value)
        if isinstance(value, int | float | Decimal):
            return float(value) + 0.0
        return value if self.exact else _loose(value)

    def _comparable(self, name: str) -> bool:
        """Whether cells are the same in files that know fewer types."""
        column = self.request.table[name].type
        simple = self.request.table.select([name]).schema.field(0)
        return (
            self.exact
            or str(column) in ("int64", "double", "string", "large_string")
            or (str(simple.type).startswith("dictionary<values=string"))
        )

    def _rounding(self, name: str) -> float:
        """How far a mean may be from what it is: whole numbers and instants are rounded."""
        if self.request.sorts[name] == "instant":
            return 0.501 * tick_of(self.request.table[name].type)
        integers = self.request.asked["integers"]
        is_whole = self.request.kinds[name].startswith(("int", "uint"))
        is_rounded = integers if isinstance(integers, bool) else name in integers
        return 0.501 * (is_whole and is_rounded)

    def _weights(self) -> tuple[list[float], list[float]] | None:
        """Weights before and after, or nothing if none tells the means."""
        asked = self.request.asked
        if not asked["weight"]:
            ones = [1.0] * len(self.original)
            return ones, ones
        first = asked["weight"][0]
        if first not in self.request.averaged_weights:
            return None
        weights = [
            [self.plain(value) for value in frame[first]] for frame in (self.original, self.found)
        ]
        return weights[0], weights[1]


def small_cells(request: Request, cells: pd.DataFrame) -> pd.Series:
    """Records whose stratum, or pattern of gaps inside it, has fewer than k."""
    asked = request.asked
    parts = [cells[name].map(_stratum_word) for name in asked["strata"]]
    if asked["missing"] == "pattern":
        parts += [cells[name].isna().map(str) for name in request.kinds]
    whole = pd.Series("", index=cells.index)
    for part in parts:
        whole = whole + "\0" + part
    return whole.map(whole.value_counts()) < request.k


def _stratum_word(value: Any) -> str:
    if value is None or value != value:
        return "missing"
    return repr(value + 0.0 if isinstance(value, float) else value)


def _loose(value: Any) -> Any:
    """Text of a file as the number that it is; nothing is missing."""
    if value == "":
        return None
    try:
        return float(value) + 0.0
    except (TypeError, ValueError):
        return value


def _moved(
    values: list[float],
    released: list[float],
    weights: tuple[list[float], list[float]],
    rounding: float,
) -> bool:
    """Whether means differ by more than digits; in a unit in which products are no less exact."""
    digits = -math.frexp(max(map(abs, values)))[1]
    before, after = (
        _mean([math.ldexp(value, digits) for value in some], weight)
        for some, weight in zip((values, released), weights, strict=True)
    )
    spread = math.ldexp(max(values), digits) - math.ldexp(min(values), digits)
    slack = math.ldexp(rounding + 1e-323, digits) + 1e-9 * spread + 4e-16
    return abs(after - before) > slack


def _mean(values: list[float], weights: list[float]) -> float:
    largest = max(weights)
    shares = [weight / largest for weight in weights]
    total = math.fsum(shares)
    return math.fsum(value * (share / total) for value, share in zip(values, shares, strict=True))
