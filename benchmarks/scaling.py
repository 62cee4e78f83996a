"""The index against plain scans, growth with n, threads and large files: time, loss and memory.

python -m benchmarks.scaling          under two minutes: smaller files, printed only
python -m benchmarks.scaling --full   the figures of benchmarks/RESULTS.md
python -m benchmarks.scaling --full growth threads     some of its tables only

Every fit runs in a process of its own, compiled before (`benchmarks/one_fit.py`). The figures of a
full run are also kept in benchmarks/results.json and drawn as docs/images/scaling.png.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from typing import Any

from benchmarks.fits import MEASURED, fit, peak, require_same_labels, seconds, without_search
from benchmarks.machine import keep
from benchmarks.pages import ROOT, fill, table

FULL = "--full" in sys.argv
LARGE = 100_000 if FULL else 20_000

# technique, data, n, d, and the target: index ÷ plain scan at n = 100,000.
AGAINST = [
    ("mdav", "normal", LARGE, 10, "1/7"),
    ("mdav", "normal", LARGE, 5, "1/35"),
    ("iamat", "normal", LARGE, 10, "1/12"),
    ("iamat", "normal", LARGE, 5, "1/80"),
]
# Half the records: plain scans of all of them take minutes.
AGAINST_FACTORS = [
    ("mdav", "factors", LARGE // 2, 30, "1/3"),
    ("iamat", "factors", LARGE // 2, 30, "1/3"),
]


def against_scan() -> str:
    """Three routes to the same labels: only the time differs."""
    rows, shares = [], []
    for name, kind, n, d, target in AGAINST + AGAINST_FACTORS * FULL:
        index, own, plain = (
            fit(name, kind, n, d, 3, route) for route in ("index", "scan", "plain")
        )
        shares.append(own["seconds"] / plain["seconds"])
        rows.append(
            [
                f"{name}, {kind}, {n:,} × {d}",
                *map(seconds, (index, own, plain)),
                _ratio(index, own),
                _ratio(index, plain),
                f"≤ {target}",
                require_same_labels(index, own, plain),
                f"{index['il']:.4f}",
            ]
        )
    heads = ["k = 3", "index", "Covey's own scan", "plain scan", "index ÷ own scan"]
    heads += ["index ÷ plain scan", "target, ÷ plain at 100,000", "labels of all three", "IL"]
    return f"{table(heads, rows)}\n\n{_about_own_scan(shares)}"


def _ratio(part: dict[str, Any], whole: dict[str, Any]) -> str:
    """As a fraction of one, to two digits: 1/7.3 must not pass for 1/8."""
    return f"1/{whole['seconds'] / part['seconds']:#.2g}".rstrip(".")


def _about_own_scan(shares: list[float]) -> str:
    return (
        f"Covey's own scan took {min(shares):.2f} to {max(shares):.2f} of the plain scan's time. "
        "It is the route that small and high-dimensional data take by themselves, so the two "
        "ratios differ: the targets speak of the plain scan."
    )


def iamat_and_mdav() -> str:
    rows = []
    for d in (5, 10):
        ours, other = (fit(name, "normal", LARGE, d) for name in ("iamat", "mdav"))
        ratio = ours["seconds"] / other["seconds"]
        losses = [f"{part['il']:.4f}" for part in (ours, other)]
        rows.append([f"{LARGE:,} × {d}", seconds(ours), seconds(other), f"{ratio:.2f}", *losses])
    heads = ["normal, k = 3", "iamat", "mdav", "iamat ÷ mdav (target ≤ 1.0)"]
    return table([*heads, "IL of iamat", "IL of mdav"], rows)


# technique, route, the largest of three sizes (as a multiple of LARGE), and the target for
# time(400,000) ÷ time(100,000).
GROWTH = [
    ("iamat", "index", 4.0, "≤ 5.5"),
    ("mdav", "index", 4.0, "≤ 7"),
]
GROWTH_FULL = [
    ("vmdav", "index", 4.0, ""),
    ("projected", "index", 4.0, ""),
    ("rgmat", "index", 0.4, ""),
    ("egmmat", "index", 0.16, ""),
    ("iamat", "plain", 1.0, ""),
    ("mdav", "plain", 1.0, ""),
    ("mdav", "numpy", 0.16, ""),
]
ROUTES = {"index": "", "plain": ", plain scan", "numpy": ", NumPy brute force"}


def growth() -> str:
    rows = []
    for name, route, most, target in GROWTH + GROWTH_FULL * FULL:
        sizes = [round(most * LARGE / share) for share in (16, 4, 1)]
        found = [fit(name, "normal", n, 5, 3, route) for n in sizes]
        times = [part["seconds"] for part in found]
        rows.append(
            [
                name + ROUTES[route],
                ", ".join(f"{n:,}" for n in sizes),
                ", ".join(map(seconds, found)),
                f"{times[-1] / times[-2]:.1f}",
                target,
                f"n^{slope(sizes, times):.2f}",
                peak(found[-1]),
            ]
        )
    heads = ["normal, d = 5, k = 3", "three sizes", "times", "last ÷ the one before, a quarter"]
    return table([*heads, "target at 400,000", "growth", "peak at the last"], rows)


def slope(sizes: list[int], times: list[float]) -> float:
    """The exponent of growth: least squares on logarithms."""
    x, y = [math.log(size) for size in sizes], [math.log(time) for time in times]
    middle = sum(x) / len(x)
    spread = sum((a - middle) ** 2 for a in x)
    return sum((a - middle) * b for a, b in zip(x, y, strict=True)) / spread


def million() -> str:
    guides = {(5, 3): "20 s", (5, 100): "no slower than k = 3", (10, 3): "5 min"}
    rows = []
    for name in ("iamat", "mdav"):
        for (d, k), guide in guides.items():
            found = fit(name, "normal", 1_000_000, d, k)
            loss = f"{found['il']:.2f}"
            rows.append([name, d, k, seconds(found), guide, loss, peak(found)])
    heads = ["n = 1,000,000, normal", "d", "k", "time", "guide", "IL", "peak (target 1.5 GB)"]
    return table(heads, rows)


def every_technique() -> str:
    """Time and loss beside each other."""
    rows = []
    for n in (1_000, 10_000, LARGE):
        for name in without_search():
            if name == "egmmat" and n > 10_000:
                continue
            found = fit(name, "normal", n, 5)
            rows.append([f"{n:,}", name, seconds(found), f"{found['il']:.2f}", peak(found)])
    return table(["normal, d = 5, k = 3", "technique", "time", "IL", "peak"], rows)


def threads() -> str:
    """One thread and two: the same labels, which is checked here."""
    if not reads_threads():
        text = "this version of Covey does not read `COVEY_THREADS`"
        print(f"SKIPPED threads: {text}", file=sys.stderr)
        return f"**Not measured**: {text}, so that equal labels would show nothing."
    rows = []
    for name, n in (("iamat", 100_000), ("mdav", 100_000), ("rgmat", 40_000), ("egmmat", 4_000)):
        one, two = (fit(name, "normal", n, 5, 3, "index", count) for count in (1, 2))
        same = require_same_labels(one, two)
        ratio = f"{two['seconds'] / one['seconds']:.2f}"
        # About 1.0 means that the technique did not use its second thread.
        cores = f"{two['processor'] / two['seconds']:.1f}"
        rows.append([name, f"{n:,}", seconds(one), seconds(two), ratio, cores, same])
    heads = ["normal, d = 5, k = 3", "n", "`COVEY_THREADS=1`", "`COVEY_THREADS=2`", "ratio"]
    return table([*heads, "cores kept busy by two", "labels of both"], rows)


def reads_threads() -> bool:
    files = (ROOT / "src" / "covey").rglob("*.py")
    return any("COVEY_THREADS" in path.read_text(encoding="utf-8") for path in files)


TABLES: dict[str, Callable[[], str]] = {
    "against-scan": against_scan,
    "iamat-and-mdav": iamat_and_mdav,
    "growth": growth,
    "threads": threads,
    "every-technique": every_technique,
    "million": million,
}


def main() -> None:
    asked = [name for name in sys.argv[1:] if name != "--full"]
    if not FULL:
        for name in asked or ["against-scan", "iamat-and-mdav", "growth"]:
            print(f"\n{TABLES[name]()}\n", flush=True)
        return
    fill(ROOT / "benchmarks" / "RESULTS.md", {name: TABLES[name] for name in asked or TABLES})
    if not asked:
        from benchmarks.scaling_picture import draw

        keep("scaling", MEASURED)
        draw()


if __name__ == "__main__":
    main()
