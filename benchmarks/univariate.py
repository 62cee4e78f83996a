"""Optimal univariate microaggregation beside microagg1d.

python -m benchmarks.univariate          a million values, printed only
python -m benchmarks.univariate --full   ten million too; into benchmarks/RESULTS.md

microagg1d has several methods, each with several ways to sum. Its default is not always optimal,
and its fastest settings give up numerical stability, so both are shown: the default, and the
fastest of all settings that reach the optimum on these values (found on the first of them).
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from benchmarks.machine import keep, version_of
from benchmarks.pages import ROOT, fill, table
from covey.core.univariate import optimal_labels
from covey.techniques import OptimalUnivariate

FULL = "--full" in sys.argv
CASES = [(10**6, 3), (10**6, 20), (10**6, 100), (10**6, 1000)]
CASES_FULL = [(10**7, 3), (10**7, 100)]
METHODS = ("simple", "wilber", "galil_park", "staggered")
SUMS = (0, 1, 2)  # "stable" of microagg1d; 1 is its default
FEW = 200_000
SAME = 1e-6  # an SSE this close to the optimum, relatively, is optimal
MEASURED: list[dict[str, Any]] = []

Cut = Callable[[np.ndarray, int], np.ndarray]


def best_time(work: Cut, values: np.ndarray, k: int, repeats: int = 3) -> float:
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work(values, k)
        times.append(time.perf_counter() - start)
    return min(times)


def sse(values: np.ndarray, labels: np.ndarray) -> float:
    means = np.bincount(labels, weights=values) / np.bincount(labels)
    return float(np.square(values - means[labels]).sum())


def technique(values: np.ndarray, k: int) -> np.ndarray:
    """All that `fit` does: reading, checking, grouping, the loss."""
    return OptimalUnivariate(k=k).fit(values[:, None]).labels_


def fastest_optimal(settings: dict[str, Cut], values: np.ndarray, k: int) -> str:
    """The setting of microagg1d that is the fastest among those that are optimal."""
    least = sse(values, optimal_labels(values, k))
    times = {
        name: best_time(work, values, k)
        for name, work in settings.items()
        if sse(values, work(values, k)) <= least * (1 + SAME)
    }
    return min(times, key=times.__getitem__)


def univariate() -> str:
    try:
        from microagg1d import univariate_microaggregation as default
    except ImportError:
        print("SKIPPED microagg1d: not installed (extra `bench`)", file=sys.stderr)
        return "**Not measured**, microagg1d: not installed (extra `bench`)."
    settings: dict[str, Cut] = {
        f"{method}, stable={sums}": partial(default, method=method, stable=sums)
        for method in METHODS
        for sums in SUMS
    }
    rows = [_row(n, k, default, settings) for n, k in CASES + CASES_FULL * FULL]
    theirs = f"microagg1d {version_of('microagg1d')}"
    heads = ["n", "k", "Covey, labels", "Covey, `OptimalUnivariate.fit`", f"{theirs}, default"]
    heads += ["its fastest optimal setting", "labels ÷ default", "fit ÷ default"]
    # The target speaks of microagg1d's optimal method, which its default for small k is not.
    heads += ["labels ÷ fastest optimal (target ≤ 0.5)", "fit ÷ fastest optimal"]
    return table([*heads, "SSE of its default above the optimum"], rows)


def _row(n: int, k: int, default: Cut, settings: dict[str, Cut]) -> list[object]:
    values = np.random.default_rng(0).normal(size=n)
    name = fastest_optimal(settings, values[:FEW], k)
    works = (optimal_labels, technique, default, settings[name])
    for work in works:
        work(values[:5000], k)  # compiled before
    times = [best_time(work, values, k, 3 if n <= 10**6 else 2) for work in works]
    labels, fit, standard, fastest = times
    excess = sse(values, default(values, k)) / sse(values, optimal_labels(values, k)) - 1
    fields = ("labels", "fit", "default", "fastest")
    found = dict(zip(fields, times, strict=True))
    MEASURED.append({"n": n, "k": k, **found, "setting": name, "excess": excess})
    shown = [f"{part:.2f} s" for part in times]
    shown[-1] += f" ({name})"
    ratios = [f"{ours / theirs:.2f}" for theirs in (standard, fastest) for ours in (labels, fit)]
    print(f"univariate n={n} k={k}", *shown, flush=True)
    return [f"{n:,}", k, *shown, *ratios, f"{100 * excess:.2f} %"]


if __name__ == "__main__":
    if FULL:
        fill(ROOT / "benchmarks" / "RESULTS.md", {"univariate": univariate})
        keep("univariate", MEASURED)
    else:
        print(f"\n{univariate()}\n")
