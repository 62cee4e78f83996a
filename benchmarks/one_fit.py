"""One fit in a process of its own, so that its peak memory is its own; the figures as JSON.

python -m benchmarks.one_fit mdav normal 20000 5 3 index

The routes: "index" is what the library does; "scan" is Covey's own scan, a tree of a single leaf
in which the records left stay together; "plain" is benchmarks/plain.py; "numpy" is the brute force
of benchmarks/brute.py.
"""

from __future__ import annotations

import hashlib
import json
import resource
import sys
import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from benchmarks import brute, plain
from covey import Partition, techniques
from covey.scaling import standardize
from covey.technique import Technique

# A short fit is repeated, and its best time counts; a long one is not.
REPEATS = 3
LONG = 3.0  # seconds

PLAIN = {
    ("mdav", "plain"): plain.mdav,
    ("iamat", "plain"): plain.iamat,
    ("mdav", "numpy"): brute.mdav,
}


def data(kind: str, n: int, d: int) -> np.ndarray:
    rng = np.random.default_rng(0)
    if kind == "normal":
        return rng.normal(size=(n, d))
    if kind == "uniform":
        return rng.random((n, d))
    if kind == "factors":  # five factors behind all variables
        return rng.normal(size=(n, 5)) @ rng.normal(size=(5, d)) + 0.1 * rng.normal(size=(n, d))
    raise ValueError(f"no such data: {kind}")


def labels_by(name: str, k: int, route: str) -> Callable[[np.ndarray], np.ndarray]:
    """What turns records into labels; standardizing belongs to all routes."""
    if (name, route) in PLAIN:
        work = PLAIN[name, route]
        return lambda X: work(standardize(X), k)
    technique = techniques.get(name)(k=k)
    if route == "scan":
        scan_always(technique)
    return lambda X: technique.fit(X).labels_


def scan_always(technique: Technique) -> None:
    """Have a technique use Covey's own scan, whatever its rule says."""
    module = sys.modules[type(technique).__module__]
    if not hasattr(module, "scan_below"):
        raise RuntimeError(f"{module.__name__} has no rule scan_below to put the scan in place of")
    module.scan_below = lambda points: len(points) + 1  # type: ignore[attr-defined]


def warm_up(work: Callable[[np.ndarray], np.ndarray], name: str, route: str, X: np.ndarray) -> None:
    """Compile and load everything: with enough records for the index where it is fast."""
    enough = {"rgmat": 5_000, "egmmat": 2_000}.get(name, 20_000) if route == "index" else 500
    work(X[:enough])


class Timed(NamedTuple):
    """The best of a few runs. A processor time below the other tells that the machine was busy.

    `own` is the part of the processor time that the thread took which asked for the fit.
    """

    seconds: float
    processor: float
    own: float
    labels: np.ndarray


def clocks() -> tuple[float, float, float]:
    return time.perf_counter(), time.process_time(), time.thread_time()


def timed(work: Callable[[np.ndarray], np.ndarray], X: np.ndarray) -> Timed:
    """Up to three runs."""
    runs: list[Timed] = []
    while len(runs) < REPEATS and sum(run.seconds for run in runs) < LONG:
        before = clocks()
        labels = work(X)
        taken = (now - then for now, then in zip(clocks(), before, strict=True))
        runs.append(Timed(*taken, labels))
    return min(runs, key=lambda run: run.seconds)


def main(name: str, kind: str, n: int, d: int, k: int, route: str) -> None:
    X = data(kind, n, d)
    work = labels_by(name, k, route)
    warm_up(work, name, route, X)
    run = timed(work, X)
    found = {
        "seconds": run.seconds,
        "processor": run.processor,
        "own": run.own,
        "il": Partition(run.labels).il(X),
        "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6,
        "labels": hashlib.sha256(run.labels.astype("<i8").tobytes()).hexdigest()[:16],
    }
    print(json.dumps(found))


if __name__ == "__main__":
    name, kind, n, d, k, route = sys.argv[1:]
    main(name, kind, int(n), int(d), int(k), route)
