"""Whole commands, as a user waits for them: the first and the second run, and what measuring adds.

    python -m benchmarks.commands          printed only
    python -m benchmarks.commands --full   the table into benchmarks/RESULTS.md

Wall time with all cores; let nothing else run meanwhile. "First" is the first run in a new copy of
the user's caches, in a new process; no loop is compiled, so it hardly differs from the second.
Python keeps the bytecode of Covey, as pip does when it installs a wheel.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
from pyarrow import csv

import covey
from benchmarks.pages import ROOT, fill, table
from covey.datasets import make_survey

COMMAND = (str(Path(sys.executable).parent / "covey"),)


def wall(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def command(*arguments: str, folder: Path) -> float:
    """Seconds of one command in `folder`, which is its home too."""
    home = {"HOME": str(folder), "XDG_CACHE_HOME": str(folder / "cache")}
    home["PYTHONDONTWRITEBYTECODE"] = ""
    return wall(
        lambda: subprocess.run(
            [*COMMAND, *arguments],
            cwd=folder,
            env=os.environ | home,
            capture_output=True,
            check=True,
        )
    )


def demos(folder: Path) -> list[list[str]]:
    first, second = (command("demo", "out", "--force", folder=folder) for _ in range(2))
    return [
        ["`covey demo`, first ÷ second", f"{first:.1f} ÷ {second:.1f} s = {first / second:.2f}"]
    ]


def protecting(folder: Path) -> list[list[str]]:
    csv.write_csv(make_survey(2000), folder / "survey.csv")
    arguments = ("protect", "survey.csv", "--out", "r.csv", "--force", "--identifiers", "person_id")
    arguments += ("--weight", "weight", "--technique", "mdav", "--no-measures")
    walls, processor = [], []
    for _ in range(5):
        before = os.times()
        walls.append(command(*arguments, folder=folder))
        after = os.times()
        processor.append(sum(after[2:4]) - sum(before[2:4]))
    shown = f"{min(walls):.2f} s ({min(processor):.2f} s of processor time)"
    return [["`covey protect`, 2,000 × 15, MDAV, no measures", shown]]


def measuring(folder: Path) -> list[list[str]]:
    roles = {"identifiers": "person_id", "weight": "weight"}
    release = covey.protect(make_survey(100_000), technique="iamat", k=5, **roles)
    seconds = wall(lambda: (release.evaluation, release.report(folder / "internal.html")))
    rng = np.random.default_rng(0)
    mixed = {f"x{j}": rng.lognormal(size=20_000) for j in range(15)}
    mixed |= {f"c{j}": rng.integers(6, size=20_000).astype(str) for j in range(5)}
    other = covey.protect(pa.table(mixed), technique="iamat", k=5)
    return [
        ["measures and internal report, survey of 100,000 × 15, k = 5", f"{seconds:.1f} s"],
        ["default measures, 20,000 × 20 mixed", f"{wall(lambda: other.evaluation):.1f} s"],
    ]


def main(arguments: list[str]) -> None:
    warnings.simplefilter("ignore")
    rows = []
    for part in (demos, protecting, measuring):
        with tempfile.TemporaryDirectory() as folder:
            rows += part(Path(folder))
        print(rows[-1], flush=True)
    found = table(["", "wall time"], rows)
    print(found)
    if "--full" in arguments:
        fill(ROOT / "benchmarks" / "RESULTS.md", {"commands": lambda: found})


if __name__ == "__main__":
    main(sys.argv[1:])
