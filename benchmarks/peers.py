"""Other software on the same data in the same run: time, loss and memory.

python -m benchmarks.peers          small files, printed only
python -m benchmarks.peers --full   the figures of benchmarks/RESULTS.md

Peers come with the extra `bench`; sdcMicro is used when Rscript finds it. One that is not there is
left out, and the page says so. The loss is Covey's IL of what the peer released. Every peer gets
z-scores, so that none is judged by how it puts variables on one footing.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from benchmarks import brute, r_peers
from benchmarks.fits import peak, seconds
from benchmarks.machine import keep, version_of
from benchmarks.one_fit import data
from benchmarks.pages import ROOT, fill, table
from covey import Partition, techniques
from covey.measures import il
from covey.scaling import standardize

FULL = "--full" in sys.argv


class Peer(NamedTuple):
    """Groups or releases z-scores: `most` records at most, since some take quadratic memory.

    `work` gives labels, or the released values themselves.
    """

    name: str
    package: str
    most: int
    work: Callable[[np.ndarray, int], Any]


def covey_by(name: str) -> Callable[[np.ndarray, int], np.ndarray]:
    return lambda Z, k: techniques.get(name)(k=k).fit(Z).labels_


def anonypyx_mdav(Z: np.ndarray, k: int) -> np.ndarray:
    from anonypyx.microaggregation import MDAVGeneric

    frame = _frame(Z)
    return _labels(MDAVGeneric(frame, list(frame.columns)).partition(k), len(Z))


def anonypyx_mondrian(Z: np.ndarray, k: int) -> np.ndarray:
    from anonypyx.models import kAnonymity
    from anonypyx.mondrian import Mondrian

    frame = _frame(Z)
    groups = Mondrian(frame, list(frame.columns)).partition([kAnonymity(k)])
    return _labels(groups, len(Z))


def constrained_k_means(Z: np.ndarray, k: int) -> np.ndarray:
    from k_means_constrained import KMeansConstrained

    found = KMeansConstrained(len(Z) // k, size_min=k, n_init=1, random_state=0).fit(Z)
    # Some of the clusters may stay empty: Partition wants every number used.
    return Partition.from_labels(found.labels_).labels


def _frame(Z: np.ndarray) -> Any:
    import pandas as pd

    return pd.DataFrame(Z, columns=[f"v{j}" for j in range(Z.shape[1])])


def _labels(groups: Any, n: int) -> np.ndarray:
    labels = np.full(n, -1, dtype=np.int64)
    for number, records in enumerate(groups):
        labels[np.asarray(records)] = number
    return labels


PEERS = {
    peer.name: peer
    for peer in (
        Peer("Covey, MDAV", "covey", 10**9, covey_by("mdav")),
        Peer("Covey, IAMAT", "covey", 10**9, covey_by("iamat")),
        Peer("Covey, RGMAT", "covey", 10_000, covey_by("rgmat")),
        Peer("Covey, EGMMAT", "covey", 2_000, covey_by("egmmat")),
        Peer("NumPy brute force, MDAV", "numpy", 10_000, brute.mdav),
        Peer("anonypyx, MDAV-generic", "anonypyx", 2_000, anonypyx_mdav),
        Peer("anonypyx, Mondrian", "anonypyx", 10_000, anonypyx_mondrian),
        Peer("k-means-constrained", "k-means-constrained", 2_000, constrained_k_means),
        Peer("sdcMicro, MDAV", "sdcMicro", 100_000, r_peers.sdc_micro_mdav),
    )
}


def records(kind: str, n: int, d: int) -> np.ndarray:
    """z-scores of Census or of drawn data."""
    if kind != "census":
        return standardize(data(kind, n, d))
    from covey.datasets import load_census

    columns = load_census().columns
    return standardize(np.column_stack([column.to_numpy() for column in columns]).astype(float))


def one(name: str, kind: str, n: int, d: int, k: int) -> dict[str, Any]:
    """Work of one peer, in this process, after a small run that loads and compiles."""
    work, Z = PEERS[name].work, records(kind, n, d)
    work(Z[:300], k)
    start = time.perf_counter()
    found = work(Z, k)
    passed = time.perf_counter() - start
    if isinstance(found, r_peers.Released):  # R measures itself, without its start
        passed, released = found.seconds, found.values
    else:
        partition = Partition(found)
        partition.require(k)
        released = partition.aggregate(Z)
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    return {"seconds": passed, "il": il(Z, released).percent, "peak": used}


def available_version(package: str) -> str | None:
    return r_peers.version() if package == "sdcMicro" else version_of(package)


def missing() -> list[str]:
    """Packages that are not there, each with the reason."""
    packages = dict.fromkeys(peer.package for peer in PEERS.values())
    absent = [name for name in packages if available_version(name) is None]
    return [
        f"{name}: {r_peers.reason() if name == 'sdcMicro' else 'not installed (extra `bench`)'}"
        for name in absent
    ]


SETS = [("census", 1_080, 13), ("normal", 1_000, 5)]
SETS_FULL = [("census", 1_080, 13), ("normal", 2_000, 5), ("normal", 10_000, 5)]
SETS_R = [("normal", 100_000, 10)]  # what the issue quotes of sdcMicro; Covey beside it
MEASURED: list[dict[str, Any]] = []


def peers() -> str:
    sets = SETS_FULL + SETS_R if FULL else SETS
    rows = [
        row
        for kind, n, d in sets
        for peer in PEERS.values()
        if n <= peer.most and (row := _row(peer, kind, n, d, 3))
    ]
    heads = ["data", "k", "software", "version", "time", "IL", "peak"]
    absent = "".join(f"\n\n**Not measured**, {text}." for text in missing())
    return table(heads, rows) + absent


def _row(peer: Peer, kind: str, n: int, d: int, k: int) -> list[object] | None:
    version = available_version(peer.package)
    if version is None:
        print(f"SKIPPED {peer.name}: {peer.package} is not available", file=sys.stderr)
        return None
    arguments = [peer.name, kind, n, d, k]
    result = subprocess.run(
        [sys.executable, "-m", "benchmarks.peers", "--one", *map(str, arguments)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    found = json.loads(result.stdout.splitlines()[-1])
    fields = ("peer", "data", "n", "d", "k", "version")
    MEASURED.append({**dict(zip(fields, [*arguments, version], strict=True)), **found})
    print(*arguments, seconds(found), flush=True)
    loss = f"{found['il']:.4f}"
    # R runs in a process of its own, whose memory is not seen from here.
    memory = "" if peer.package == "sdcMicro" else peak(found)
    return [f"{kind}, {n:,} × {d}", k, peer.name, version, seconds(found), loss, memory]


def main() -> None:
    if sys.argv[1:2] == ["--one"]:
        name, kind, *numbers = sys.argv[2:]
        print(json.dumps(one(name, kind, *map(int, numbers))))
    elif FULL:
        fill(ROOT / "benchmarks" / "RESULTS.md", {"peers": peers})
        keep("peers", MEASURED)
    else:
        print(f"\n{peers()}\n")


if __name__ == "__main__":
    main()
