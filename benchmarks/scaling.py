"""The index against the plain scan, growth with n, and large files: time, loss and memory.

python -m benchmarks.scaling          about two minutes: smaller files, printed only
python -m benchmarks.scaling --full   the figures of benchmarks/RESULTS.md

Every fit runs in a process of its own, compiled before, so that its peak memory is its own. The
figures of a full run are also kept as benchmarks/scaling.json and drawn as docs/images/scaling.png.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks.pages import ROOT, fill, table

FIT = """
import json, resource, sys, time
import numpy as np
from covey import techniques
from covey.kernels import searching

name, kind, n, d, k, route = sys.argv[1:]
n, d, k = int(n), int(d), int(k)
rng = np.random.default_rng(0)
if kind == "normal":
    X = rng.normal(size=(n, d))
else:  # five factors behind all variables
    X = rng.normal(size=(n, 5)) @ rng.normal(size=(5, d)) + 0.1 * rng.normal(size=(n, d))
technique = techniques.get(name)(k=k)
technique.fit(X[:5000])
if route == "scan":
    for module in ("mdav", "iamat", "vmdav"):
        sys.modules[f"covey.techniques.{module}"].leaf_size = len
start = time.perf_counter()
technique.fit(X)
seconds = time.perf_counter() - start
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
print(json.dumps({"seconds": seconds, "il": technique.il_, "peak": peak}))
"""

FULL = "--full" in sys.argv
FIELDS = ("technique", "data", "n", "d", "k", "route")


@cache
def fit(name: str, kind: str, n: int, d: int, k: int = 3, route: str = "index") -> dict[str, Any]:
    """Time, loss and peak memory (GB) of one fit."""
    arguments = [name, kind, n, d, k, route]
    result = subprocess.run(
        [sys.executable, "-c", FIT, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=True,
    )
    found: dict[str, Any] = json.loads(result.stdout)
    MEASURED.append({**dict(zip(FIELDS, arguments, strict=True)), **found})
    print(*arguments, f"{found['seconds']:.2f} s", flush=True)
    return found


MEASURED: list[dict[str, Any]] = []
LARGE = 100_000 if FULL else 20_000


def against_scan() -> str:
    """The same labels: only the time differs."""
    targets = {
        ("mdav", 10): "1/7",
        ("mdav", 5): "1/35",
        ("iamat", 10): "1/12",
        ("iamat", 5): "1/80",
    }
    rows = []
    for (name, d), target in targets.items():
        index, scan = (fit(name, "normal", LARGE, d, 3, route) for route in ("index", "scan"))
        rows.append(_ratio(f"{name}, normal, {LARGE:,} × {d}", index, scan, target))
    for name in ("mdav", "iamat"):
        index, scan = (fit(name, "factors", LARGE, 30, 3, route) for route in ("index", "scan"))
        rows.append(_ratio(f"{name}, five factors, {LARGE:,} × 30", index, scan, "1/3"))
    return table(["k = 3", "index", "plain scan", "ratio", "target at 100,000", "IL of both"], rows)


def _ratio(what: str, index: dict[str, Any], scan: dict[str, Any], target: str) -> list[str]:
    assert index["il"] == scan["il"]
    ratio = scan["seconds"] / index["seconds"]
    times = [f"{part['seconds']:.2f} s" for part in (index, scan)]
    return [what, *times, f"1/{ratio:.0f}", f"≤ {target}", f"{index['il']:.4f}"]


def growth() -> str:
    rows = []
    for name, target in (("iamat", 5.5), ("mdav", 7.0)):
        small, large = fit(name, "normal", LARGE, 5), fit(name, "normal", 4 * LARGE, 5)
        ratio = large["seconds"] / small["seconds"]
        times = [f"{part['seconds']:.2f} s" for part in (small, large)]
        rows.append([name, *times, f"{ratio:.1f}", f"≤ {target}"])
    heads = ["d = 5, k = 3", f"{LARGE:,}", f"{4 * LARGE:,}", "ratio", "target at 100,000"]
    return table(heads, rows)


def million() -> str:
    if not FULL:
        return "Measured by `python -m benchmarks.scaling --full`."
    rows = []
    for name in ("iamat", "mdav"):
        for d, k in ((5, 3), (5, 100), (10, 3)):
            found = fit(name, "normal", 1_000_000, d, k)
            time, peak = f"{found['seconds']:.1f} s", f"{found['peak']:.2f} GB"
            rows.append([name, d, k, time, f"{found['il']:.2f}", peak])
    return table(["n = 1,000,000", "d", "k", "time", "IL", "peak"], rows)


def every_technique() -> str:
    """Time and loss beside each other."""
    rows = []
    for n in (1_000, 10_000, LARGE):
        for name in ("projected", "mdav", "vmdav", "iamat", "rgmat", "egmmat"):
            if name in ("rgmat", "egmmat") and n > 10_000:
                continue
            found = fit(name, "normal", n, 5)
            rows.append([f"{n:,}", name, f"{found['seconds']:.3f} s", f"{found['il']:.2f}"])
    return table(["normal, d = 5, k = 3", "technique", "time", "IL"], rows)


def draw() -> None:
    """Time and loss against n, on logarithmic axes."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
    colours = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
    names = sorted({part["technique"] for part in MEASURED})
    for name, colour in zip(names, colours, strict=False):
        points = sorted(
            (part["n"], part["seconds"], part["il"])
            for part in MEASURED
            if (part["technique"], part["data"], part["d"], part["k"]) == (name, "normal", 5, 3)
            and part["route"] == "index"
        )
        sizes, times, losses = zip(*points, strict=True)
        left.plot(sizes, times, "o-", color=colour, label=name, markersize=4)
        right.plot(sizes, losses, "o-", color=colour, markersize=4)
    left.set(xscale="log", yscale="log", xlabel="records", ylabel="seconds")
    right.set(xscale="log", yscale="log", xlabel="records", ylabel="information loss, percent")
    for axes in (left, right):
        axes.spines[["top", "right"]].set_visible(False)
        axes.grid(alpha=0.3)
    left.legend(frameon=False, fontsize=8)
    figure.suptitle("Normal data, d = 5, k = 3", fontsize=10)
    figure.savefig(ROOT / "docs" / "images" / "scaling.png", dpi=120, facecolor="white")


TABLES: dict[str, Callable[[], str]] = {
    "against-scan": against_scan,
    "growth": growth,
    "million": million,
    "every-technique": every_technique,
}

if __name__ == "__main__":
    if FULL:
        fill(ROOT / "benchmarks" / "RESULTS.md", TABLES)
        place = Path(ROOT / "benchmarks" / "scaling.json")
        place.write_text(json.dumps(MEASURED, indent=1) + "\n")
        draw()
    else:
        for name in ("against-scan", "growth"):
            print(f"\n{TABLES[name]()}")
