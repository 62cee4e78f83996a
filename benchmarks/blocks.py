"""Grouping in blocks beside the whole: loss, time, and that the groups are always the same.

python -m benchmarks.blocks          100,000 records, printed only
python -m benchmarks.blocks --full   a million and more; into RESULTS.md and docs/scale.md
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pyarrow as pa
from pyarrow import parquet

import covey
from benchmarks.machine import keep
from benchmarks.pages import ROOT, fill, table
from covey.refining.windows import improve_in_windows

FULL = "--full" in sys.argv
N_RECORDS = 1_000_000 if FULL else 100_000
VARIABLES, K = 5, 5
BLOCK = 65_536 if FULL else 8_192
# Ways to read the same file, in records at a time.
BATCHES = (10_007, 65_536, 300_000)


def records(n_records: int) -> Any:
    values = np.random.default_rng(1).normal(size=(n_records, VARIABLES))
    return pa.table({f"v{j}": values[:, j] for j in range(VARIABLES)})


def protected(data: Any, **asked: Any) -> dict[str, Any]:
    start, used = time.perf_counter(), time.process_time()
    release = covey.protect(data, k=K, **asked)
    seconds, used = time.perf_counter() - start, time.process_time() - used
    return {
        "processor": used,
        "il": release.technique.il_,
        "seconds": seconds,
        "labels": hashlib.sha256(release.partition.labels.tobytes()).hexdigest(),
    }


@contextmanager
def seams(sweeps: int) -> Iterator[None]:
    """Another number of sweeps of the windows; none leaves the groups as they are."""

    def in_windows(points: Any, labels: Any, k: int, seed: int, meter: Any) -> Any:
        return improve_in_windows(points, labels, k, seed, meter, sweeps) if sweeps else labels

    with mock.patch("covey.pipeline.cells.improve_in_windows", in_windows):
        yield


def losses(data: Any) -> list[dict[str, Any]]:
    """IAMAT as a whole and in cells, with more and more sweeps of the windows."""
    protected(records(20_000), technique="iamat", block_size=2_000)  # loads everything
    rows = [{"way": "whole", **protected(data, technique="iamat")}]
    for size, sweeps in ((BLOCK, 0), (BLOCK, 16), (4 * BLOCK, 0), (4 * BLOCK, 4), (4 * BLOCK, 16)):
        with seams(sweeps):
            found = protected(data, technique="iamat", block_size=size)
        repaired = f"{sweeps} sweeps of the windows" if sweeps else "seams left"
        rows.append({"way": f"cells of {size:,}, {repaired}", **found})
        print(rows[-1], flush=True)
    return rows


def losses_page(rows: list[dict[str, Any]]) -> str:
    whole = rows[0]["il"]
    return table(
        [
            f"IAMAT, {N_RECORDS:,} × {VARIABLES}, k={K}",
            "IL",
            "above the whole",
            "time",
            "processor",
        ],
        [
            [
                row["way"],
                f"{row['il']:.4f} %",
                f"{100 * (row['il'] / whole - 1):+.2f} %" if row["il"] != whole else "",
                f"{row['seconds']:.1f} s",
                f"{1e6 * row['processor'] / N_RECORDS:.0f} µs per record",
            ]
            for row in rows
        ],
    )


def streamed(data: Path, out: Path, batch: int) -> str:
    with mock.patch("covey.release.run.READ", batch):
        covey.protect(data, k=K, technique="iamat", out=out, block_size=BLOCK)
    return hashlib.sha256(out.read_bytes()).hexdigest()


def identities(data: Any) -> list[dict[str, Any]]:
    """Labels in memory for one and two threads; streamed files for these and three batch sizes."""
    found: list[dict[str, Any]] = []

    def note(way: str, threads: str, digest: Callable[[], str]) -> None:
        with mock.patch.dict(os.environ, {"COVEY_THREADS": threads}):
            found.append({"way": way, "threads": threads, "digest": digest()})
        print(found[-1], flush=True)

    asked = {"technique": "iamat", "block_size": BLOCK}
    for threads in ("1", "2"):
        note("in memory", threads, lambda: protected(data, **asked)["labels"])
    with tempfile.TemporaryDirectory() as folder:
        original = Path(folder, "original.parquet")
        parquet.write_table(data, original)
        for threads, batch in (("1", BATCHES[1]), *(("2", batch) for batch in BATCHES)):
            out = Path(folder, f"{threads}-{batch}.parquet")
            way = f"streamed, {batch:,} records at a time"
            note(way, threads, lambda out=out, batch=batch: streamed(original, out, batch))
    return found


def identities_page(rows: list[dict[str, Any]]) -> str:
    headings = [f"{N_RECORDS:,} × {VARIABLES}", "threads", "SHA-256 of labels or file"]
    return table(headings, [[row["way"], row["threads"], row["digest"][:16]] for row in rows])


def automatic() -> list[dict[str, Any]]:
    """What "auto" does above two million records, beside the same search on all at once."""
    data = records(2 * N_RECORDS)
    protected(records(20_000), block_size=2_000)
    protected(records(20_000))
    ways = {"in blocks, as auto does": {"block_size": BLOCK}, "all at once": {}}
    rows = []
    for way, asked in ways.items():
        rows.append({"way": way, **protected(data, technique="nearoptimal", **asked)})
        print(rows[-1], flush=True)
    return rows


def automatic_page(rows: list[dict[str, Any]]) -> str:
    headings = [f"NearOptimal, {2 * N_RECORDS:,} × {VARIABLES}, k={K}", "IL", "time"]
    return table(
        headings, [[row["way"], f"{row['il']:.4f} %", f"{row['seconds']:.0f} s"] for row in rows]
    )


def main() -> None:
    data = records(N_RECORDS)
    found = {"blocks": losses(data), "blocks-same": identities(data), "blocks-auto": automatic()}
    pages = (losses_page, identities_page, automatic_page)
    tables = {name: page(rows) for (name, rows), page in zip(found.items(), pages, strict=True)}
    print(*tables.values(), sep="\n\n")
    for way in ("in memory", "streamed"):
        same = [row["digest"] for row in found["blocks-same"] if row["way"].startswith(way)]
        if len(set(same)) > 1:
            raise SystemExit(f"{way}: not the same")
    if FULL:
        keep("blocks", [{"table": name, **row} for name, rows in found.items() for row in rows])
        for page in (ROOT / "benchmarks" / "RESULTS.md", ROOT / "docs" / "scale.md"):
            fill(page, {name: lambda text=text: text for name, text in tables.items()})


if __name__ == "__main__":
    main()
