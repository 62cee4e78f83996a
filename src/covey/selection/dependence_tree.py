"""Dependence trees: choose the variables that represent the most others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from covey import parameters
from covey.errors import InvalidParameter
from covey.estimator import Estimator
from covey.parameters import Number, NumberOrWord, OneOf, Whole, declared
from covey.selection.dependence import binned_weights, correlation_weights, freedman_diaconis
from covey.tables.numeric import read_numeric, remember_features
from covey.types import FloatMatrix, FloatVector, IntVector

WORDS = {"emim": "mutual information", "chi2": "χ²", "correlation": "|Pearson r|"}
WIDTH = NumberOrWord(Number(0.0), OneOf(("auto",)))


class Edge(NamedTuple):
    """Two variables, by column number, and how strongly they depend on each other."""

    first: int
    second: int
    weight: float


class Tree(NamedTuple):
    """A spanning tree of the variables; `degrees` counts the edges of each."""

    edges: tuple[Edge, ...]
    degrees: IntVector

    @property
    def weight(self) -> float:
        """Total weight of the edges."""
        return float(sum(edge.weight for edge in self.edges))


@dataclass(eq=False, repr=False)
class DependenceTree(Estimator):
    """EMAD: group by the variables with the most neighbours in the best dependence tree.

    All pairs of variables are weighted by their dependence; the maximum spanning tree is the
    best tree-shaped approximation of the joint distribution (Chow and Liu). Variables with many
    edges stand for many others; they drive the grouping, and all variables are released.

    Parameters
    ----------
    n_variables : int, default=3
        How many variables to choose.
    weight : {"emim", "chi2", "correlation"}, default="emim"
        Expected mutual information or χ² of the binned values, or |Pearson r|.
    width : "auto" or float, default="auto"
        Width of the bins, in the units of the data and the same for all variables; "auto" is
        the Freedman–Diaconis width of each variable. Not used by "correlation".

    Attributes
    ----------
    variables_ : list
        The chosen variables, most edges first: names if the data have names, else column
        numbers. Ties at the cut go to the first columns; `possibilities_` has all choices.
    possibilities_ : list of list
        All choices when several variables tie at the cut, `variables_` first.
    tree_ : Tree
        Edges with weights, and the degree of each variable.

    References
    ----------
    .. [1] B. J. Oommen, E. Fayyoumi, "On utilizing dependence-based information to enhance
       micro-aggregation for secure statistical databases", Springer, 2011.
    .. [2] C. Chow, C. Liu, "Approximating discrete probability distributions with dependence
       trees", IEEE Transactions on Information Theory 14(3), 1968.
       doi:10.1109/TIT.1968.1054142

    Examples
    --------
    Column 1 drives the other two:

    >>> from covey.selection import DependenceTree
    >>> table = [[0, 0, 1], [0, 1, 1], [1, 2, 1], [1, 3, 0], [0, 0, 1], [1, 3, 0]]
    >>> selector = DependenceTree(n_variables=1, width=1).fit(table)
    >>> selector.variables_
    [1]
    >>> [(edge.first, edge.second) for edge in selector.tree_.edges]
    [(0, 1), (1, 2)]
    """

    n_variables: int = declared(3, Whole(1))
    weight: str = declared("emim", OneOf(tuple(WORDS)))
    width: str | float = declared("auto", WIDTH)

    def fit(self, X: Any, y: None = None) -> DependenceTree:
        """Find the best dependence tree of X and choose variables."""
        parameters.check(self.parameters, self.get_params())
        table = read_numeric(X)
        remember_features(self, table)
        d = table.values.shape[1]
        if self.n_variables > d:
            raise InvalidParameter(
                f"n_variables={self.n_variables} is more than the {d} variables of the data."
            )
        self._names = list(table.names or range(d))
        self.tree_ = maximum_spanning_tree(self._weights(table.values))
        self.variables_ = next(self._choices())
        return self

    @property
    def possibilities_(self) -> list[list[Any]]:
        """All choices of variables when several tie at the cut, `variables_` first."""
        return list(self._choices())

    def plot(self, ax: Any = None) -> Any:
        """Draw the tree on matplotlib axes (new ones if not given); chosen variables stand out."""
        from covey.selection.drawing import draw_tree

        chosen = [self._names.index(name) for name in self.variables_]
        title = f"Dependence tree: numbers are {WORDS[self.weight]}, chosen variables are blue"
        return draw_tree(self.tree_, [str(name) for name in self._names], chosen, title, ax)

    def _choices(self) -> Iterator[list[Any]]:
        """Sets of variables with the highest degrees; more than one if some tie at the cut."""
        degrees = self.tree_.degrees
        ranked = sorted(range(degrees.size), key=lambda j: (-degrees[j], j))
        cut = degrees[ranked[self.n_variables - 1]]
        sure = [j for j in ranked if degrees[j] > cut]
        tied = [j for j in ranked if degrees[j] == cut]
        for rest in combinations(tied, self.n_variables - len(sure)):
            yield [self._names[j] for j in (*sure, *rest)]

    def _weights(self, values: FloatMatrix) -> FloatMatrix:
        if self.weight == "correlation":
            if self.width != "auto":
                raise InvalidParameter("width has no effect with weight='correlation'.")
            return correlation_weights(values)
        return binned_weights(values, self._widths(values), self.weight)

    def _widths(self, values: FloatMatrix) -> FloatVector:
        if isinstance(self.width, str):
            return freedman_diaconis(values)
        return np.full(values.shape[1], float(self.width))


def maximum_spanning_tree(weights: FloatMatrix) -> Tree:
    """Kruskal's algorithm, heaviest edges first; equal weights in order of the variables."""
    d = weights.shape[0]
    pairs = sorted(combinations(range(d), 2), key=lambda pair: (-weights[pair], pair))
    component = list(range(d))
    edges: list[Edge] = []
    for i, j in pairs:
        if component[i] != component[j]:
            edges.append(Edge(i, j, float(weights[i, j])))
            old, new = component[j], component[i]
            component = [new if mark == old else mark for mark in component]
    ends = [end for edge in edges for end in (edge.first, edge.second)]
    return Tree(tuple(edges), np.bincount(ends, minlength=d).astype(np.int64))
