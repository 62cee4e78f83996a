"""Records on disk, by leaf: runs of Arrow files with a batch for each leaf."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from covey.scale.folder import WorkFolder
from covey.types import IntVector

RUN = "run-{:05d}.arrow"


class Spill:
    """Collects records with their leaves, and writes a run whenever it holds enough bytes."""

    def __init__(self, folder: WorkFolder, n_leaves: int, most_bytes: int) -> None:
        self.counts = np.zeros(n_leaves, dtype=np.int64)
        self.n_runs = 0
        self._folder = folder
        self._most_bytes = most_bytes
        self._tables: list[Any] = []
        self._leaves: list[IntVector] = []
        self._bytes = 0

    def add(self, table: Any, leaves: IntVector) -> None:
        self.counts += np.bincount(leaves, minlength=self.counts.size)
        self._tables.append(table)
        self._leaves.append(leaves)
        self._bytes += int(table.nbytes)
        if self._bytes > self._most_bytes:
            self.flush()

    def flush(self) -> None:
        """Write what was collected as one run, in the order it came inside each leaf."""
        import pyarrow as pa

        if not self._tables:
            return
        table, leaves = pa.concat_tables(self._tables), np.concatenate(self._leaves)
        self._tables, self._leaves, self._bytes = [], [], 0
        write_parts(self._folder, RUN.format(self.n_runs), table, leaves, self.counts.size)
        self.n_runs += 1


def write_parts(folder: WorkFolder, name: str, table: Any, parts: IntVector, n_parts: int) -> None:
    """Write a file whose batch number i has the records of part i, in their order."""
    import pyarrow as pa

    ordered = table.take(np.argsort(parts, kind="stable"))
    ordered = ordered.unify_dictionaries().combine_chunks()
    ends = np.cumsum(np.bincount(parts, minlength=n_parts))
    whole = ordered.to_batches()
    with folder.writing(name) as temporary, pa.ipc.new_file(temporary, ordered.schema) as file:
        for start, end in zip(np.concatenate([[0], ends[:-1]]), ends, strict=True):
            batch = whole[0].slice(start, end - start)
            file.write_batch(batch)


class Parts(NamedTuple):
    """Records of several parts as one table, and how many are from each."""

    table: Any
    sizes: list[int]


def read_parts(folder: WorkFolder, parts: Iterable[tuple[str, int]]) -> Parts:
    """The batches of some files, given by name and number."""
    import pyarrow as pa

    batches = []
    for name, number in parts:
        with pa.OSFile(str(folder.file(name))) as opened:
            batches.append(pa.ipc.open_file(opened).get_batch(number))
    tables = [pa.Table.from_batches([batch]) for batch in batches]
    whole = pa.concat_tables(tables).unify_dictionaries().combine_chunks()
    return Parts(whole, [batch.num_rows for batch in batches])
