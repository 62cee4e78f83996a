"""What windows gain, and what they cost beside the groups themselves and beside a search.

python -m benchmarks.windows          100,000 records, printed only
python -m benchmarks.windows --full   a million; the tables into benchmarks/RESULTS.md

Seconds are those of the processor, on one thread, so other work on the machine hardly counts.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from typing import Any
from unittest import mock

os.environ["COVEY_THREADS"] = "1"

import numpy as np

from benchmarks.machine import keep
from benchmarks.pages import ROOT, fill, table
from covey import Partition
from covey.pipeline.cells import group_in_cells
from covey.refining.improving import Settings, improve
from covey.refining.windows import improve_in_windows
from covey.scaling import standardize
from covey.techniques import IAMAT
from covey.watching import new_meter

FULL = "--full" in sys.argv
N_RECORDS = 1_000_000 if FULL else 100_000
K = 5
# Records of a cell; None is the whole. As shares of a million, so that a short run cuts as often.
CELLS = (65_536, 262_144, None)
SWEEPS = (4, 16)
# Where windows are compared with a search: records, variables and k of normal files.
FILES = ((1_000_000, 5, 5), (100_000, 10, 3), (20_000, 8, 5))
MOVES = (30.0, 120.0)


class Measured:
    """Labels for normal records, their loss, and the processor time they took."""

    def __init__(self, n_records: int, d: int, k: int) -> None:
        self.points = standardize(np.random.default_rng(1).normal(size=(n_records, d)))
        self.k = k

    def of(self, work: Callable[[], Any]) -> tuple[Any, float, float]:
        """Labels, IL in percent, microseconds per record."""
        began = time.process_time()
        labels = work()
        seconds = time.process_time() - began
        il = Partition.from_labels(labels).sse(self.points) / self.points.size * 100
        return labels, il, 1e6 * seconds / len(labels)

    def grouped(self, cell: int | None) -> tuple[Any, float, float]:
        group = IAMAT(k=self.k).group_alone
        if cell is None:
            return self.of(lambda: group(self.points, self.k))
        with mock.patch(
            "covey.pipeline.cells.improve_in_windows", lambda _points, labels, *_: labels
        ):
            return self.of(lambda: group_in_cells(group, self.points, self.k, new_meter(), cell))

    def in_windows(self, labels: Any, sweeps: int) -> tuple[Any, float, float]:
        return self.of(
            lambda: improve_in_windows(self.points, labels, self.k, 0, new_meter(), sweeps)
        )

    def searched(self, labels: Any, moves: float) -> tuple[Any, float, float]:
        settings = Settings(moves, polish=False)
        return self.of(
            lambda: improve(self.points, labels, self.k, settings, 0, new_meter()).labels
        )


def in_cells() -> list[dict[str, Any]]:
    """Windows over the whole, after groups formed in cells of several sizes."""
    measured, rows = Measured(N_RECORDS, 5, K), []
    for cell in CELLS:
        size = None if cell is None else cell * N_RECORDS // 1_000_000
        start, il, cost = measured.grouped(size)
        row = {"cells": "whole" if size is None else f"{size:,}", "il": il, "us": cost}
        for sweeps in SWEEPS:
            _, row[f"il_{sweeps}"], row[f"us_{sweeps}"] = measured.in_windows(start, sweeps)
        rows.append(row)
        print(row, flush=True)
    return rows


def cells_page(rows: list[dict[str, Any]]) -> str:
    headings = [f"IAMAT, {N_RECORDS:,} × 5, k={K}; cells of", "IL alone (µs per record)"]
    headings += [f"+ {sweeps} sweeps" for sweeps in SWEEPS]
    shown = []
    for row in rows:
        cells = [row["cells"], f"{row['il']:.4f} ({row['us']:.1f})"]
        cells += [f"{row[f'il_{s}']:.4f} (+{row[f'us_{s}']:.1f})" for s in SWEEPS]
        shown.append(cells)
    return table(headings, shown)


def beside_search() -> list[dict[str, Any]]:
    rows = []
    for n_records, d, k in FILES:
        measured = Measured(n_records if FULL else min(n_records, 20_000), d, k)
        start, il, cost = measured.grouped(None)
        row: dict[str, Any] = {"file": f"{len(start):,} × {d}, k={k}", "il": il, "us": cost}
        _, row["il_windows"], row["us_windows"] = measured.in_windows(start, SWEEPS[-1])
        for moves in MOVES:
            _, row[f"il_{moves:g}"], row[f"us_{moves:g}"] = measured.searched(start, moves)
        rows.append(row)
        print(row, flush=True)
    return rows


def search_page(rows: list[dict[str, Any]]) -> str:
    names = {"windows": f"+ windows, {SWEEPS[-1]} sweeps"}
    names |= {f"{moves:g}": f"+ search, {moves:g} moves" for moves in MOVES}
    return table(
        ["normal records", "IAMAT (µs per record)", *names.values()],
        [
            [row["file"], f"{row['il']:.4f} ({row['us']:.1f})"]
            + [f"{row[f'il_{way}']:.4f} (+{row[f'us_{way}']:.1f})" for way in names]
            for row in rows
        ],
    )


def main() -> None:
    cells, beside = in_cells(), beside_search()
    pages = {"windows": cells_page(cells), "windows-search": search_page(beside)}
    print(*pages.values(), sep="\n\n")
    if FULL:
        named = {"windows": cells, "windows-search": beside}
        keep("windows", [{"table": name, **row} for name, rows in named.items() for row in rows])
        fill(
            ROOT / "benchmarks" / "RESULTS.md",
            {name: lambda text=text: text for name, text in pages.items()},
        )


if __name__ == "__main__":
    main()
