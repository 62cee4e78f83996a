"""Calls of everything the core offers, with arguments that are wrong in every way.

``python -m tests.core.border _baseline mdav`` makes the calls of one function and says before each
what is wrong in it: whoever started it knows from the last line what a crash was due to. A call
that does not return is ended after a while, too.
"""

from __future__ import annotations

import faulthandler
import random
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

import numpy as np

ROWS, K = 40, 3
RANDOM_CALLS = 150
TOLD_AFTER, LOST_AFTER = 0.5, 30.0  # seconds


def _points(rows: int = ROWS, d: int = 3) -> np.ndarray:
    return np.random.default_rng(rows + d).normal(size=(rows, d))


def _meter() -> np.ndarray:
    return np.zeros(2, dtype=np.int64)


def _common(**more: Any) -> dict[str, Any]:
    return {"points": _points(), "k": K, **more, "threads": 3, "meter": _meter()}


def _neighbours() -> np.ndarray:
    points = _points()
    distances = ((points[:, None] - points[None]) ** 2).sum(axis=2)
    return np.argsort(distances, axis=1, kind="stable")[:, 1:9].astype(np.int32)


def _labels() -> np.ndarray:
    return np.minimum(np.arange(ROWS) // K, ROWS // K - 1)


def _search() -> dict[str, Any]:
    return {
        "points": _points(),
        "neighbours": _neighbours(),
        "n_near": 4,
        "scales": np.ones(ROWS),
        "k": K,
        "labels": _labels(),
    }


def _linkage() -> dict[str, Any]:
    return {"originals": _points(), "rows": _points(13)}


def _patterns() -> dict[str, Any]:
    return {"first": _points(), "second": _points(13), "sizes": np.full(13, 3), "window": 0.3}


def _near_sums() -> np.ndarray:
    points = _points()
    distances = np.sort(((points[:, None] - points[None]) ** 2).sum(axis=2), axis=1)
    return np.ascontiguousarray(np.cumsum(distances, axis=1)[:, :5])


SCAN = {"scan_below": 20}
SERIES = {"patience": 2, "max_epochs": 5, "seed": 1}
RATES = {"crossover_rate": 0.5, "mutation_rate": 0.5}

# Arguments that are all right, for every name of the core; a method is `Class.method`.
CASES: dict[str, Callable[[], dict[str, Any]]] = {
    "runs_avx2": dict,
    "shared_seconds": dict,
    "mdav": lambda: _common(two_a_round=True, moving_center=True, **SCAN),
    "mdav_by_diameter": lambda: _common(**SCAN),
    "iamat": lambda: _common(largest=2 * K - 1, gamma=1.2, moving_center=True, **SCAN),
    "vmdav": lambda: _common(gamma=1.2, **SCAN),
    "domes": lambda: {
        "points": _points(),
        "dome_size": 2 * K,
        **SCAN,
        "threads": 3,
        "meter": _meter(),
    },
    "egmmat": lambda: _common(order=np.arange(ROWS), dome_size=4 * K, **RATES, **SERIES),
    "rgmat": lambda: _common(**RATES, **SERIES),
    "exchange_leaves": lambda: {
        "points": _points(),
        "labels": _labels(),
        "close": np.arange(ROWS // K)[:, None] // 2 + np.arange(2)[None],
        "k": K,
        "rate": 0.5,
        **SERIES,
        "meter": _meter(),
    },
    "windows": lambda: _common(labels=_labels(), groups=4, sweeps=3, passes=2, seed=1),
    "optimal_labels": lambda: {"values": _points(ROWS, 1)[:, 0].copy(), "k": K},
    "link_to_released": lambda: {
        **_linkage(),
        "sizes": np.full(13, 3),
        "own": np.arange(ROWS) // 4,
        **SCAN,
        "threads": 3,
        "meter": _meter(),
    },
    "link_to_originals": lambda: {
        **_linkage(),
        "members": np.arange(ROWS),
        "starts": np.append(np.arange(13) * 3, ROWS),
        "nearest": 2,
        "share_ties": True,
        **SCAN,
        "threads": 3,
        "meter": _meter(),
    },
    "count_patterns": lambda: {
        **_patterns(),
        "records": np.arange(20),
        "threads": 3,
        "meter": _meter(),
    },
    "link_by_weight": lambda: {
        **_patterns(),
        "own": np.arange(ROWS) // 4,
        "weights": np.arange(8.0),
        "agree": np.ones(3),
        "disagree": -np.ones(3),
        "columns": np.ascontiguousarray(_points(13).T),
        "by_rank": np.ascontiguousarray(np.argsort(_points(13), axis=0).T),
        "ranks": np.ascontiguousarray(np.sort(_points(13), axis=0).T),
        "threads": 3,
        "meter": _meter(),
    },
    "mixture_round": lambda: {
        "low": np.arange(ROWS) % 4,
        "high": np.arange(ROWS) % 2,
        "shares": np.full(ROWS, 1.0 / ROWS),
        "matches_low": np.full(4, 0.25),
        "matches_high": np.full(2, 0.5),
        "others_low": np.full(4, 0.25),
        "others_high": np.full(2, 0.5),
        "threads": 3,
    },
    "count_disclosed": lambda: {
        "original": _points(),
        "released": _points(),
        "orders": np.ascontiguousarray(np.argsort(_points(), axis=0, kind="stable").T),
        "reaches": np.array([0, 1, 5]),
        "by_record": True,
        "threads": 3,
    },
    "group_diversity": lambda: {
        "labels": _labels(),
        "codes": np.arange(ROWS) % 5,
        "n_groups": ROWS // K,
        "threads": 3,
    },
    "group_means": lambda: {
        "values": _points(),
        "labels": _labels(),
        "n_groups": ROWS // K,
        "threads": 3,
    },
    "median_order": lambda: {"points": _points(), "leaf": 8, "threads": 3, "meter": _meter()},
    "approximate_neighbours": lambda: {
        "points": _points(),
        "count": 4,
        "trees": 2,
        "leaf": 12,
        "rounds": 2,
        "friends": 3,
        "seed": 1,
        "threads": 3,
        "meter": _meter(),
    },
    "cut_tree_leaves": lambda: {
        "points": _points(),
        "sides": np.array([0, 1, -1, -1, -1]),
        "cuts": np.zeros(5),
        "lower": np.array([1, 3, 0, 0, 0]),
        "upper": np.array([2, 4, 0, 0, 0]),
        "threads": 3,
    },
    "price_groups": lambda: {
        "points": _points(),
        "prices": np.linspace(2.0, 0.5, ROWS),
        "near": _near_sums(),
        "sizes": np.array([K, K + 1]),
        "limit": 0.5,
        "patience": 500,
        "kept": 3,
        "threads": 3,
        "meter": _meter(),
    },
    "Search": _search,
    "Search.run": lambda: {
        "sweeps": 3.0,
        "pools": 1.0,
        "hot": 0.5,
        "cold": 0.05,
        "merge_at": 0.1,
        "seed": 1,
        "number": 0,
        "n_regions": 2,
        "n_streams": 2,
        "threads": 3,
        "meter": _meter(),
    },
    "Search.labels": dict,
    "Search.tried": dict,
    "Search.keep_best": dict,
    "Search.best_sse": dict,
}


def names_of(core: Any) -> set[str]:
    """Everything the core offers, methods too; its exceptions are not called."""
    names = set()
    for name in dir(core):
        item = getattr(core, name)
        if name.startswith("_") or (isinstance(item, type) and issubclass(item, Exception)):
            continue
        names.add(name)
        if isinstance(item, type):
            names |= {f"{name}.{method}" for method in vars(item) if not method.startswith("_")}
    return names


def _odd_arrays(array: np.ndarray) -> Iterator[tuple[str, Any]]:
    """Another size, shape, order or type."""
    for axis in range(array.ndim):
        none, one = [slice(None)] * array.ndim, [slice(None)] * array.ndim
        none[axis], one[axis] = slice(0, 0), slice(0, 1)
        yield f"nothing along {axis}", array[tuple(none)].copy()
        yield f"one along {axis}", array[tuple(one)].copy()
        yield f"one less along {axis}", np.delete(array, 0, axis=axis)
        yield f"one more along {axis}", np.append(array, np.take(array, [0], axis=axis), axis=axis)
        yield f"few along {axis}", np.take(array, range(min(2, array.shape[axis])), axis=axis)
        yield f"turned along {axis}", np.flip(array, axis=axis)
        yield (
            f"gaps along {axis}",
            np.repeat(array, 2, axis=axis)[(slice(None),) * axis + (slice(None, None, 2),)],
        )
        yield f"turned copy along {axis}", np.flip(array, axis=axis).copy()
    yield "ndim more", array[None].copy()
    yield "ndim less", array[0] if array.ndim > 1 else np.array(array.flat[0])
    yield "ndim more, last", array[..., None].copy()
    yield "Fortran", np.asfortranarray(array)
    for kind in ("f4", "f8", "i4", "i8", "u8", "?", "c16", "O", "U5", ">i8", ">f8"):
        yield f"as {kind}", array.astype(kind)
    fixed = array.copy()
    fixed.setflags(write=False)
    yield "read-only", fixed
    yield "a list", array.tolist()
    yield "None", None
    yield "a number", 3
    yield "a word", "three"


def _filled(array: np.ndarray, value: Any) -> Iterator[tuple[str, np.ndarray]]:
    """A value in the first and in the last place, and everywhere."""
    for what, place in (("first", 0), ("last", -1), ("all", slice(None))):
        changed = array.copy()
        changed.reshape(-1)[place] = value
        yield f"{what} {value}", changed


FLOATS = (np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, -1.0, 1e-320, 1e-160, 1e12, 1e39, 1e160)
FLOATS += (1e308, -1e308)
INTEGERS = (0, 1, -1, 2, 3, 12, 13, ROWS - 1, ROWS, ROWS + 1, 10**6, 2**31 - 1, 2**31, 2**32 + K)
INTEGERS += (10**18, -(10**18), 2**63 - 1, -(2**63))


def odd_values(value: Any) -> Iterator[tuple[str, Any]]:
    """What may be given by mistake where `value` is right, and what each is."""
    if isinstance(value, np.ndarray):
        yield from _odd_arrays(value)
        if value.dtype.kind == "f":
            for number in FLOATS:
                yield from _filled(value, number)
            alternating = np.where(np.arange(value.size).reshape(value.shape) % 2, 1e308, -1e308)
            yield "huge both ways", alternating
            yield "few values", np.round(value)
        else:
            for number in INTEGERS:
                if np.iinfo(value.dtype).min <= number <= np.iinfo(value.dtype).max:
                    yield from _filled(value, number)
        return
    for odd in (None, "three", [value], True, False, 1.5, 2**63, 10**30, *INTEGERS, *FLOATS):
        yield repr(odd), odd


def calls_of(name: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Calls with each argument wrong in every way, then with two or three wrong at random."""
    case = CASES[name]
    yield "as it should be", case()
    odd = {}
    for argument, value in case().items():
        odd[argument] = list(odd_values(value))
        for what, wrong in odd[argument]:
            yield f"{argument}: {what}", {**case(), argument: wrong}
        yield f"{argument}: left out", {a: v for a, v in case().items() if a != argument}
    yield "an argument too many", {**case(), "nonsense": 1}
    chance = random.Random(name)
    for _ in range(RANDOM_CALLS if len(odd) > 1 else 0):
        arguments, said = case(), []
        for argument in chance.sample(sorted(odd), min(len(odd), chance.choice((2, 3)))):
            what, arguments[argument] = chance.choice(odd[argument])
            said.append(f"{argument}: {what}")
        yield "; ".join(said), arguments


class Watch(threading.Thread):
    """Tells a call that takes long to stop, as somebody who waits for it would."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self._running: tuple[float, Any] | None = None

    def begin(self, meter: Any) -> None:
        # A call that does not end even then ends the process.
        faulthandler.dump_traceback_later(LOST_AFTER, exit=True)
        self._running = time.monotonic(), meter

    def end(self) -> None:
        self._running = None
        faulthandler.cancel_dump_traceback_later()

    def run(self) -> None:
        while True:
            time.sleep(TOLD_AFTER / 5)
            running = self._running
            if running is None or time.monotonic() - running[0] < TOLD_AFTER:
                continue
            if isinstance(running[1], np.ndarray) and running[1].flags.writeable:
                running[1].reshape(-1)[-1:] = 1


def main(build: str, name: str) -> None:
    warnings.simplefilter("ignore")
    core = import_module(f"covey.core.{build}")
    refusals = (ValueError, TypeError, core.Stopped)
    owner, _, method = name.partition(".")
    watch, counts = Watch(), {"done": 0, "refused": 0}
    watch.start()
    for what, arguments in calls_of(name):
        print(what, flush=True)
        if method:
            held = getattr(core, owner)(**_search())
            function = getattr(held, method)
        else:
            function = getattr(core, owner)
        watch.begin(arguments.get("meter"))
        try:
            made = function(**arguments)
            counts["done"] += 1
            if name == "Search":
                made.run(**CASES["Search.run"]())
        except refusals as error:
            if what == "as it should be":
                raise AssertionError(f"{name} refuses what is right") from error
            counts["refused"] += 1
        finally:
            watch.end()
        if method:
            # What was refused, or stopped, has left groups that can be worked with.
            held.keep_best()
            assert np.bincount(held.labels()).sum() == ROWS
    if method:
        unmade = getattr(core, owner).__new__(getattr(core, owner))
        try:
            getattr(unmade, method)(**CASES[name]())
            raise AssertionError("an object that was not made was used")
        except TypeError:
            pass
    print(f"END {counts['done']} done, {counts['refused']} refused", flush=True)


if __name__ == "__main__":
    faulthandler.enable()
    main(*sys.argv[1:])
