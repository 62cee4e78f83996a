"""What share of a technique's processor time more threads cannot shorten.

python -m benchmarks.serial_share              printed only
python -m benchmarks.serial_share --full       the table into benchmarks/RESULTS.md

One thread does everything, and the pool counts the time it spends in loops that threads share; a
loop of a single turn does not count. The rest is time outside them, of which Amdahl's law speaks.
"""

from __future__ import annotations

import os
import sys
import time

os.environ["COVEY_THREADS"] = "1"

import numpy as np

from benchmarks.pages import ROOT, fill, table
from covey.core import shared_seconds
from covey.techniques import get

TECHNIQUES = ("mdav", "iamat", "nearoptimal")
N_RECORDS, N_VARIABLES, K = 100_000, 10, 3


def shares() -> str:
    X = np.random.default_rng(0).normal(size=(N_RECORDS, N_VARIABLES))
    rows = []
    for name in TECHNIQUES:
        technique = get(name)(k=K)
        began, shared = time.process_time(), shared_seconds()
        technique.fit(X)
        seconds, shared = time.process_time() - began, shared_seconds() - shared
        outside = seconds - shared
        row = [type(technique).__name__, f"{seconds:.1f}", f"{outside:.2f}"]
        rows.append([*row, f"{100 * outside / seconds:.1f} %"])
        print(*rows[-1], flush=True)
    return table(["technique", "processor seconds", "outside shared loops", "share"], rows)


def main(arguments: list[str]) -> None:
    found = shares()
    if "--full" in arguments:
        fill(ROOT / "benchmarks" / "RESULTS.md", {"serial-share": lambda: found})


if __name__ == "__main__":
    main(sys.argv[1:])
