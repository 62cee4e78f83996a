"""Random tables and requests for the property tests."""

from __future__ import annotations

import datetime as dt
from typing import Any, NamedTuple

import pyarrow as pa
from hypothesis import strategies as st

LEVELS = ["low", "middle", "high", "top"]
JOINT = ("auto", "mdav", "vmdav", "iamat", "rgmat", "egmmat", "projected", "optimalunivariate")
QUICK = {"patience": 2, "max_epochs": 10}

VALUES = {
    "measurements": st.floats(-1e6, 1e6, allow_nan=False).map(lambda value: round(value, 6)),
    "few measurements": st.sampled_from([-1.5, -0.0, 0.0, 0.1, 2.25]),
    "huge measurements": st.floats(-1e300, 1e300, allow_nan=False),
    "whole": st.integers(-1000, 1000),
    "few whole": st.integers(0, 2),
    "large whole": st.integers(-(2**53), 2**53),
    "constant": st.just(7.3),
    "nothing": st.none(),
    "words": st.sampled_from(["a", "b", "c"]),
    "any words": st.text("xyz ,\"'\nä", max_size=2),
    "truth": st.booleans(),
    "days": st.dates(dt.date(1900, 1, 1), dt.date(2100, 1, 1)),
    "moments": st.datetimes(dt.datetime(1900, 1, 1), dt.datetime(2100, 1, 1)),
    "levels": st.sampled_from(LEVELS),
    "ranks": st.integers(1, 5),
    "categories": st.sampled_from(["u", "v", "w"]),
}
NUMBERS = ("measurements", "few measurements", "huge measurements", "whole", "few whole")
NUMBERS = (*NUMBERS, "large whole", "constant")


class Request(NamedTuple):
    """A table, what is asked of it, and what its columns hold."""

    table: pa.Table
    asked: dict[str, Any]
    holds: dict[str, str]

    @property
    def keys(self) -> list[str]:
        return [*self.holds, *self.asked["strata"]]


@st.composite
def columns(draw, holds: str, n: int, gaps: bool) -> pa.Array:
    value = VALUES[holds]
    value = st.one_of(value, value, value, st.none()) if gaps else value
    values = draw(st.lists(value, min_size=n, max_size=n))
    if holds == "categories":
        return pa.array(values, pa.string()).dictionary_encode()
    return pa.array(values)


@st.composite
def requests(draw, least: int = 1, most: int = 40, without: tuple[str, ...] = ()) -> Request:
    n = draw(st.integers(least, most))
    gaps = draw(st.booleans())
    wanted = sorted(set(VALUES) - set(without))
    kinds = draw(st.lists(st.sampled_from(wanted), min_size=1, max_size=4))
    holds = {f"q{j} {kind}": kind for j, kind in enumerate(kinds)}
    table = {name: draw(columns(kind, n, gaps)) for name, kind in holds.items()}
    if draw(st.booleans()):
        first = next(iter(table))
        table["the same again"], holds["the same again"] = table[first], holds[first]
    strata = draw(st.lists(st.sampled_from(["few whole", "words", "truth"]), max_size=2))
    strata = {f"s{j}": kind for j, kind in enumerate(strata)}
    table |= {name: draw(columns(kind, n, gaps)) for name, kind in strata.items()}
    table["person"] = pa.array([f"P{i}" for i in range(n)])
    if draw(st.booleans()):
        table["secret"] = draw(columns("words", n, gaps))
    weighted = draw(st.booleans())
    if weighted:
        weights = draw(st.lists(st.floats(0.01, 1000.0), min_size=n, max_size=n))
        table["w"] = pa.array(weights)
    k = draw(st.integers(2, 6))
    technique = draw(st.sampled_from(JOINT))
    quick = QUICK if technique in ("rgmat", "egmmat") else {}
    alone = technique == "optimalunivariate"
    asked = {
        "k": k,
        "technique": technique,
        "parameters": {"variables": [draw(st.sampled_from(list(holds)))]} if alone else quick,
        "identifiers": ["person"],
        "confidential": ["secret"] if "secret" in table else [],
        "strata": list(strata),
        "weight": "w" if weighted else None,
        "missing": draw(st.sampled_from(["group", "group", "pattern", "error"])),
        "min_contributors": draw(st.one_of(st.none(), st.integers(1, k))),
        "small_strata": draw(st.sampled_from(["error", "merge", "suppress"])),
        "ordinal": {
            name: LEVELS if kind == "levels" else []
            for name, kind in holds.items()
            if kind in ("levels", "ranks")
        },
        "nominal": [name for name, kind in holds.items() if kind == "any words"],
        "integers": draw(st.booleans()),
        "importance": draw(st.dictionaries(st.sampled_from(list(holds)), st.floats(0.0, 10.0))),
    }
    order = draw(st.permutations(list(table)))
    return Request(pa.table({name: table[name] for name in order}), asked, holds)
