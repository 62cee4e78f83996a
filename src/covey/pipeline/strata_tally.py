"""Strata of a table that is read chunk by chunk, and patterns of missing values inside them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from covey.tables.categories import plain_values
from covey.tables.strata import Strata, missing_patterns, relabelled, settle_sizes, stratify
from covey.tables.variables import Variable
from covey.types import FloatMatrix, IntVector

# The values of the strata, and which variables are missing where patterns count.
Key = tuple[tuple[Any, ...], tuple[bool, ...]]


class Tally:
    """How many records have each key; keys are numbered by first appearance."""

    def __init__(self, strata: Sequence[str], patterns: bool) -> None:
        self.strata = tuple(strata)
        self.patterns = patterns
        self.numbers: dict[Key, int] = {}
        self.counts: list[int] = []

    def add(self, table: Any, variables: Sequence[Variable]) -> None:
        labels, keys = self.keys_of(table, variables)
        for key, count in zip(keys, np.bincount(labels), strict=True):
            if self.numbers.setdefault(key, len(self.numbers)) == len(self.counts):
                self.counts.append(0)
            self.counts[self.numbers[key]] += int(count)

    def keys_of(self, table: Any, variables: Sequence[Variable]) -> tuple[IntVector, list[Key]]:
        """A label for each record, and the key of each label."""
        columns = [table[name] for name in self.strata]
        labels = stratify(columns, table.num_rows)
        known = np.zeros((table.num_rows, 0), dtype=bool)
        if self.patterns:
            known = np.column_stack([variable.known for variable in variables])
            patterns = missing_patterns(known)
            labels = labels * (int(patterns.max()) + 1) + patterns
        _, first, labels = np.unique(labels, return_index=True, return_inverse=True)
        order = np.argsort(first)
        rank = np.argsort(order)
        first = first[order]
        values = [_told_apart(column).take(first).to_pylist() for column in columns]
        strata = list(zip(*values, strict=True)) if values else [()] * first.size
        keys = [(s, tuple(map(bool, row))) for s, row in zip(strata, known[first], strict=True)]
        return rank[labels].astype(np.int64), keys

    def numbered(self, table: Any, variables: Sequence[Variable]) -> IntVector:
        """The number of the key of each record."""
        labels, keys = self.keys_of(table, variables)
        return np.array([self.numbers[key] for key in keys], dtype=np.int64)[labels]


class Settled(NamedTuple):
    """What became of the strata.

    `final` is the stratum, or pattern in it, of each key, −1 when suppressed; `sizes` are the
    records of each. `released` has the values that strata are released with by key, where some
    were merged. `merged` has the words for those, and the number of their records.
    """

    final: IntVector
    sizes: IntVector
    released: dict[str, Any]
    merged: tuple[tuple[str, int], ...]
    suppressed: int


def settle(
    tally: Tally, table_schema: Any, names: Sequence[str], k: int, small: str, sums: FloatMatrix
) -> Settled:
    """Do with small strata what `small` says, then with small patterns inside them.

    `sums` are the sums of the coordinates of each key; only merging looks at them.
    """
    keys, counts = list(tally.numbers), np.array(tally.counts, dtype=np.int64)
    first = _numbered([key[0] for key in keys])

    def words(stratum: int) -> str:
        return _words(tally.strata, keys[int(np.argmax(first == stratum))][0])

    strata = settle_sizes(
        *_added(first, counts, k, small, sums),
        words,
        np.zeros(int(first.max()) + 1, dtype=np.int64),
    )
    merged = [_merged_words(group, first, counts, words) for group in strata.merged]
    final = strata.labels[first]
    if tally.patterns:
        final, more = _settled_patterns(tally, keys, counts, final, names, k, small, sums)
        merged += more
    inside = final >= 0
    final[inside] = np.unique(final[inside], return_inverse=True)[1]
    sizes = np.bincount(final[inside], weights=counts[inside]).astype(np.int64)
    released = _released(tally, keys, first, strata, table_schema) if strata.merged else {}
    return Settled(final, sizes, released, tuple(merged), int(counts[~inside].sum()))


def unnamed_strata(tally: Tally, settled: Settled) -> dict[str, int]:
    """Records, by column, that lose their stratum because no value was true for all merged."""
    found: dict[str, int] = {}
    for j, name in enumerate(tally.strata):
        if name in settled.released:
            gone = settled.released[name].is_null().to_pylist()
            lost = [
                count
                for key, count, empty in zip(tally.numbers, tally.counts, gone, strict=True)
                if empty and key[0][j] is not None
            ]
            found |= {name: sum(lost)} if lost else {}
    return found


def _settled_patterns(
    tally: Tally,
    keys: list[Key],
    counts: IntVector,
    strata: IntVector,
    names: Sequence[str],
    k: int,
    small: str,
    sums: FloatMatrix,
) -> tuple[IntVector, list[tuple[str, int]]]:
    inside = np.flatnonzero(strata >= 0)
    labels = _numbered([(int(strata[i]), keys[i][1]) for i in inside])
    parents = np.zeros(int(labels.max()) + 1, dtype=np.int64)
    parents[labels] = strata[inside]

    def words(pattern: int) -> str:
        values, known = keys[inside[int(np.argmax(labels == pattern))]]
        gaps = [name for name, there in zip(names, known, strict=True) if not there]
        return f"{_words(tally.strata, values)}, missing: {', '.join(gaps) or 'nothing'}"

    settled = settle_sizes(*_added(labels, counts[inside], k, small, sums[inside]), words, parents)
    final = np.full(strata.size, -1, dtype=np.int64)
    final[inside] = settled.labels[labels]
    return final, [_merged_words(group, labels, counts[inside], words) for group in settled.merged]


def _added(
    labels: IntVector, counts: IntVector, k: int, small: str, sums: FloatMatrix
) -> tuple[IntVector, int, str, FloatMatrix]:
    sizes = np.bincount(labels, weights=counts).astype(np.int64)
    added = np.zeros((sizes.size, sums.shape[1]))
    np.add.at(added, labels, sums)
    return sizes, k, small, added


def _told_apart(column: Any) -> Any:
    """The values so that Python tells them apart: an hour that a clock has twice is two hours."""
    import pyarrow as pa

    plain = plain_values(column)
    zoned = pa.types.is_timestamp(plain.type) and plain.type.tz is not None
    return plain.cast(pa.timestamp(plain.type.unit, "UTC")) if zoned else plain


def _numbered(keys: Sequence[Any]) -> IntVector:
    numbers: dict[Any, int] = {}
    return np.array([numbers.setdefault(key, len(numbers)) for key in keys], dtype=np.int64)


def _words(names: Sequence[str], values: tuple[Any, ...]) -> str:
    words = [f"{name}={value!r}" for name, value in zip(names, values, strict=True)]
    return ", ".join(words) or "all records"


def _merged_words(
    group: tuple[int, ...], labels: IntVector, counts: IntVector, words: Callable[[int], str]
) -> tuple[str, int]:
    sizes = [int(counts[labels == stratum].sum()) for stratum in group]
    named = [f"{words(stratum)} ({size})" for stratum, size in zip(group, sizes, strict=True)]
    return " with ".join(named), sum(sizes)


def _released(
    tally: Tally, keys: list[Key], first: IntVector, strata: Strata, schema: Any
) -> dict[str, Any]:
    """The values of the stratum columns by key, one for all strata that were merged."""
    import pyarrow as pa

    found = {}
    for j, name in enumerate(tally.strata):
        kind = schema.field(name).type
        kind = kind.value_type if pa.types.is_dictionary(kind) else kind
        column = pa.array([key[0][j] for key in keys], type=kind)
        found[name] = relabelled(column, strata, first)
    return found
