"""From a file to a release: where the time and the memory go."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.pages import table

PARTS = ("reading", "embedding", "aggregating", "checking", "measuring", "writing")

STAGES = """
import json, resource, sys, time
import covey

source, target, technique = sys.argv[1:]
covey.protect(covey.datasets.make_survey(300).select(["age", "hours"]), 3, technique).evaluation

spent, last = {}, ["reading", time.perf_counter()]
def progress(stage, done, total):
    now = time.perf_counter()
    spent[last[0]] = spent.get(last[0], 0.0) + now - last[1]
    last[:] = stage, now

last[1] = time.perf_counter()
release = covey.protect(source, 5, technique, progress=progress)
progress("measuring", 0, 1)
evaluation = release.evaluation
progress("writing", 0, 1)
release.write(target)
progress("end", 0, 1)
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
print(json.dumps({"spent": spent, "peak": peak, "il": evaluation.il.percent}))
"""


def factor_data(n: int, d: int) -> np.ndarray:
    """Gaussian data with four factors behind d variables."""
    rng = np.random.default_rng(0)
    return rng.normal(size=(n, 4)) @ rng.normal(size=(4, d)) + 0.5 * rng.normal(size=(n, d))


def write_csv(path: Path, n: int, d: int) -> None:
    import pyarrow as pa
    from pyarrow import csv

    X = factor_data(n, d)
    csv.write_csv(pa.table({f"v{j}": X[:, j] for j in range(d)}), path)


def file_to_release() -> str:
    """CSV in, Parquet out, each technique in a process of its own."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "data.csv"
        write_csv(source, 100_000, 10)
        for technique in ("projected", "mdav", "iamat"):
            target = Path(folder) / f"{technique}.parquet"
            result = subprocess.run(
                [sys.executable, "-c", STAGES, source, target, technique],
                stdout=subprocess.PIPE,
                text=True,
                check=True,
            )
            found = json.loads(result.stdout)
            grouping = found["spent"].pop("grouping")
            rest = sum(found["spent"].values())
            parts = ", ".join(f"{name} {found['spent'].get(name, 0.0):.1f}" for name in PARTS)
            rows.append(
                [technique, f"{grouping:.1f} s", f"{rest:.1f} s", parts, f"{found['peak']:.2f} GB"]
            )
    return table(
        ["technique", "grouping", "all else (target 10 s)", "of which, s", "peak (target 1.5 GB)"],
        rows,
    )


class Spent(NamedTuple):
    """What a command took, from its start to its end."""

    seconds: float
    peak: float  # GB


def run_command(arguments: list[str]) -> Spent:
    """Run a command; wait4 tells the peak memory of this one child."""
    start = time.perf_counter()
    child = subprocess.Popen(arguments, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    # Popen must not wait for a child that is gone.
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        raise RuntimeError(f"{' '.join(arguments)} ended with {child.returncode}")
    return Spent(time.perf_counter() - start, usage.ru_maxrss / 1e6)


def command_line(sizes: tuple[int, ...] = (100_000, 1_000_000)) -> str:
    """`covey protect` as a user runs it: start, reading, evaluation and writing included."""
    rows = []
    covey = str(Path(sys.executable).with_name("covey"))
    with tempfile.TemporaryDirectory() as folder:
        for n in sizes:
            source, target = Path(folder) / f"{n}.csv", Path(folder) / f"{n}.parquet"
            write_csv(source, n, 10)
            words = ["protect", str(source), "--k", "5", "--technique", "iamat", "--out"]
            spent = run_command([covey, *words, str(target)])
            target_time = "8 min" if n == 1_000_000 else ""
            size = f"{source.stat().st_size / 1e6:.0f} MB"
            peak = f"{spent.peak:.2f} GB"
            rows.append([f"{n:,} × 10", size, f"{spent.seconds:.1f} s", target_time, peak])
            print(f"covey protect {n:,} × 10: {spent.seconds:.1f} s, {peak}", flush=True)
    return table(["data", "CSV", "time", "target", "peak (target 4 GB)"], rows)


def comparing() -> str:
    """Six techniques and three k on Census, in one process that has compiled before."""
    import covey
    from covey.datasets import load_census

    census = load_census()
    covey.compare(census.slice(0, 200), k=[3])
    start = time.perf_counter()
    comparison = covey.compare(census, k=[3, 5, 10])
    duration = time.perf_counter() - start
    count = len(comparison.candidates)
    return table(
        ["work", "time", "target"],
        [[f"`compare` on Census: {count} candidates, measured", f"{duration:.1f} s", "60 s"]],
    )
