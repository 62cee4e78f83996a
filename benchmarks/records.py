"""The best partitions known of the reference files, and a check of each against the data.

    python -m benchmarks.records            checks sizes and losses of what is stored
    python -m benchmarks.records search 60000 0 census-k3   effort, seed, cells

A record is a file of labels, one a line in the order of the data: records/census-k3.txt.gz
"""

from __future__ import annotations

import gzip
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from covey import Partition, datasets
from covey.techniques import NearOptimal

FOLDER = Path(__file__).parent / "records"
LOADERS: dict[str, Callable[[], Any]] = {
    "tarragona": datasets.load_tarragona,
    "census": datasets.load_census,
    "eia11": datasets.load_eia,
}
SIZES = (3, 4, 5, 6, 10)
# Least losses known before, by searches of a minute and more.
KNOWN = {
    "tarragona": (14.4677, 17.0978, 20.1875, 23.5793, 30.1155),
    "census": (4.6701, 6.1160, 7.3265, 8.3100, 11.3741),
    "eia11": (0.3495, 0.4834, 0.7373, 0.9033, 1.9380),
}


class Cell(NamedTuple):
    """One file and one k."""

    name: str
    k: int

    @property
    def path(self) -> Path:
        return FOLDER / f"{self.name}-k{self.k}.txt.gz"

    @property
    def known(self) -> float:
        return KNOWN[self.name][SIZES.index(self.k)]


CELLS = [Cell(name, k) for name in LOADERS for k in SIZES]


def stored(cell: Cell) -> Partition:
    """The partition on file."""
    return Partition(np.loadtxt(cell.path, dtype=np.int64))


def store(cell: Cell, partition: Partition) -> None:
    """Write labels so that the same partition always gives the same bytes."""
    text = "".join(f"{label}\n" for label in Partition.from_labels(partition.labels).labels)
    cell.path.write_bytes(gzip.compress(text.encode(), 9, mtime=0))


def verified_loss(cell: Cell) -> float:
    """The loss of a record, from the data; an error if a group is too small or too large."""
    partition = stored(cell)
    partition.require(cell.k)
    if partition.sizes.max() >= 2 * cell.k:
        raise SystemExit(f"{cell.path.name}: a group of {partition.sizes.max()} records")
    return partition.il(LOADERS[cell.name]())


def keep_better(cell: Cell, partition: Partition) -> float:
    """Store a partition that beats the record; the loss of what was the record."""
    before = verified_loss(cell) if cell.path.exists() else float("inf")
    if partition.il(LOADERS[cell.name]()) < before:
        store(cell, partition)
    return before


def check() -> None:
    """Print every record beside the loss known before."""
    for cell in CELLS:
        if cell.path.exists():
            loss = verified_loss(cell)
            change = 100 * (loss / cell.known - 1)
            print(f"{cell.name:10} k={cell.k:<3} {loss:9.5f}   {change:+.3f} %", flush=True)


def search(effort: float, cells: list[Cell], seed: int) -> None:
    """Search each cell and keep what is better than the record."""
    for cell in cells:
        table = LOADERS[cell.name]()
        began = time.process_time()
        near = NearOptimal(k=cell.k, effort=effort, polish=True, random_state=seed).fit(table)
        seconds = time.process_time() - began
        before = keep_better(cell, near.partition_)
        print(
            f"{cell.name} k={cell.k} effort {effort:g} seed {seed}: {near.il_:.5f} "
            f"({100 * (near.il_ / cell.known - 1):+.3f} %), {seconds:.1f} s of CPU, of these "
            f"{near.polish_seconds_:.1f} s by the clock in the polish; record {before:.5f}",
            flush=True,
        )


if __name__ == "__main__":
    if sys.argv[1:2] == ["search"]:
        wanted = [cell for cell in CELLS if f"{cell.name}-k{cell.k}" in sys.argv[4:]] or CELLS
        search(float(sys.argv[2]), wanted, int(sys.argv[3]))
    else:
        check()
