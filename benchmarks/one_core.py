"""Growth and a million records by processor time: figures that a shared machine can give.

    python -m benchmarks.one_core growth            printed only
    python -m benchmarks.one_core million ../old    printed only, about ten minutes
    python -m benchmarks.one_core growth --full     the table into benchmarks/RESULTS.md

`../old` is the checkout described in benchmarks/core_speed.py. Each fit runs in a process of its
own. Processor seconds are those of one thread (`COVEY_THREADS=1`), the least of some runs of
`growth`, of one run of `million`. Two threads are compared with one by wall time, which says
something only when nothing else runs.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from benchmarks.pages import ROOT, fill, table

NAMES = ("mdav", "iamat")
RUNS = 3
THREADS = 2


def fit(name: str, n: int, d: int, threads: int = 1, folder: Path = ROOT) -> dict[str, Any]:
    """Figures of one fit of normal data, k = 3, by the Covey of a folder."""
    arguments = ["-m", "benchmarks.one_fit", name, "normal", str(n), str(d), "3", "index"]
    python = sys.executable if folder == ROOT else folder / ".venv/bin/python"
    done = subprocess.run(
        [str(python), *arguments],
        cwd=folder,
        env=os.environ | {"COVEY_THREADS": str(threads)},
        capture_output=True,
        text=True,
        check=True,
    )
    found: dict[str, Any] = json.loads(done.stdout)
    print(folder.name, name, f"{n:,} × {d}", threads, found, flush=True)
    return found


def growth() -> str:
    rows = []
    for name in NAMES:
        runs = [[fit(name, n, 5)["processor"] for n in (100_000, 400_000)] for _ in range(RUNS)]
        fewer, more = (min(times) for times in zip(*runs, strict=True))
        rows.append([name, f"{fewer:.2f} s", f"{more:.2f} s", f"{more / fewer:.2f}"])
    return table(["normal, d = 5, k = 3", "100,000", "400,000", "ratio"], rows)


def million(old: Path) -> str:
    now = {name: [fit(name, 1_000_000, 10, threads) for threads in (1, THREADS)] for name in NAMES}
    rows = []
    for name, (one, two) in now.items():
        before = fit(name, 1_000_000, 10, folder=old)["processor"]
        seconds = one["processor"]
        rows.append([name, f"{seconds:.1f} s", f"{before:.1f} s", f"{seconds / before:.2f}"])
        rows[-1].append(f"{two['seconds'] / one['seconds']:.2f}")
    head = ["normal, d = 10, k = 3", "processor time", "before the core", "ratio"]
    return table([*head, "wall, two threads ÷ one"], rows)


def main(arguments: list[str]) -> None:
    match [word for word in arguments if word != "--full"]:
        case ["million", old]:
            name, found = "million", million(Path(old).resolve())
        case ["growth"]:
            name, found = "growth", growth()
        case _:
            sys.exit(__doc__)
    print(found)
    if "--full" in arguments:
        fill(ROOT / "benchmarks" / "RESULTS.md", {f"one-core-{name}": lambda: found})


if __name__ == "__main__":
    main(sys.argv[1:])
