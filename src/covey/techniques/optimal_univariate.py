"""Optimal univariate microaggregation."""

from __future__ import annotations

from dataclasses import dataclass

from covey.core.univariate import optimal_labels
from covey.projections import as_line
from covey.techniques.bases import Driven
from covey.techniques.registry import register
from covey.types import FloatMatrix, IntVector


@register
@dataclass(eq=False, repr=False)
class OptimalUnivariate(Driven):
    """The partition of one variable with the least SSE there is.

    Sorted records are cut by a shortest path over all groups of k to 2k − 1 neighbours: for one
    variable no partition, of any kind, has a smaller SSE.

    Parameters
    ----------
    variables : list of one column, optional
        The variable to group by when the table has several. All variables are released.

    Notes
    -----
    *Guarantee*: joint.

    *Complexity*: O(n·log n) for sorting and O(n·min(k, log k)) for the cuts; O(n·d) memory.

    References
    ----------
    .. [1] S. L. Hansen, S. Mukherjee, "A polynomial algorithm for optimal univariate
       microaggregation", IEEE TKDE 15(4), 2003. doi:10.1109/TKDE.2003.1209020

    Examples
    --------
    >>> from covey.techniques import OptimalUnivariate
    >>> OptimalUnivariate(k=2).fit_predict([[1.0], [2.0], [8.0], [9.0], [10.0]])
    array([0, 0, 1, 1, 1])
    """

    paper = "Hansen & Mukherjee 2003"
    by_one_variable = True
    is_distance_based = True

    def _partition(self, coordinates: FloatMatrix, k: int) -> IntVector:
        return optimal_labels(as_line(coordinates), k)
