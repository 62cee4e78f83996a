"""Starting, measuring and releasing: times and memory, written to benchmarks/RESULTS.md.

python -m benchmarks.run   (part of: script/bench --figures)
python -m benchmarks.run compare end-to-end   # some tables only
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from collections.abc import Callable

import numpy as np

from benchmarks import end_to_end
from benchmarks.end_to_end import factor_data
from benchmarks.fits import without_search
from benchmarks.machine import machine
from benchmarks.pages import ROOT, fill, table
from covey import Partition, core
from covey.datasets import load_census
from covey.measures import distance_linkage, g_il, interval_disclosure, record_linkage
from covey.scaling import standardize
from covey.techniques import EGMMAT, IAMAT, MDAV, RGMAT, VMDAV, Projected
from covey.threads import thread_count
from covey.watching import new_meter


def seconds(work: Callable[[], object], repeats: int = 3) -> float:
    """Best time of a few runs: what the machine can do when nothing else disturbs it."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def importing() -> str:
    def run(code: str) -> Callable[[], object]:
        return lambda: subprocess.run([sys.executable, "-c", code], check=True)

    base = seconds(run("pass"), 5)
    rows = [
        [f"`{code}`", f"{seconds(run(code), 5) - base:.3f} s"]
        for code in ("import covey", "import numpy", "import covey.techniques")
    ]
    return table(["statement", "time beyond starting Python"], rows)


FIRST_FIT = """
import time
from covey import techniques
from covey.datasets import load_census
X = load_census()
technique = techniques.get("{name}")(k=3)
for _ in range(2):
    start = time.perf_counter()
    technique.fit(X)
    print(time.perf_counter() - start)
"""


def first_fit() -> str:
    """In a new process each: nothing is compiled then, so the first fit is nearly the second."""
    rows = []
    for name in without_search():
        result = subprocess.run(
            [sys.executable, "-c", FIRST_FIT.format(name=name)],
            capture_output=True,
            text=True,
            check=True,
        )
        first, second = map(float, result.stdout.split())
        rows.append([name, f"{1000 * first:.1f} ms", f"{1000 * second:.1f} ms"])
    return table(["technique", "first fit", "next fit"], rows)


def twenty_thousand() -> str:
    X = np.random.default_rng(0).normal(size=(20_000, 10))
    rows = []
    for technique in (MDAV(), IAMAT(), VMDAV(), RGMAT(), EGMMAT(patience=20), Projected()):
        technique.fit(X[:500])
        duration = seconds(lambda technique=technique: technique.fit(X), 1)
        rows.append([repr(technique), f"{duration:.2f} s", f"{technique.il_:.2f}"])
    return table(["technique", "time", "IL"], rows)


def release_by_tree(X: np.ndarray, k: int) -> np.ndarray:
    """A release with groups of k neighbours in tree order: quick to make at any n."""
    order = core.median_order(standardize(X), 24, thread_count(), new_meter())
    labels = np.empty(len(X), dtype=np.int64)
    labels[order] = np.minimum(np.arange(len(X)) // k, len(X) // k - 1)
    return Partition(labels).aggregate(X)


def measured() -> str:
    rows = []
    for n, d, limits in (
        (100_000, 13, {"G_IL": 0.3, "ID": 1.0, "RLD, all 127 subsets of 7 keys": 30.0}),
        (1_000_000, 10, {"G_IL": 20.0, "ID": 20.0, "RLD, all keys": 240.0, "DLD, all keys": 240.0}),
    ):
        X = factor_data(n, d)
        Y = release_by_tree(X, 5)
        work = {
            "G_IL": lambda X=X, Y=Y: g_il(X, Y),
            "ID": lambda X=X, Y=Y: interval_disclosure(X, Y),
            "RLD, all 127 subsets of 7 keys": lambda X=X, Y=Y: record_linkage(X, Y, keys=range(7)),
            "RLD, all keys": lambda X=X, Y=Y: record_linkage(X, Y, subsets=None),
            "DLD, all keys": lambda X=X, Y=Y: distance_linkage(X, Y),
        }
        for name, limit in limits.items():
            duration = seconds(work[name], 1)
            rows.append([f"{n:,} × {d}", name, f"{duration:.2f} s", f"{limit:g} s"])
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    rows.append(["", "peak memory of the whole run", f"{peak:.1f} GB", "3 GB"])
    return table(["data, k = 5", "measure", "measured", "target"], rows)


def warm_up_measures() -> None:
    X = factor_data(500, 4)
    Y = release_by_tree(X, 5)
    for measure in (g_il, interval_disclosure, record_linkage, distance_linkage):
        measure(X, Y)


TABLES = {
    "end-to-end": end_to_end.file_to_release,
    "command-line": end_to_end.command_line,
    "compare": end_to_end.comparing,
    "machine": machine,
    "measures": measured,
    "importing": importing,
    "first-fit": first_fit,
    "twenty-thousand": twenty_thousand,
}

if __name__ == "__main__":
    warm_up_measures()
    load_census()  # fail at once when the benchmark files are not there
    wanted = sys.argv[1:] or list(TABLES)
    fill(ROOT / "benchmarks" / "RESULTS.md", {name: TABLES[name] for name in wanted})
