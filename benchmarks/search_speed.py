"""How soon the search reaches the loss that its predecessor had after fifteen seconds.

python -m benchmarks.search_speed              printed only
python -m benchmarks.search_speed --full       the table into benchmarks/RESULTS.md

Seconds are those of the processor, on one thread, without a final program, so other work on the
machine does not count. `BEFORE` was measured in the same way, on the same machine, with seed 0, by
the search at commit 2d8357e. Settings of the search were chosen with these files in sight.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

os.environ["COVEY_THREADS"] = "1"

import numpy as np

from benchmarks.pages import ROOT, fill, table
from benchmarks.records import LOADERS
from covey.refining import budget
from covey.techniques import NearOptimal

SECONDS = 15.0
SHARES = (0.15, 0.5)
BEFORE = {
    ("census", 3): 4.7037,
    ("census", 4): 6.0663,
    ("census", 5): 7.2885,
    ("census", 6): 8.2845,
    ("census", 10): 11.3879,
    ("tarragona", 3): 14.4722,
    ("tarragona", 4): 17.1202,
    ("tarragona", 5): 20.1559,
    ("tarragona", 6): 23.4986,
    ("tarragona", 10): 30.1173,
    ("eia11", 3): 0.3489,
    ("eia11", 4): 0.4833,
    ("eia11", 5): 0.7301,
    ("eia11", 6): 0.9020,
    ("eia11", 10): 1.9363,
    ("uniform 3,000 × 10", 3): 11.4891,
    ("normal 20,000 × 8", 5): 9.7097,
    ("normal 100,000 × 10", 3): 7.1083,
    ("lognormal 5,000 × 6", 4): 5.0519,
    ("clusters 8,000 × 12", 3): 0.4684,
}


def clusters() -> Any:
    centres = 8 * np.random.default_rng(5).normal(size=(12, 12))
    chosen = np.random.default_rng(6).integers(12, size=8000)
    return np.random.default_rng(4).normal(size=(8000, 12)) + centres[chosen]


FILES: dict[str, Callable[[], Any]] = {
    **LOADERS,
    "uniform 3,000 × 10": lambda: np.random.default_rng(0).random((3000, 10)),
    "normal 20,000 × 8": lambda: np.random.default_rng(0).normal(size=(20_000, 8)),
    "normal 100,000 × 10": lambda: np.random.default_rng(0).normal(size=(100_000, 10)),
    "lognormal 5,000 × 6": lambda: np.exp(np.random.default_rng(3).normal(size=(5000, 6))),
    "clusters 8,000 × 12": clusters,
}


def losses() -> str:
    rows = []
    for (name, k), before in BEFORE.items():
        X = FILES[name]()
        found = [
            NearOptimal(k=k, time_limit=share * SECONDS, polish=False).fit(X).il_
            for share in SHARES
        ]
        marks = [f"{il:.4f}{' ✓' if round(il, 4) <= before else ''}" for il in found]
        rows.append([name, str(k), f"{before:.4f}", *marks])
        print(*rows[-1], flush=True)
    limits = [f"now, {share * SECONDS:g} s" for share in SHARES]
    return table(["file", "k", f"before, {SECONDS:g} s", *limits], rows)


def main(arguments: list[str]) -> None:
    # A search that ends by the clock ends by the processor's here.
    budget.time = SimpleNamespace(perf_counter=time.process_time)  # type: ignore[assignment]
    found = losses()
    if "--full" in arguments:
        fill(ROOT / "benchmarks" / "RESULTS.md", {"search-speed": lambda: found})


if __name__ == "__main__":
    main(sys.argv[1:])
