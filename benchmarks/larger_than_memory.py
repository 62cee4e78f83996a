"""Files larger than memory: time, peak of memory, and a run that is killed and called again.

python -m benchmarks.larger_than_memory          a million records, printed only
python -m benchmarks.larger_than_memory --full   5 and 20 million too; into benchmarks/RESULTS.md

Each run is a process of its own, whose peak of resident memory is its own. One run is killed at a
moment drawn by chance and called again: the release must be the same to the last byte. The files
are made in a folder for temporary files (TMPDIR), which needs about 10 GB for the full run.
"""

from __future__ import annotations

import hashlib
import json
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from pyarrow import parquet

import covey
from benchmarks.machine import keep
from benchmarks.pages import ROOT, fill, table

FULL = "--full" in sys.argv
VARIABLES, K, LIMIT = 10, 5, "2GB"
SIZES = (5_000_000, 20_000_000) if FULL else (250_000, 1_000_000)
BESIDE = 1_000_000
AT_A_TIME = 250_000
MEASURED: list[dict[str, Any]] = []


def make(path: Path, n_records: int) -> Path:
    """Records in a Parquet file, written piece by piece."""
    names = [f"v{j}" for j in range(VARIABLES)]
    schema = pa.schema([(name, pa.float64()) for name in names])
    rng = np.random.default_rng(n_records)
    with parquet.ParquetWriter(path, schema) as file:
        for start in range(0, n_records, AT_A_TIME):
            values = rng.normal(size=(min(AT_A_TIME, n_records - start), VARIABLES))
            file.write_table(pa.table(dict(zip(names, values.T, strict=True)), schema=schema))
    return path


def protect_here(original: str, out: str) -> None:
    """The work of one process, which prints its figures."""
    stages: dict[str, float] = {}
    began = time.perf_counter()

    def note(stage: str, done: int, total: int) -> None:
        stages.setdefault(stage, time.perf_counter() - began)

    release = covey.protect(
        original, k=K, technique="iamat", out=out, memory_limit=LIMIT, progress=note
    )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    seconds = time.perf_counter() - began
    figures = {"seconds": seconds, "peak": peak, "il": release.il_, "k": release.achieved_k}
    figures["processor"] = time.process_time()
    print(json.dumps({**figures, "stages": stages}))


def whole_here(original: str, out: str) -> None:
    """The same release by a process that has all records in memory."""
    release = covey.protect(original, k=K, technique="iamat")
    release.write(out)
    print(json.dumps({"processor": time.process_time(), "il": release.il_}))


def started(original: Path, out: Path, how: str = "--one") -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "benchmarks.larger_than_memory", how]
    return subprocess.Popen(
        [*command, str(original), str(out)], stdout=subprocess.PIPE, text=True, cwd=ROOT
    )


def finished(process: subprocess.Popen[str]) -> dict[str, Any]:
    printed, _ = process.communicate()
    if process.returncode:
        raise SystemExit("a run failed")
    found: dict[str, Any] = json.loads(printed.splitlines()[-1])
    return found


def digest(path: Path) -> str:
    with path.open("rb") as file:
        found = hashlib.sha256()
        while piece := file.read(1 << 20):
            found.update(piece)
        return found.hexdigest()


def killed_and_resumed(original: Path, out: Path, seconds: float) -> float:
    """Kill a run at some moment, and call it again; the moment comes back."""
    moment = random.uniform(0.05, 0.95) * seconds
    process = started(original, out)
    time.sleep(moment)
    process.send_signal(signal.SIGKILL)
    process.wait()
    finished(started(original, out))
    return moment


def measure(folder: Path) -> None:
    for n_records in SIZES:
        original = make(folder / f"{n_records}.parquet", n_records)
        found = finished(started(original, folder / f"out-{n_records}.parquet"))
        MEASURED.append({"records": n_records, **found})
        print(MEASURED[-1], flush=True)
    seconds, last = MEASURED[-1]["seconds"], SIZES[-1]
    moment = killed_and_resumed(original, folder / "again.parquet", seconds)
    same = digest(folder / "again.parquet") == digest(folder / f"out-{last}.parquet")
    MEASURED[-1] |= {"killed_after": moment, "same": same}
    print(f"killed after {moment:.0f} s and called again: {'the same' if same else 'ANOTHER'}")


def beside_memory(folder: Path) -> list[dict[str, Any]]:
    """A million records part by part, and as a whole in memory."""
    original = make(folder / "million.parquet", BESIDE)
    ways = {"part by part": "--one", "the whole in memory": "--whole"}
    rows = []
    for way, how in ways.items():
        found = finished(started(original, folder / f"{how}.parquet", how))
        rows.append({"way": way, "processor": found["processor"], "il": found["il"]})
        print(rows[-1], flush=True)
    return rows


def beside_page(rows: list[dict[str, Any]]) -> str:
    whole = rows[-1]["processor"]
    return table(
        [f"{BESIDE:,} × {VARIABLES}, IAMAT, k={K}", "processor", "÷ the whole", "IL"],
        [
            [
                row["way"],
                f"{row['processor']:.1f} s",
                f"{row['processor'] / whole:.2f}",
                f"{row['il']:.3f} %",
            ]
            for row in rows
        ],
    )


def page() -> str:
    rows = []
    for row in MEASURED:
        again = ""
        if "same" in row:
            what = "the same release" if row["same"] else "another release"
            again = f"after {row['killed_after']:.0f} s: {what}"
        rows.append(
            [
                f"{row['records']:,} × {VARIABLES}",
                f"{row['seconds']:.0f} s",
                f"{row['peak']:.2f} GB",
                f"{row['il']:.3f} %",
                row["k"],
                again,
            ]
        )
    times = MEASURED[-1]["seconds"] / MEASURED[0]["seconds"]
    rows.append([f"time × {SIZES[-1] // SIZES[0]}", f"× {times:.2f}", "", "", "", ""])
    return table(["records", "time", "peak", "IL", "k", "killed and called again"], rows)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        rows = beside_memory(Path(folder))
        measure(Path(folder))
    print(beside_page(rows), page(), sep="\n\n")
    if FULL:
        keep("larger_than_memory", MEASURED)
        fill(
            ROOT / "benchmarks" / "RESULTS.md",
            {"larger-than-memory": page, "beside-memory": lambda: beside_page(rows)},
        )


if __name__ == "__main__":
    if "--one" in sys.argv:
        protect_here(*sys.argv[-2:])
    elif "--whole" in sys.argv:
        whole_here(*sys.argv[-2:])
    else:
        main()
