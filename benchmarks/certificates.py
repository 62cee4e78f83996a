"""Lower bounds on the loss of any partition, beside what NearOptimal finds.

python -m benchmarks.certificates          printed only
python -m benchmarks.certificates --full   into benchmarks/RESULTS.md
"""

from __future__ import annotations

import sys
import time

from benchmarks.pages import ROOT, fill, table
from covey import datasets, lower_bound
from covey.techniques import NearOptimal

# File, k, and the bound to reach; then the seconds a bound may take.
CELLS = [
    ("census", 3, 4.646),
    ("census", 4, 6.00),
    ("tarragona", 3, 13.85),
    ("tarragona", 4, 17.04),
    ("eia", 3, 0.323),
]
SECONDS = 90.0


def certificates() -> str:
    rows = []
    for name, k, target in CELLS:
        X = getattr(datasets, f"load_{name}")()
        start = time.perf_counter()
        technique = NearOptimal(k=k).fit(X)
        searched = time.perf_counter() - start
        start = time.perf_counter()
        bound = lower_bound(X, k, time_limit=SECONDS, start=technique.partition_)
        spent = time.perf_counter() - start
        gap = 100.0 * (technique.il_ - bound.percent) / technique.il_
        shown = [f"{technique.il_:.4f}", f"{searched:.0f} s", f"{bound.percent:.4f}", target]
        rows.append([name, k, *shown, f"{spent:.0f} s", bound.method, f"{gap:.2f} %"])
        print(*rows[-1], flush=True)
    heads = ["file", "k", "IL of NearOptimal", "time", "lower bound", "target", "time", "how"]
    return table([*heads, "gap, of the IL"], rows)


if __name__ == "__main__":
    if "--full" in sys.argv:
        fill(ROOT / "benchmarks" / "RESULTS.md", {"certificates": certificates})
    else:
        print(certificates())
