"""From a file to a release: where the time and the memory go."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

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


def file_to_release() -> str:
    """CSV in, Parquet out, each technique in a process of its own."""
    import pyarrow as pa
    from pyarrow import csv

    from benchmarks.run import factor_data

    rows = []
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "data.csv"
        X = factor_data(100_000, 10)
        csv.write_csv(pa.table({f"v{j}": X[:, j] for j in range(10)}), source)
        for technique in ("projected", "mdav", "iamat"):
            target = Path(folder) / f"{technique}.parquet"
            result = subprocess.run(
                [sys.executable, "-c", STAGES, source, target, technique],
                capture_output=True,
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
