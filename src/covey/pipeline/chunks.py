"""Records in chunks that do not depend on how they were read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from covey.types import BoolVector

# Records in a chunk. Sums are taken chunk by chunk, so this decides their last digits.
CHUNK = 65_536


def in_chunks(batches: Iterable[Any], schema: Any, size: int = CHUNK) -> Iterator[Any]:
    """Tables of exactly `size` records (the last one apart), from batches of any size."""
    import pyarrow as pa

    waiting: list[Any] = []
    count = 0
    for batch in batches:
        while batch.num_rows:
            part = batch.slice(0, size - count)
            batch = batch.slice(part.num_rows)
            waiting.append(part)
            count += part.num_rows
            if count == size:
                yield _table(pa, waiting, schema)
                waiting, count = [], 0
    if waiting:
        yield _table(pa, waiting, schema)


def _table(pa: Any, batches: list[Any], schema: Any) -> Any:
    return pa.Table.from_batches(batches, schema=schema)


def drawn(first: int, count: int, share: float) -> BoolVector:
    """Which of the records numbered from `first` on are in a sample of a `share` of all.

    It depends on the number of a record alone.
    """
    if share >= 1:
        return np.ones(count, dtype=bool)
    mixed = np.arange(first, first + count, dtype=np.uint64) + np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray((mixed ^ (mixed >> np.uint64(31))) < np.uint64(int(share * 2.0**64)))
