"""Individual ranking: every variable on its own."""

from __future__ import annotations

from dataclasses import dataclass

from covey.core.univariate import optimal_labels
from covey.projections import as_line
from covey.technique import Technique
from covey.techniques.registry import register
from covey.types import FloatMatrix, IntVector


@register
@dataclass(eq=False, repr=False)
class IndividualRanking(Technique):
    """Group each variable on its own, optimally: little loss, high risk.

    Each released value is shared by k records, but whole records are not: values of different
    variables are grouped differently, and most released records remain unique. Use it for
    comparison, or when one variable is released at a time.

    Parameters
    ----------
    k : int, default=3
        Smallest group size, in each variable.

    Notes
    -----
    *Guarantee*: **per block** of one variable, never for the joint record (unless there is only
    one variable). A `DisclosureWarning` is raised. ``blocks_`` has the groups of each variable.

    *Complexity*: O(d·n·(log n + min(k, log k))) time, O(n·d) memory.

    References
    ----------
    .. [1] D. Defays, P. Nanopoulos, "Panels of enterprises and confidentiality: the small
       aggregates method", Statistics Canada Symposium 92, 1993.
    .. [2] J. Domingo-Ferrer, J. M. Mateo-Sanz, A. Oganian, V. Torra, À. Torres, "On the security
       of microaggregation with individual ranking: analytical attacks", International Journal of
       Uncertainty, Fuzziness and Knowledge-Based Systems 10(5), 2002.
       doi:10.1142/S0218488502001594

    Examples
    --------
    >>> from covey.techniques import IndividualRanking
    >>> IndividualRanking(k=2).fit_transform([[1.0], [3.0], [10.0], [14.0]])
    array([[ 2.],
           [ 2.],
           [12.],
           [12.]])
    """

    paper = "Defays & Nanopoulos 1993"
    guarantee = "per block"

    def _variable_blocks(self, n_variables: int) -> list[tuple[int, ...]]:
        return [(j,) for j in range(n_variables)]

    def _partition(self, coordinates: FloatMatrix, k: int) -> IntVector:
        return optimal_labels(as_line(coordinates), k)
