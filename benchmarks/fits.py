"""Fits in processes of their own: asked for once each, all of them kept."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache
from typing import Any

from benchmarks.pages import ROOT

FIELDS = ("technique", "data", "n", "d", "k", "route")
MEASURED: list[dict[str, Any]] = []
# Less processor time than this share of the time that passed: something else was running.
BUSY = 0.9


def fit(
    name: str,
    kind: str,
    n: int,
    d: int,
    k: int = 3,
    route: str = "index",
    threads: int | None = None,
) -> dict[str, Any]:
    """Time, loss, peak memory (GB) and a hash of the labels of one fit; measured once."""
    # All arguments by place: a cache takes f(1) and f(1, 3) for two questions.
    return _fit(name, kind, n, d, k, route, threads)


@cache
def _fit(
    name: str, kind: str, n: int, d: int, k: int, route: str, threads: int | None
) -> dict[str, Any]:
    arguments = [name, kind, n, d, k, route]
    more = {} if threads is None else {"COVEY_THREADS": str(threads)}
    result = subprocess.run(
        [sys.executable, "-m", "benchmarks.one_fit", *map(str, arguments)],
        cwd=ROOT,
        env=os.environ | more,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    found: dict[str, Any] = json.loads(result.stdout)
    MEASURED.append({**dict(zip(FIELDS, arguments, strict=True)), "threads": threads, **found})
    busy = found["processor"] < BUSY * found["seconds"]
    print(*arguments, seconds(found), "(the machine was busy)" if busy else "", flush=True)
    return found


def without_search() -> list[str]:
    """Techniques for many variables, but for the search, which takes as long as it is given."""
    from covey.techniques import available

    return [info.name for info in available() if info.is_comparable and not info.cls.is_default]


def seconds(found: dict[str, Any]) -> str:
    """Three digits of a time."""
    value = found["seconds"]
    return f"{value:.0f} s" if value >= 100 else f"{value:#.3g} s"


def peak(found: dict[str, Any]) -> str:
    return f"{found['peak']:.2f} GB"


def require_same_labels(*found: dict[str, Any]) -> str:
    """The hash that all of them share; a benchmark of different results would mean nothing."""
    hashes = {part["labels"] for part in found}
    if len(hashes) != 1:
        raise AssertionError(f"the labels differ: {found}")
    return f"`{hashes.pop()}`"
