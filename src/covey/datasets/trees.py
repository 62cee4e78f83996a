"""Data whose variables depend on each other along a known tree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from covey.errors import InvalidParameter
from covey.parameters import Maybe, Whole, require
from covey.types import FloatMatrix, IntVector


class TreeData(NamedTuple):
    """Records, and the edges (first < second, column numbers) of the tree they come from."""

    X: FloatMatrix
    edges: frozenset[tuple[int, int]]


# Six binary variables (Oommen and Fayyoumi 2011, Tables 2 and 3). For each variable its parent
# and the probability of 0 given that the parent is 0, and given that it is 1.
_BINARY: Mapping[str, Sequence[tuple[int | None, float, float]]] = {
    "siblings related": (
        (None, 0.40, 0.40),
        (0, 0.30, 0.10),
        (0, 0.70, 0.90),
        (0, 0.20, 0.60),
        (2, 0.80, 0.40),
        (2, 0.15, 0.76),
    ),
    "siblings unrelated": (
        (None, 0.40, 0.40),
        (0, 0.30, 0.10),
        (0, 0.60, 0.70),
        (0, 0.20, 0.60),
        (2, 0.40, 0.50),
        (2, 0.15, 0.76),
    ),
}


def make_dependence_tree(
    n: int = 5000,
    tree: str | int | Sequence[int | None] = 8,
    random_state: Any = 0,
    intervals: int | None = None,
) -> TreeData:
    """Records drawn from a tree of dependent variables.

    Parameters
    ----------
    n : int, default=5000
        Number of records.
    tree : int, list or str, default=8
        A number of variables: a random tree over them, each variable hanging from one of those
        before it. A list with the parent of each variable (None for the root; a parent comes
        before its children): that tree. "siblings related" or "siblings unrelated": the two
        sets of six binary variables of Oommen and Fayyoumi.
    random_state : int or None, default=0
        Seed.
    intervals : int, optional
        Sub-intervals of 1..1000 that a value can fall into, 10 if not given; within one it is
        uniform. Their probabilities, conditional on the parent's sub-interval, are drawn at
        random. Not for the binary sets.

    Examples
    --------
    >>> make_dependence_tree(100, tree=[None, 0, 0, 2]).edges == {(0, 1), (0, 2), (2, 3)}
    True
    """
    require(Whole(1), n=n)
    require(Maybe(Whole(2, maximum=1000)), intervals=intervals)
    rng = np.random.default_rng(random_state)
    if isinstance(tree, str):
        return _binary(n, tree, intervals, rng)
    parents = _random_parents(tree, rng) if Whole(1).allows(tree) else _checked(tree)
    count = 10 if intervals is None else int(intervals)
    tables = [rng.dirichlet(np.ones(count), size=count) for _ in parents]
    return _as_data(_inside_intervals(_draw_codes(n, parents, tables, rng), count, rng), parents)


def _binary(n: int, name: str, intervals: int | None, rng: np.random.Generator) -> TreeData:
    if name not in _BINARY or intervals is not None:
        raise InvalidParameter(
            "tree must be a number, a list of parents or, without intervals, one of "
            f"{', '.join(map(repr, _BINARY))}; got {name!r}."
        )
    parents = [parent for parent, _, _ in _BINARY[name]]
    tables = [np.array([[a, 1 - a], [b, 1 - b]]) for _, a, b in _BINARY[name]]
    return _as_data(_draw_codes(n, parents, tables, rng).astype(np.float64), parents)


def _as_data(values: FloatMatrix, parents: Sequence[int | None]) -> TreeData:
    edges = ((parent, j) for j, parent in enumerate(parents) if parent is not None)
    return TreeData(values, frozenset(edges))


def _draw_codes(
    n: int,
    parents: Sequence[int | None],
    tables: Sequence[NDArray[np.float64]],
    rng: np.random.Generator,
) -> IntVector:
    codes = np.zeros((n, len(parents)), dtype=np.int64)
    for j, (parent, table) in enumerate(zip(parents, tables, strict=True)):
        given = codes[:, parent] if parent is not None else np.zeros(n, dtype=np.int64)
        reached = np.cumsum(table, axis=1)[given][:, :-1]
        codes[:, j] = (rng.random(n)[:, None] >= reached).sum(axis=1)
    return codes


def _inside_intervals(codes: IntVector, intervals: int, rng: np.random.Generator) -> FloatMatrix:
    width = 1000 // intervals
    return (codes * width + rng.integers(1, width + 1, codes.shape)).astype(np.float64)


def _random_parents(n_variables: Any, rng: np.random.Generator) -> list[int | None]:
    return [None, *(int(rng.integers(0, j)) for j in range(1, int(n_variables)))]


def _checked(parents: Any) -> list[int | None]:
    if not isinstance(parents, Sequence):
        raise InvalidParameter(f"tree must be a number or a list of parents; got {parents!r}.")
    for j, parent in enumerate(parents):
        if (parent is None) != (j == 0) or (parent is not None and not 0 <= parent < j):
            raise InvalidParameter(
                "tree must list None for the first variable and, for every other, the number of "
                f"a variable before it as its parent; got {list(parents)!r}."
            )
    return list(parents)
