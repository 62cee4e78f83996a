"""The compiled core beside what it replaced, in one run.

    python -m benchmarks.core_speed ../old          printed only
    python -m benchmarks.core_speed ../old --full   the table into benchmarks/RESULTS.md

`../old` is a checkout of commit 933de17~1, the last before the core, installed in its `.venv`
(`git worktree add ../old 933de17~1 && cd ../old && script/setup bench`). Each fit runs in a
process of its own, on one thread; figures are processor seconds, which other work on the machine
hardly changes: the least of three runs, a single run of the plain scan.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from benchmarks.pages import ROOT, fill, table

RUNS = 3
TIES = """
import sys, time, numpy as np
from covey import techniques
X = np.random.default_rng(0).integers(5, size=(20_000, 3)).astype(float)
technique = techniques.get(sys.argv[1])(k=3)
technique.fit(X)
times = []
for _ in range(5):
    began = time.process_time()
    technique.fit(X)
    times.append(time.process_time() - began)
print(min(times))
"""
CASES = (("mdav", 10), ("iamat", 10), ("vmdav", 10), ("mdav", 5), ("iamat", 5))


def fit_seconds(folder: Path, name: str, d: int, route: str = "index") -> float:
    """Processor seconds of one fit of 100,000 records."""
    arguments = ["-m", "benchmarks.one_fit", name, "normal", "100000", str(d), "3", route]
    runs = RUNS if route == "index" else 1
    return min(float(json.loads(run(folder, arguments))["processor"]) for _ in range(runs))


def tie_seconds(folder: Path, name: str) -> float:
    return float(run(folder, ["-c", TIES, name]))


def run(folder: Path, arguments: list[str]) -> str:
    return subprocess.run(
        [str(folder / ".venv/bin/python"), *arguments],
        cwd=folder,
        env=os.environ | {"COVEY_THREADS": "1"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout


def figures(old: Path) -> str:
    rows = []
    for name, d in CASES:
        before, now = fit_seconds(old, name, d), fit_seconds(ROOT, name, d)
        scan = ""
        if d == 10 and name != "vmdav":
            scan = f"{fit_seconds(ROOT, name, d, 'plain') / now:.1f}"
        rows.append([f"{name}, 100,000 × {d}", before, now, scan])
        print(*rows[-1], flush=True)
    for name in ("mdav", "iamat", "vmdav"):
        rows.append([f"{name}, 20,000 × 3 of five values"])
        rows[-1] += [tie_seconds(old, name), tie_seconds(ROOT, name), ""]
        print(*rows[-1], flush=True)
    shown = [
        [name, f"{before:.2f}", f"{now:.2f}", f"{now / before:.2f}", scan]
        for name, before, now, scan in rows
    ]
    return table(["", "before", "core", "core ÷ before", "plain scan ÷ core"], shown)


def main(arguments: list[str]) -> None:
    found = figures(Path(arguments[0]).resolve())
    print(found)
    if "--full" in arguments:
        fill(ROOT / "benchmarks" / "RESULTS.md", {"core-speed": lambda: found})


if __name__ == "__main__":
    main(sys.argv[1:])
