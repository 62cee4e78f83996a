"""Request number i: a table, what is asked of it, where it is and where the release goes."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from tests.attack.columns import KINDS, NOMINAL, RARE, Draw, with_gaps
from tests.attack.variants import technique
from tests.release.random_tables import LEVELS

FRAMES = ("pyarrow", "chunks", "pandas", "nullable", "arrow in pandas", "objects", "polars")
# How often, beside each other: what takes long is rare.
FILES = {"parquet": 8, "csv": 8, "sqlite": 6, "duckdb": 2}
# Only kinds that give the same values back are put into these.
LOSSY = ("csv", "duckdb", "sqlite")
OUT = {"memory": 20, "csv": 6, "parquet": 4, "arrow": 2, "sqlite": 4, "duckdb": 1}
STREAMED = {"parquet": 6, "folder/": 2, "sqlite": 1, "duckdb": 1}
COMMON = [name for name in KINDS if name not in RARE]
NAMES = (
    "age",
    "a b",
    "Größe",
    'q"uote',
    "x,y",
    "select",
    "AGE",
    "it's",
    "`x`",
    "covey",
    "1",
    "n\t",
)


class Request(NamedTuple):
    """What is asked of a table; `kinds` are those of the quasi-identifiers.

    `place` is what the original is in, `out` what the release goes to. With `cut` everything is
    taken in blocks and chunks of so many records.
    """

    number: int
    table: pa.Table
    asked: dict[str, Any]
    kinds: dict[str, str]
    place: str
    out: str
    streamed: bool
    cut: int | None

    @property
    def k(self) -> int:
        return int(self.asked["k"])

    @property
    def contributors(self) -> int:
        """Known values that must stand behind a released one."""
        given = self.asked["min_contributors"]
        return min(3, self.k) if given is None else int(given)

    @property
    def averaged_weights(self) -> list[str]:
        """Weights of which every record is given the mean of its group."""
        joint = len(self.blocks) == 1
        return [name for name in self.asked["weight"] if joint and name not in self.asked["keep"]]

    @property
    def sorts(self) -> dict[str, str]:
        return {name: KINDS[kind].sort for name, kind in self.kinds.items()}

    @property
    def blocks(self) -> list[list[str]]:
        """The quasi-identifiers that share groups, in the order of the table."""
        names = [name for name in self.table.column_names if name in self.kinds]
        size = len(names)
        if self.asked["technique"] == "individualranking":
            size = 1
        elif self.asked["technique"] == "projected":
            size = self.asked["parameters"].get("block_size") or size
        return [names[first : first + size] for first in range(0, len(names), size)]


def request(number: int) -> Request:
    """The table with a number, from that number alone."""
    draw = np.random.default_rng([15, number])
    streamed = bool(draw.random() < 0.08)
    cut = int(draw.integers(3, 40)) if streamed or draw.random() < 0.1 else None
    place = str(draw.choice(FRAMES)) if draw.random() < 0.75 else _by_weight(draw, FILES)
    n = _size(draw, cut)
    columns = _Columns(draw, n, place)
    kinds = columns.quasi_identifiers()
    roles = columns.roles()
    k = _group_size(draw, n)
    name, parameters = technique(draw, list(kinds), cut is not None)
    asked = {
        "k": k,
        "technique": name,
        "parameters": parameters,
        **roles,
        **_rules(draw, k, list(kinds)),
        **_kinds_asked(draw, kinds),
        **({} if cut is None else {"block_size": max(2, cut)}),
    }
    if draw.random() < 0.3:
        asked["quasi_identifiers"] = list(kinds)
    order = draw.permutation(len(columns.made))
    table = pa.table({list(columns.made)[i]: list(columns.made.values())[i] for i in order})
    out = _by_weight(draw, STREAMED if streamed else OUT)
    return Request(number, table, asked, kinds, place, out, streamed, cut)


def _size(draw: Draw, cut: int | None) -> int:
    if cut is not None:
        return int(draw.integers(30, 200))
    low, high = [(1, 8), (6, 30), (20, 60), (60, 200)][draw.choice(4, p=[0.1, 0.5, 0.33, 0.07])]
    return int(draw.integers(low, high))


def _group_size(draw: Draw, n: int) -> int:
    """Mostly a few, sometimes as many as there are or more."""
    if draw.random() < 0.06:
        return int(max(2, n + draw.integers(-2, 4)))
    return int(draw.integers(2, 7) if n > 12 else draw.integers(2, 4))


def _rules(draw: Draw, k: int, names: list[str]) -> dict[str, Any]:
    return {
        "missing": str(draw.choice(["group", "pattern", "error"], p=[0.75, 0.2, 0.05])),
        "min_contributors": None if draw.random() < 0.6 else int(draw.integers(1, k + 1)),
        "small_strata": str(draw.choice(["error", "merge", "suppress"], p=[0.2, 0.4, 0.4])),
        "importance": {
            name: float(draw.choice([0.0, 1e-300, 1e-9, 0.5, 3.0, 1e9]))
            for name in names
            if draw.random() < 0.05
        },
    }


def _kinds_asked(draw: Draw, kinds: dict[str, str]) -> dict[str, Any]:
    """What has to be said about kinds, and sometimes that whole numbers stay whole."""
    ordinal = {
        name: LEVELS if kind == "levels" else []
        for name, kind in kinds.items()
        if kind == "levels" or KINDS[kind].sort == "rank"
    }
    whole = [name for name, kind in kinds.items() if kind.startswith(("int", "uint"))]
    some = [name for name in whole if draw.random() < 0.5]
    return {
        "ordinal": ordinal,
        "nominal": [name for name, kind in kinds.items() if kind in NOMINAL],
        "integers": [False, False, True, some][draw.integers(4)],
    }


def _by_weight(draw: Draw, choices: dict[str, int]) -> str:
    weights = np.array(list(choices.values()))
    return str(draw.choice(list(choices), p=weights / weights.sum()))


class _Columns:
    """The columns of one table, made one after the other."""

    def __init__(self, draw: Draw, n: int, place: str) -> None:
        self.draw, self.n = draw, n
        self.made: dict[str, pa.Array] = {}
        self.names = [NAMES[i] for i in draw.permutation(len(NAMES))]
        self.has_odd_names = draw.random() < 0.15
        self.is_lossy = place in LOSSY
        self.usable = [name for name in COMMON if KINDS[name].is_plain or not self.is_lossy]
        # Most tables have few gaps, some hardly anything else.
        self.gaps = float(draw.choice([0.0, 0.1, 0.3, 0.6, 0.95], p=[0.5, 0.25, 0.15, 0.06, 0.04]))

    def add(self, name: str, column: pa.Array, gaps: float = 0.0) -> str:
        name = self.names.pop() if self.has_odd_names and self.names else name
        self.made[name] = with_gaps(column, self.draw, gaps)
        return name

    def _some(self, kinds: list[str]) -> str:
        return str(kinds[self.draw.integers(len(kinds))])

    def _share(self) -> float:
        return self.gaps * float(self.draw.choice([0.0, 0.5, 1.0]))

    def quasi_identifiers(self) -> dict[str, str]:
        found = {}
        for j in range(int(self.draw.integers(1, 6))):
            rare = self.draw.random() < 0.015
            kind = self._some(sorted(RARE)) if rare else self._some(self.usable)
            tied = self.draw.random() < 0.15
            column = self._few(kind) if tied else KINDS[kind].make(self.draw, self.n)
            found[self.add(f"q{j} {kind}", column, self._share())] = kind
        return found

    def roles(self) -> dict[str, Any]:
        """Columns of all other roles, and what they are for."""
        draw = self.draw
        identifiers = [self.add("person", pa.array([f"P{i}" for i in range(self.n)]))]
        strata = [
            self.add(f"stratum {j}", self._stratum(), self._share() / 3)
            for j in range(int(draw.choice(3, p=[0.6, 0.3, 0.1])))
        ]
        odd = [] if self.is_lossy else sorted(RARE - {"names"})
        as_they_are = [*self.usable, *odd]
        kept: dict[str, list[str]] = {"keep": [], "confidential": []}
        for role in kept:
            if draw.random() < 0.3:
                column = KINDS[self._some(as_they_are)].make(draw, self.n)
                kept[role] = [self.add(f"{role} 0", column, self._share())]
        several = int(draw.choice([0, 1, 2], p=[0.75, 0.2, 0.05]))
        weights = [self.add(f"weight {j}", self._weights()) for j in range(several)]
        kept["keep"] += [name for name in weights if draw.random() < 0.1]
        return {"identifiers": identifiers, "strata": strata, "weight": weights, **kept}

    def _few(self, kind: str) -> pa.Array:
        """A column of any kind with massive ties."""
        values = KINDS[kind].make(self.draw, int(self.draw.integers(1, 4)))
        if pa.types.is_string_view(values.type):
            return KINDS[kind].make(self.draw, self.n)
        return values.take(pa.array(self.draw.integers(0, len(values), self.n)))

    def _stratum(self) -> pa.Array:
        return self._few(self._some(self.usable))

    def _weights(self) -> pa.Array:
        """Weights of all sizes; few are zero, negative or not there, and then refused."""
        draw = self.draw
        values = draw.lognormal(0, float(draw.choice([0.0, 1.0, 5.0])), self.n)
        if draw.random() < 0.08:
            values[draw.integers(self.n)] = draw.choice([0.0, -1.0, -0.0, np.nan, np.inf])
        if draw.random() < 0.1:
            values = values * float(draw.choice([1e-300, 1e290, 5e-324]))
        whole = draw.random() < 0.2 and (np.abs(values) < 1e15).all()
        return pa.array(np.ceil(values).astype(np.int64)) if whole else pa.array(values)
