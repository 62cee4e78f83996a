"""The papers' sweeps over n, d and k (Table 2 of 2007; Figs 2 to 4 of 2010), published and ours.

python -m benchmarks.papers_speed          (or: script/bench --papers) into benchmarks/RESULTS.md
python -m benchmarks.papers_speed --quick  a few small cells, printed only

What the papers call MDAV forms one group a round. Their "normal" columns agree with uniform data
and not with normal data (docs/papers.md); ours are of the data that the column names.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, NamedTuple

from benchmarks.machine import keep
from benchmarks.one_fit import data
from benchmarks.pages import ROOT, fill, table
from benchmarks.published_sweeps import GROUP_SIZES, RECORDS, VARIABLES, Published
from covey.techniques import IAMAT, MDAV

QUICK = "--quick" in sys.argv
KINDS = ("normal", "uniform")
MEASURED: list[dict[str, Any]] = []


class Fitted(NamedTuple):
    """Loss and time of one fit."""

    il: float
    seconds: float


@cache
def fitted(name: str, kind: str, n: int, d: int, k: int) -> Fitted:
    technique = MDAV(k=k, groups_per_round=1) if name == "mdav" else IAMAT(k=k)
    X = data(kind, n, d)
    technique.fit(X[:500])  # compiled before
    start = time.perf_counter()
    loss = technique.fit(X).il_
    found = Fitted(loss, time.perf_counter() - start)
    case = {"technique": name, "data": kind, "n": n, "d": d, "k": k}
    MEASURED.append({**case, "il": found.il, "seconds": found.seconds})
    print(name, kind, n, d, k, f"{found.seconds:.2f} s", flush=True)
    return found


def improvement(kind: str, n: int, d: int, k: int) -> float:
    """By how many percent IAMAT's loss is below MDAV's."""
    worse, better = (fitted(name, kind, n, d, k).il for name in ("mdav", "iamat"))
    return 100.0 * (1.0 - better / worse)


def by_records() -> str:
    return _sweep("n", RECORDS, lambda n: (n, 10, 4))


def by_variables() -> str:
    return _sweep("d", VARIABLES, lambda d: (10_000, d, 3))


def by_group_size() -> str:
    return _sweep("k", GROUP_SIZES, lambda k: (10_000, 10, k))


def _sweep(
    letter: str,
    published: dict[tuple[str, int], Published],
    case: Callable[[int], tuple[int, int, int]],
) -> str:
    rows = []
    for (kind, value), printed in _some(published.items()):
        cells: list[str] = []
        for name, loss, duration in zip(
            ("mdav", "iamat"), printed[::2], printed[1::2], strict=True
        ):
            ours = fitted(name, kind, *case(value))
            cells += [f"{loss:.4f}", f"{ours.il:.4f}", f"{duration:,.2f}", f"{ours.seconds:.2f}"]
        rows.append([kind, f"{value:,}", *cells])
    columns = [f"{name} {what}" for name in ("MDAV", "IAMAT") for what in ("IL", "s")]
    heads = [word for column in columns for word in (f"{column}, published", "ours")]
    return table(["data", letter, *heads], rows)


def figures_2010() -> str:
    """The paper of 2010 prints no cells of these figures; its text says how large the gain is."""
    sizes = sorted({n for _, n in RECORDS})
    dimensions = sorted({d for _, d in VARIABLES})
    counts = sorted({k for _, k in GROUP_SIZES})
    sweeps = [
        ("Fig. 2: n, d = 10, k = 3", [(n, 10, 3) for n in sizes],
         "10.02 to 11.25", "10.47 to 11.28"),
        ("Fig. 3: d, n = 10,000, k = 3", [(10_000, d, 3) for d in dimensions],
         "at most about 10", "at most about 10"),
        ("Fig. 4: k, n = 10,000, d = 10", [(10_000, 10, k) for k in counts],
         "at most 12.74 (k = 5)", "at most 12.31 (k = 4)"),
    ]  # fmt: skip
    rows = []
    for label, cases, *printed in sweeps:
        for kind, text in zip(KINDS, printed, strict=True):
            found = [improvement(kind, *case) for case in _some(cases)]
            rows.append([label, kind, text, f"{min(found):.2f} to {max(found):.2f}"])
    return table(["sweep", "data", "published in the text, percent", "ours, percent"], rows)


def _some(cases: Iterable[Any]) -> list[Any]:
    """All of them, or the first two for a quick look."""
    return list(cases)[: 2 if QUICK else None]


TABLES: dict[str, Callable[[], str]] = {
    "papers-n": by_records,
    "papers-d": by_variables,
    "papers-k": by_group_size,
    "papers-figures": figures_2010,
}

if __name__ == "__main__":
    if QUICK:
        for compute in TABLES.values():
            print(f"\n{compute()}\n")
    else:
        fill(ROOT / "benchmarks" / "RESULTS.md", TABLES)
        keep("papers", MEASURED)
