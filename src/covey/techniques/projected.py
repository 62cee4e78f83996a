"""Projected microaggregation: one number per record, then an optimal partition of the line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from covey import projections
from covey.core.univariate import optimal_labels
from covey.errors import InvalidParameter
from covey.parameters import Maybe, OneOf, Satisfies, Whole, declared
from covey.projections import QUANTIFIERS, as_quantifier, as_weights
from covey.techniques.bases import Driven
from covey.techniques.registry import register
from covey.types import FloatMatrix, FloatVector, IntVector

PROJECTIONS = ("pca", "zscores", "sugeno", "choquet", "owa", "wowa", "variable")

PROJECTION = Satisfies(
    f"a function or one of {', '.join(map(repr, PROJECTIONS))}",
    lambda value: callable(value) or (isinstance(value, str) and value in PROJECTIONS),
)
QUANTIFIER = Satisfies(
    f"a function or one of {', '.join(map(repr, QUANTIFIERS))}",
    lambda value: callable(value) or (isinstance(value, str) and value in QUANTIFIERS),
)
WEIGHTS = Satisfies(
    "None or a list of numbers",
    lambda value: (
        value is None
        or (isinstance(value, Sequence | np.ndarray) and not isinstance(value, str | bytes))
    ),
)

# The parameters that only some projections use, with the value that means "not asked for".
_USED_BY = {
    "scale": ("sd", {"zscores"}),
    "quantifier": ("linear", {"sugeno", "choquet", "wowa"}),
    "weights": (None, {"owa", "wowa"}),
}


@register
@dataclass(eq=False, repr=False)
class Projected(Driven):
    """Sort the records by one number and cut the line optimally.

    Each block of variables is projected to one number per record; the records are sorted by it
    and cut into groups of k to 2k − 1 with the least SSE of that number (provably); every group
    is released as its mean in the variables of the block.

    Parameters
    ----------
    projection : str or callable, default="pca"
        "pca": first principal component of the z-scores. "zscores": their sum. "sugeno",
        "choquet": the integral of the values scaled to 0..1. "owa", "wowa": ordered weighted
        averages of them. "variable": the first variable of the block (or of ``variables``).
        A function from a matrix (n_records, v) to n_records numbers.
    block_size : int, optional
        Number of consecutive variables in a block; a remainder is a block of its own. None puts
        all variables in one block.
    scale : {"sd", "variance"}, default="sd"
        For "zscores": divide by the standard deviation, or by the variance as the text of [1]_
        literally says.
    quantifier : str or callable, default="linear"
        For "sugeno", "choquet" and "wowa": "linear" (Q(x) = x), "square", "root", "most",
        "at least half", or a function.
    weights : list of float, optional
        For "owa": a weight per rank, largest value first. For "wowa": a weight per variable.
    variables : list of columns or selector, optional
        The variables that drive the grouping, with ``block_size=None``. All are released.

    Notes
    -----
    *Guarantee*: joint with one block. With more, **per block**: any k records that agree in one
    block may differ in another, so the whole record is not k-anonymous. ``guarantee_`` says
    which, ``blocks_`` has the groups of each block, and a `DisclosureWarning` is raised.

    *Complexity*: O(n·log n + n·min(k, log k)) time per block, O(n·d) memory.

    References
    ----------
    .. [1] J. Nin, V. Torra, "Modeling projections in microaggregation", IPMU 2008.
    .. [2] S. L. Hansen, S. Mukherjee, "A polynomial algorithm for optimal univariate
       microaggregation", IEEE TKDE 15(4), 2003. doi:10.1109/TKDE.2003.1209020

    Examples
    --------
    >>> from covey.techniques import Projected
    >>> table = [[1.0, 10.0], [9.0, 50.0], [2.0, 20.0], [8.0, 60.0]]
    >>> Projected(k=2, projection="zscores").fit_transform(table)
    array([[ 1.5, 15. ],
           [ 8.5, 55. ],
           [ 1.5, 15. ],
           [ 8.5, 55. ]])
    """

    paper = "Nin & Torra 2008; Hansen & Mukherjee 2003"
    block_parameter = "block_size"

    projection: str | Callable[[FloatMatrix], FloatVector] = declared("pca", PROJECTION)
    block_size: int | None = declared(None, Maybe(Whole(1)))
    scale: str = declared("sd", OneOf(("sd", "variance")))
    quantifier: str | projections.Quantifier = declared("linear", QUANTIFIER)
    weights: Sequence[float] | None = declared(None, WEIGHTS)

    def _check_parameters(self) -> None:
        super()._check_parameters()
        for name, (unused, users) in _USED_BY.items():
            value = getattr(self, name)
            idle = value is None if unused is None else isinstance(value, str) and value == unused
            if not idle and self.projection not in users:
                raise InvalidParameter(
                    f"{name} has an effect only with projection "
                    f"{' or '.join(map(repr, sorted(users)))}; got projection={self.projection!r}."
                )
        if self.block_size is not None and self.variables is not None:
            raise InvalidParameter(
                "variables= chooses what drives one joint grouping; with block_size every block "
                "is driven by its own variables. Give one or the other."
            )

    def _variable_blocks(self, n_variables: int) -> list[tuple[int, ...]]:
        size = self.block_size or n_variables
        return [
            tuple(range(start, min(start + size, n_variables)))
            for start in range(0, n_variables, size)
        ]

    def _partition(self, coordinates: FloatMatrix, k: int) -> IntVector:
        position = np.asarray(self._project(coordinates), dtype=np.float64)
        if position.shape != (coordinates.shape[0],) or not np.isfinite(position).all():
            raise InvalidParameter("projection must return one finite number for each record.")
        return optimal_labels(position, k)

    def _project(self, values: FloatMatrix) -> FloatVector:
        n_variables = values.shape[1]
        if callable(self.projection):
            return self.projection(values)
        if self.projection == "pca":
            return projections.first_component(values)
        if self.projection == "zscores":
            return projections.sum_of_zscores(values, self.scale)
        if self.projection == "variable":
            return projections.first_variable(values)
        if self.projection == "owa":
            return projections.owa(values, as_weights(self.weights, n_variables))
        quantifier = as_quantifier(self.quantifier)
        if self.projection == "sugeno":
            return projections.sugeno(values, quantifier)
        if self.projection == "choquet":
            return projections.choquet(values, quantifier)
        return projections.wowa(values, as_weights(self.weights, n_variables), quantifier)
