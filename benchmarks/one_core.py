"""Growth and a million records by processor time: figures that a shared machine can give.

    python -m benchmarks.one_core growth            printed only
    python -m benchmarks.one_core million           printed only, some minutes
    python -m benchmarks.one_core growth --full     the table into benchmarks/RESULTS.md

Each fit runs in a process of its own. Processor seconds are those of one thread
(`COVEY_THREADS=1`), the least of some runs. Two threads are compared with one by wall time, in
turns; look at that only when nothing else runs.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

from benchmarks.pages import ROOT, fill, table

# What the build before the core took, in processor seconds: measured once, by the same fits in a
# checkout of 933de17~1 (see benchmarks/core_speed.py).
BEFORE = {"mdav": 165.3, "iamat": 66.4}
RUNS = 3


def fit(name: str, n: int, d: int, threads: int = 1) -> dict[str, Any]:
    """Figures of one fit of normal data, k = 3."""
    arguments = ["-m", "benchmarks.one_fit", name, "normal", str(n), str(d), "3", "index"]
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=os.environ | {"COVEY_THREADS": str(threads)},
        capture_output=True,
        text=True,
        check=True,
    )
    found: dict[str, Any] = json.loads(done.stdout)
    print(name, f"{n:,} × {d}", threads, found, flush=True)
    return found


def growth() -> str:
    rows = []
    for name in ("mdav", "iamat"):
        runs = [[fit(name, n, 5)["processor"] for n in (100_000, 400_000)] for _ in range(RUNS)]
        fewer, more = (min(times) for times in zip(*runs, strict=True))
        rows.append([name, f"{fewer:.2f} s", f"{more:.2f} s", f"{more / fewer:.2f}"])
    return table(["normal, d = 5, k = 3", "100,000", "400,000", "ratio"], rows)


def million() -> str:
    rows = []
    for name, before in BEFORE.items():
        runs = [[fit(name, 1_000_000, 10, threads) for threads in (1, 2)] for _ in range(RUNS)]
        processor = min(one["processor"] for one, _ in runs)
        one, two = (min(run[i]["seconds"] for run in runs) for i in (0, 1))
        extra = min(run[1]["processor"] for run in runs) / processor
        rows.append([name, f"{processor:.1f} s", f"{before} s", f"{processor / before:.2f}"])
        rows[-1] += [f"{one:.1f} s", f"{two:.1f} s", f"{two / one:.2f}", f"{extra:.2f}"]
    head = ["normal, d = 10, k = 3", "processor", "before the core", "ratio", "wall, one thread"]
    head += ["wall, two", "two ÷ one", "processor time, two ÷ one"]
    return table(head, rows)


TABLES: dict[str, Callable[[], str]] = {"growth": growth, "million": million}


def main(arguments: list[str]) -> None:
    for name in [word for word in arguments if word in TABLES] or list(TABLES):
        found = TABLES[name]()
        print(found)
        if "--full" in arguments:
            fill(ROOT / "benchmarks" / "RESULTS.md", {f"one-core-{name}": lambda kept=found: kept})


if __name__ == "__main__":
    main(sys.argv[1:])
