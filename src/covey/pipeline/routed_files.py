"""Records on disk, by leaf: every file has the records of a leaf in one piece, found by its offset.

There is no footer that grows with the leaves, and nobody opens what he does not read.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from covey.pipeline.work_folder import WorkFolder
from covey.types import IntVector

RUN = "run-{:05d}.arrow"


class Slice(NamedTuple):
    """A piece of a file: from where, and how many bytes."""

    name: str
    start: int
    length: int


class Spill:
    """Collects records with their leaves, and writes a file whenever it holds enough bytes."""

    def __init__(self, folder: WorkFolder, n_leaves: int, most_bytes: int) -> None:
        self.counts = np.zeros(n_leaves, dtype=np.int64)
        self.offsets: list[list[int]] = []
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
        """Write what was collected as one file, in the order it came inside each leaf."""
        import pyarrow as pa

        if not self._tables:
            return
        table, leaves = pa.concat_tables(self._tables), np.concatenate(self._leaves)
        self._tables, self._leaves, self._bytes = [], [], 0
        name = RUN.format(len(self.offsets))
        self.offsets.append(write_by_leaf(self._folder, name, table, leaves, self.counts.size))

    def note(self) -> dict[str, Any]:
        """The records of each leaf, and by file where those of each leaf begin."""
        return {"counts": self.counts.tolist(), "offsets": self.offsets}


def write_by_leaf(
    folder: WorkFolder, name: str, table: Any, leaves: IntVector, n_leaves: int
) -> list[int]:
    """Write the records of leaf after leaf; where each begins, and where the last one ends."""
    import pyarrow as pa

    ordered = table.take(np.argsort(leaves, kind="stable")).unify_dictionaries().combine_chunks()
    ends = np.cumsum(np.bincount(leaves, minlength=n_leaves))
    offsets = [0]
    with folder.writing(name) as temporary, pa.OSFile(temporary, "wb") as file:
        for start, end in zip(np.concatenate([[0], ends[:-1]]), ends, strict=True):
            if end > start:
                with pa.ipc.new_stream(file, ordered.schema) as stream:
                    stream.write_table(ordered.slice(start, end - start))
            offsets.append(file.tell())
    return offsets


def slices_of(note: dict[str, Any], leaves: Iterable[int]) -> list[Slice]:
    """Where the records of some leaves are, in the order of the leaves and the files."""
    return [
        Slice(RUN.format(file), offsets[leaf], offsets[leaf + 1] - offsets[leaf])
        for leaf in leaves
        for file, offsets in enumerate(note["offsets"])
        if offsets[leaf + 1] > offsets[leaf]
    ]


def read_slices(folder: WorkFolder, slices: Iterable[Slice]) -> Any:
    """The records of some slices as one table: one read of a range for each."""
    import pyarrow as pa

    tables = []
    for name, start, length in map(Slice._make, slices):
        with pa.OSFile(str(folder.file(name))) as opened:
            opened.seek(start)
            tables.append(pa.ipc.open_stream(opened.read_buffer(length)).read_all())
    return pa.concat_tables(tables).unify_dictionaries().combine_chunks()
