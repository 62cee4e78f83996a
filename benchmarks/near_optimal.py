"""What a search gains: by the clock, on large files, and what it means for risk.

python -m benchmarks.near_optimal                  printed only: five seconds a cell
python -m benchmarks.near_optimal --full           all tables into benchmarks/RESULTS.md
python -m benchmarks.near_optimal --full near-optimal-risk        one of them
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from benchmarks.pages import ROOT, fill, table
from benchmarks.records import CELLS, LOADERS, Cell, keep_better, verified_loss
from covey import evaluate
from covey.technique import Technique
from covey.techniques import EGMMAT, IAMAT, MDAV, RGMAT, NearOptimal

BY_THE_CLOCK = (5.0, 60.0)
LARGE = 100_000


class Timed(NamedTuple):
    """A fitted technique and the seconds it took, a final program apart."""

    technique: Any
    seconds: float


def timed(technique: Technique, X: Any) -> Timed:
    began = time.perf_counter()
    technique.fit(X)
    seconds = time.perf_counter() - began - getattr(technique, "polish_seconds_", 0.0)
    print(f"  {technique!r}: {technique.il_:.4f} in {seconds:.1f} s", flush=True)
    return Timed(technique, seconds)


def compile_first() -> None:
    """A first fit compiles; it shall not be measured."""
    rng = np.random.default_rng(0)
    for n, d in ((300, 3), (6_000, 9)):
        NearOptimal(effort=5).fit(rng.normal(size=(n, d)))


def percent(value: float, reference: float) -> str:
    return f"{100 * (value / reference - 1):+.2f} %"


# -- the reference files ------------------------------------------------------------------


def by_the_clock(limits: Sequence[float] = BY_THE_CLOCK) -> str:
    rows = [_cell(cell, limits) for cell in CELLS]
    columns = [
        text for seconds in limits for text in (f"in {seconds:.0f} s", "difference", "program")
    ]
    return table(["file", "k", "best found before", *columns], rows)


def _cell(cell: Cell, limits: Sequence[float]) -> list[str]:
    row = [cell.name, str(cell.k), f"{cell.known:.4f}"]
    X = LOADERS[cell.name]()
    for seconds in limits:
        near = timed(NearOptimal(k=cell.k, time_limit=seconds), X).technique
        keep_better(cell, near.partition_)
        program = f"{near.polish_seconds_:.0f} s" if near.polish_finished_ is not None else "none"
        row += [f"{near.il_:.4f}", percent(near.il_, cell.known), program]
    return row


def records() -> str:
    """The best partitions kept, checked against the data."""
    rows = []
    for cell in CELLS:
        loss = verified_loss(cell)
        rows.append([cell.name, str(cell.k), f"{cell.known:.4f}", f"{loss:.4f}",
                     percent(loss, cell.known)])  # fmt: skip
    return table(["file", "k", "best found before", "record", "difference"], rows)


# -- loss against time --------------------------------------------------------------------


def uniform(n: int, d: int) -> np.ndarray:
    return np.random.default_rng(0).random((n, d))


def curve() -> str:
    """Each point is a search of its own: it cools in the time, or the moves, it is given."""
    census, large_one = LOADERS["census"](), uniform(LARGE, 10)
    short = [NearOptimal(time_limit=limit, polish=False) for limit in (0.1, 0.3, 1, 3, 10, 30)]
    long = [NearOptimal(effort=effort) for effort in (30, 100, 300, 1_000, 3_500)]
    rows = _points("Census", census, short) + _points("uniform, 100,000 × 10", large_one, long)
    return table(["file", "", "seconds in all", "IL", "below IAMAT"], rows)


def _points(name: str, X: Any, searches: list[NearOptimal]) -> list[list[str]]:
    start = timed(IAMAT(k=3), X)
    rows = [[name, "IAMAT", f"{start.seconds:.2g}", f"{start.technique.il_:.4f}", "–"]]
    for search in searches:
        how = f"{search.effort:,} moves" if search.effort else f"limit {search.time_limit} s"
        near = timed(search, X)
        loss = f"{near.technique.il_:.4f}", percent(near.technique.il_, start.technique.il_)
        rows.append([name, how, f"{near.seconds:.2g}", *loss])
    return rows


# -- large files --------------------------------------------------------------------------


def large() -> str:
    """Loss and time as ratios to IAMAT's in the same run."""
    rows = []
    cells: list[tuple[str, int, int, list[float | None]]] = [
        ("uniform", LARGE, 10, [300.0, 3_500.0, None]),
        ("uniform", 1_000_000, 5, [None]),
    ]
    for name, n, d, efforts in cells:
        X = uniform(n, d)
        start = timed(IAMAT(k=3), X)
        for effort in efforts:
            near = timed(NearOptimal(k=3, effort=effort), X)
            moves = f"{near.technique.effort_:,.0f}" + (" (default)" if effort is None else "")
            loss = f"{near.technique.il_:.4f}", percent(near.technique.il_, start.technique.il_)
            spent = f"{near.seconds:.0f} s", f"{near.seconds / start.seconds:.0f}"
            rows.append([name, f"{n:,}", str(d), moves, *loss, *spent])
    return table(
        ["data", "n", "d", "moves per record", "IL", "below IAMAT", "time", "÷ IAMAT's"], rows
    )


# -- risk ---------------------------------------------------------------------------------


def risk() -> str:
    rows = []
    for name, load in LOADERS.items():
        X = load()
        for k in (3, 4, 5, 10):
            for technique in (MDAV(k), IAMAT(k), RGMAT(k), EGMMAT(k), NearOptimal(k)):
                rows.append([name, str(k), *_measured(technique, X)])
                print(*rows[-1], flush=True)
    measures = ["IL", "G_IL", "ID", "record linkage", "distance linkage", "score"]
    return table(["file", "k", "technique", *measures], rows)


def _measured(technique: Technique, X: Any) -> list[str]:
    found = evaluate(X, technique.fit_transform(X), aligned=True)
    values = [found.il, found.g_il, found.interval, found.record_linkage, found.distance_linkage]
    shown = [value.percent for value in values if value is not None]
    return [type(technique).__name__, *(f"{value:.2f}" for value in [*shown, found.score])]


TABLES: dict[str, Callable[[], str]] = {
    "near-optimal": by_the_clock,
    "near-optimal-records": records,
    "near-optimal-curve": curve,
    "near-optimal-large": large,
    "near-optimal-risk": risk,
}


if __name__ == "__main__":
    compile_first()
    if "--full" in sys.argv:
        wanted = [name for name in TABLES if name in sys.argv] or list(TABLES)
        for one in wanted:
            fill(ROOT / "benchmarks" / "RESULTS.md", {one: TABLES[one]})
    else:
        print(by_the_clock(BY_THE_CLOCK[:1]))
