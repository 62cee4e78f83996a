"""Figures of a variable, taken chunk by chunk: what the whole column would say."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from covey.errors import SchemaError
from covey.scaling import Footing, power_of_two
from covey.tables.aggregating import Overall
from covey.tables.categories import MOST_CATEGORIES, too_many_categories
from covey.tables.embedding import RAW, Placing, corners, middle_ranks
from covey.tables.instants import Clock
from covey.tables.kinds import Kinds
from covey.tables.variables import Variable, read_variable
from covey.types import FloatMatrix, FloatVector, IntVector


class Described(NamedTuple):
    """A variable as all records say it is; `read` reads some of them the same way."""

    name: str
    kind: str
    categories: Any = None
    clock: Clock | None = None
    overall: Overall | None = None

    def read(self, column: Any, kinds: Kinds) -> Variable:
        """Some records: codes are places in the categories of all, instants have one zero."""
        found = read_variable(self.name, column, kinds)
        values = found.values
        if self.categories is not None:
            values = _recoded(values, found.categories, self.categories)
        elif self.clock is not None and found.clock is not None:
            values = values + float(found.clock.zero - self.clock.zero)
        return Variable(self.name, self.kind, values, found.arrow_type, self.categories, self.clock)


def _recoded(codes: FloatVector, found: Any, wanted: Any) -> FloatVector:
    import pyarrow.compute as pc

    known = ~np.isnan(codes)
    moved = np.full(codes.size, np.nan)
    if known.any():
        places = np.array(pc.index_in(found, value_set=wanted).to_numpy(zero_copy_only=False))
        moved[known] = places[codes[known].astype(np.int64)]
    if np.isnan(moved[known]).any():
        raise SchemaError("The records changed while they were read. Nothing is released.")
    return moved


class Numbers:
    """Count, mean, sum of squares around it, first, least and greatest of some numbers.

    The mean, as an offset from the first number, and the squares are counted in `unit`, a power of
    two that grows with the numbers: squares of huge and of tiny ones stay inside the floats.
    """

    def __init__(self) -> None:
        self.count = 0
        self.first = self.low = self.high = self.offset = self.squares = 0.0
        self.unit = 0.0
        self.clock: Clock | None = None

    @property
    def mean(self) -> float:
        return self.first + self.offset * self.unit

    def add(self, variable: Variable, weights: FloatVector | None) -> None:
        values = variable.values[variable.known]
        if values.size == 0:
            return
        if variable.clock is not None:
            values = values + self._shift(variable.clock)
        self._take(values)

    def _take(self, values: FloatVector) -> None:
        if self.count == 0:
            self.first = self.low = self.high = float(values[0])
        self.low = min(self.low, float(values.min()))
        self.high = max(self.high, float(values.max()))
        self._combine(values)

    def _combine(self, values: FloatVector) -> None:
        """Means and squares of two parts as those of both (Chan, Golub and LeVeque 1983)."""
        self._grow()
        shares = (values - self.first) / (self.unit or 1.0)
        mean = float(shares.mean())
        squares = float(np.square(shares - mean).sum())
        count = self.count + values.size
        apart = mean - self.offset if self.count else 0.0
        self.squares += squares + apart * apart * self.count * (values.size / count)
        self.offset = mean if self.count == 0 else self.offset + apart * (values.size / count)
        self.count = count

    def _grow(self) -> None:
        """Take the unit that fits the largest offset so far; none while all numbers are equal."""
        if self.largest_offset == 0:
            return
        unit = power_of_two(self.largest_offset)
        smaller = self.unit / unit
        self.offset, self.squares = self.offset * smaller, self.squares * smaller * smaller
        self.unit = unit

    def _shift(self, clock: Clock) -> float:
        if self.clock is None:
            self.clock = clock
        low, high = self.clock.earliest, self.clock.latest
        self.clock = self.clock._replace(
            earliest=min(low, clock.earliest), latest=max(high, clock.latest)
        )
        return float(clock.zero - self.clock.zero)

    @property
    def largest_offset(self) -> float:
        return max(self.high - self.first, self.first - self.low)

    def described(self, name: str, kind: str) -> Described:
        return Described(name, kind, clock=self.clock)

    def placing(self, kind: str, scaling: str, n_records: int, unit: float) -> Placing:
        """Where the numbers lie; `unit` is for those that are not scaled one by one."""
        gaps = self.count < n_records
        if self.count == 0 or scaling == RAW:
            return Placing(kind, None, None, np.array([self.mean]), gaps)
        if scaling == "none":
            footing = _footing(self.low, unit, 0.0, 1.0)
            return Placing(kind, footing, None, np.array([(self.mean - self.low) / unit]), gaps)
        own = self.largest_offset or 1.0
        units = self.unit / own
        spread = (self.high - self.low) / own
        if scaling == "zscore":
            spread = float(np.sqrt(self.squares / self.count)) * units
        footing = _footing(self.first, own, self.offset * units, spread or 1.0)
        return Placing(kind, footing, None, np.zeros(1), gaps)


class OrderedNumbers(Numbers):
    """How many records have each of some numbers, of which the order counts."""

    def __init__(self) -> None:
        super().__init__()
        self._merged = np.zeros((2, 0))  # different numbers, ascending, and how many have each
        self._pending: list[FloatMatrix] = []

    def _take(self, values: FloatVector) -> None:
        self.count += values.size
        self._pending.append(np.array(np.unique(values, return_counts=True)))
        if sum(part.shape[1] for part in self._pending) > self._merged.shape[1]:
            self._merge()

    def _merge(self) -> None:
        parts = np.hstack([self._merged, *self._pending])
        levels, where = np.unique(parts[0], return_inverse=True)
        self._merged = np.array([levels, np.bincount(where, weights=parts[1])])
        self._pending = []

    def described(self, name: str, kind: str) -> Described:
        return Described(name, kind, clock=self.clock)

    def placing(self, kind: str, scaling: str, n_records: int, unit: float) -> Placing:
        self._merge()
        levels, counts = self._merged[0], self._merged[1].astype(np.int64)
        ranks = middle_ranks(counts)
        gaps = self.count < n_records
        return Placing(kind, _footing_of_ranks(ranks, counts), ranks, np.zeros(1), gaps, levels)


class Categories:
    """How many records have each category, and their weight."""

    def __init__(self, name: str, kind: str, declared: bool) -> None:
        self.name = name
        self.kind = kind
        self.declared = declared
        self.count = 0
        self.found: dict[Any, list[float]] = {}
        self.arrow_type: Any = None

    def add(self, variable: Variable, weights: FloatVector | None) -> None:
        known = variable.known
        codes = variable.values[known].astype(np.int64)
        self.count += codes.size
        self.arrow_type = variable.categories.type
        counts = np.bincount(codes, minlength=variable.n_categories)
        inside = None if weights is None else weights[known]
        weight = np.bincount(codes, weights=inside, minlength=variable.n_categories)
        self._require_one_order(variable.categories)
        for value, one, heavy in zip(variable.categories.to_pylist(), counts, weight, strict=True):
            if one or self.declared:
                entry = self.found.setdefault(value, [0.0, 0.0])
                entry[0] += int(one)
                entry[1] += float(heavy)
        if self.kind == "nominal" and len(self.found) > MOST_CATEGORIES:
            raise too_many_categories(self.name)

    def _require_one_order(self, categories: Any) -> None:
        if self.declared and self.found and list(self.found) != categories.to_pylist():
            raise SchemaError(
                f"The parts of the table list the ordered categories of {self.name!r} differently. "
                "Give them from low to high (ordinal= or --ordinal)."
            )

    def described(self, name: str, kind: str) -> Described:
        import pyarrow as pa
        import pyarrow.compute as pc

        categories = pa.array(list(self.found), type=self.arrow_type)
        order = np.arange(len(categories))
        if not self.declared and len(categories):
            order = np.asarray(pc.sort_indices(categories))
        table = np.array(list(self.found.values())).reshape(-1, 2)[order]
        self._counts = table[:, 0].astype(np.int64)
        overall = Overall(self._counts, table[:, 1])
        return Described(name, kind, categories.take(pa.array(order)), overall=overall)

    def placing(self, kind: str, scaling: str, n_records: int, unit: float) -> Placing:
        gaps, counts = self.count < n_records, self._counts
        total = max(int(counts.sum()), 1)
        if kind == "ordinal":
            ranks = middle_ranks(counts)
            return Placing(kind, _footing_of_ranks(ranks, counts), ranks, np.zeros(1), gaps)
        used = counts[counts > 0]
        middle = np.sqrt(0.5) * used / total if used.size > 2 else used[1:] / total
        return Placing(kind, None, corners(counts), middle if middle.size else np.zeros(1), gaps)


def _footing(*parts: float) -> Footing:
    return Footing(*(np.array([part]) for part in parts))


def _footing_of_ranks(ranks: FloatVector, counts: IntVector) -> Footing:
    total = max(int(counts.sum()), 1)
    mean = float((ranks * counts).sum() / total)
    spread = float(np.sqrt((np.square(ranks - mean) * counts).sum() / total))
    return _footing(0.0, 1.0, mean, spread or 1.0)


def shared_unit(figures: list[Numbers | Categories]) -> float:
    """The power of two that all unscaled numbers are divided by."""
    widths = [one.high - one.low for one in figures if type(one) is Numbers]
    return power_of_two(max(widths, default=0.0))
