"""What a run over billions of records would be divided into: tasks, bytes, reads.

python -m benchmarks.billions          printed only
python -m benchmarks.billions --full   the table into docs/scale.md

The plan is made as a release makes it, from a sample of normal records and the number of records
alone; nothing is read or written. Ten variables and `memory_limit="2GB"`.
"""

from __future__ import annotations

import sys

import numpy as np

from benchmarks.pages import ROOT, fill, table
from covey.pipeline.plan import divide_strata
from covey.release.run import PART_RECORDS

SIZES = (10**7, 10**8, 10**9, 10**10)
VARIABLES, MEMORY = 10, 2 * 10**9
# A routed record: its variables, and the columns of the plan (stratum, key, row).
RECORD = 8 * (VARIABLES + 3)
# Routed files are written whenever so much was collected.
COLLECTED = MEMORY // 8
SAMPLE = 400_000


def plan_of(n_records: int, points: np.ndarray) -> list[str]:
    """A row: parts, the largest of them, routed files and their bytes, reads of a range."""
    sizes, strata = np.array([n_records]), np.zeros(len(points), dtype=np.int64)
    divisions, n_parts = divide_strata(sizes, strata, points, PART_RECORDS)
    tree = divisions[0].tree
    largest = len(points)
    if tree is not None:
        largest = int(np.bincount(tree.cells_of(points)).max())
    files = -(-n_records * RECORD // COLLECTED)
    return [
        f"{n_records:.0e}".replace("e+", "e"),
        f"{n_parts:,}",
        f"{largest * n_records // len(points) / 1e6:.1f} M",
        f"{files:,}",
        f"{n_records * RECORD / 1e9:,.0f} GB",
        f"{files * n_parts:,}",
        f"{COLLECTED / n_parts / 1e3:,.0f} kB",
    ]


def page() -> str:
    points = np.random.default_rng(0).normal(size=(SAMPLE, VARIABLES))
    heads = [
        "records",
        "parts (tasks)",
        "largest part",
        "routed files",
        "routed",
        "reads of a range",
    ]
    return table([*heads, "bytes a read"], [plan_of(n, points) for n in SIZES])


if __name__ == "__main__":
    found = page()
    print(found)
    if "--full" in sys.argv:
        fill(ROOT / "docs" / "scale.md", {"billions": lambda: found})
