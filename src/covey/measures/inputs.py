"""What measures look at: both files, what an intruder knows, and how long it may take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from covey.measures.measure import Measure, Need
from covey.measures.pairs import Pair, column_names, column_numbers, read_pair
from covey.types import Progress

# All subsets of so many keys are tried; with more, only all keys together.
MOST_KEYS_FOR_SUBSETS = 7


@dataclass(frozen=True, eq=False)
class Inputs:
    """An original and its release, as every measure finds them.

    `keys` are the columns that the intruder knows, by number, and `subsets` the combinations of
    them that he may know; variables in `ordinal` have an order but no zero, and no group crosses
    the `strata`. With `exact` nothing is estimated from a sample.
    """

    pair: Pair
    keys: tuple[int, ...]
    subsets: Any = None
    ordinal: tuple[str, ...] = ()
    strata: tuple[str, ...] = ()
    confidential: Any = None
    progress: Progress | None = None
    exact: bool = False

    @property
    def numbers(self) -> Pair:
        """The variables that are not nominal."""
        return self.pair.numbers()

    @property
    def known(self) -> Pair:
        """The variables that the intruder knows."""
        return self.pair.once(f"known {self.keys}", lambda: self.pair.select(self.keys))

    @property
    def known_numbers(self) -> list[str]:
        """The names of the keys that are numbers."""
        return [name for name in self.known.names if name not in self.pair.nominal]

    @property
    def categories(self) -> list[str]:
        """The nominal variables that groups can change."""
        return [name for name in self.pair.nominal if name not in self.strata]

    @property
    def without_zero(self) -> tuple[str, ...]:
        """The variables of which no total means anything."""
        return tuple(
            name for name in self.pair.names if name in (*self.pair.nominal, *self.ordinal)
        )

    @property
    def linkage(self) -> dict[str, Any]:
        """What every linkage is told."""
        return {"progress": self.progress, "exact": self.exact}

    def suits(self, measure: Measure) -> bool:
        """Whether there is all that the measure needs."""
        few = measure.most_keys is None or len(self.keys) <= measure.most_keys
        return few and all(map(self.has, measure.needs))

    def has(self, need: Need) -> bool:
        """Whether there is what a measure may need; records, groups and keys always are."""
        there = {
            Need.NUMBERS: bool(self.numbers.names),
            Need.KNOWN_NUMBERS: bool(self.known_numbers),
            Need.AMOUNTS: len(self.without_zero) < len(self.pair.names),
            Need.CATEGORIES: bool(self.categories),
            Need.CONFIDENTIAL: self.confidential is not None,
        }
        return there.get(need, True)

    def settle(self) -> None:
        """Compute what several measures share, before they are taken side by side."""
        _ = self.pair.classes, self.pair.known, self.numbers
        _ = self.known.classes


def read_inputs(
    original: Any,
    released: Any,
    keys: Sequence[Any] | None = None,
    subsets: Any = "auto",
    nominal: Sequence[Any] = (),
    ordinal: Sequence[Any] = (),
    strata: Sequence[Any] = (),
    **others: Any,
) -> Inputs:
    """Read both files; refuse what is not aligned. All parameters are as in `evaluate`."""
    pair = read_pair(original, released, nominal=nominal)
    names = pair.names
    known = tuple(range(len(names))) if keys is None else tuple(column_numbers(keys, names))
    if isinstance(subsets, str) and subsets == "auto":
        subsets = "all" if len(known) <= MOST_KEYS_FOR_SUBSETS else None
    ordered, crossed_by_none = column_names(ordinal, names), column_names(strata, names)
    return Inputs(pair, known, subsets, ordered, crossed_by_none, **others)
