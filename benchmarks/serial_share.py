"""What share of a technique's processor time more threads cannot shorten.

python -m benchmarks.serial_share              printed only
python -m benchmarks.serial_share --full       the table into benchmarks/RESULTS.md

Two threads work, and the pool counts the time that the first of them spends in loops that both
share. What else it does nobody shares: the time of which Amdahl's law speaks. It includes taking
z-scores and the loss.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from typing import Any

os.environ["COVEY_THREADS"] = "2"

import numpy as np

from benchmarks.pages import ROOT, fill, table
from covey import refine
from covey.core import shared_seconds
from covey.techniques import IAMAT, MDAV, NearOptimal

N_RECORDS, N_LARGE, N_VARIABLES, K = 100_000, 1_000_000, 10, 3


def timed(name: str, work: Callable[[], Any]) -> list[str]:
    """A row: all processor seconds, and those outside shared loops."""
    began, alone = time.process_time(), time.thread_time() - shared_seconds()
    work()
    seconds, outside = time.process_time() - began, time.thread_time() - shared_seconds() - alone
    row = [name, f"{seconds:.1f}", f"{outside:.2f}", f"{100 * outside / seconds:.1f} %"]
    print(*row, flush=True)
    return row


def shares() -> str:
    large = np.random.default_rng(0).normal(size=(N_LARGE, N_VARIABLES))
    X = large[:N_RECORDS]
    start = IAMAT(k=K).fit(X).partition_
    rows = [
        timed("MDAV, 1,000,000", lambda: MDAV(k=K).fit(large)),
        timed("IAMAT, 1,000,000", lambda: IAMAT(k=K).fit(large)),
        timed("MDAV, 100,000", lambda: MDAV(k=K).fit(X)),
        timed("IAMAT, 100,000", lambda: IAMAT(k=K).fit(X)),
        timed("NearOptimal, 100,000", lambda: NearOptimal(k=K).fit(X)),
        timed("NearOptimal's search alone, 100,000", lambda: refine(X, start, K)),
    ]
    return table(["technique, records", "processor seconds", "outside shared loops", "share"], rows)


def main(arguments: list[str]) -> None:
    found = shares()
    if "--full" in arguments:
        fill(ROOT / "benchmarks" / "RESULTS.md", {"serial-share": lambda: found})


if __name__ == "__main__":
    main(sys.argv[1:])
