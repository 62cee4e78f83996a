"""Growth and a million records by processor time: figures that a shared machine can give.

    python -m benchmarks.one_core growth            printed only
    python -m benchmarks.one_core million           printed only, some minutes
    python -m benchmarks.one_core growth --full     the table into benchmarks/RESULTS.md

Each fit runs in a process of its own. Processor seconds are those of one thread
(`COVEY_THREADS=1`), the least of some runs. Two threads are compared with one by wall time, in
turns, which says something only when nothing else runs. So does the share of processor time
outside the parts that threads share: there both threads do the same amount, so what the first
does beyond the second is what it does alone.
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
THREADS = 2


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
        one, two = (fit(name, 1_000_000, 10, threads) for threads in (1, THREADS))
        ratio = one["processor"] / before
        rows.append([name, f"{one['processor']:.1f} s", f"{before} s", f"{ratio:.2f}"])
        if os.getloadavg()[0] <= THREADS + 0.5:
            rows[-1] += [f"{two['seconds'] / one['seconds']:.2f}", f"{100 * alone(two):.1f} %"]
        else:
            rows[-1] += ["the machine was busy"] * 2
    head = ["normal, d = 10, k = 3", "processor time", "before the core", "ratio"]
    return table([*head, "wall, two threads ÷ one", "outside parallel parts"], rows)


def alone(found: dict[str, Any]) -> float:
    """The share of processor time in which the first thread worked alone."""
    extra: float = THREADS * found["own"] - found["processor"]
    return extra / (THREADS - 1) / found["processor"]


TABLES: dict[str, Callable[[], str]] = {"growth": growth, "million": million}


def main(arguments: list[str]) -> None:
    for name in [word for word in arguments if word in TABLES] or list(TABLES):
        found = TABLES[name]()
        print(found)
        if "--full" in arguments:
            fill(ROOT / "benchmarks" / "RESULTS.md", {f"one-core-{name}": lambda kept=found: kept})


if __name__ == "__main__":
    main(sys.argv[1:])
