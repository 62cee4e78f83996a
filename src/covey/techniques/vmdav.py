"""V-MDAV, MDAV with groups of variable size."""

from __future__ import annotations

from dataclasses import dataclass

from covey import core
from covey.core.remainder import join_nearest
from covey.core.trees import scan_below
from covey.parameters import Number, declared
from covey.techniques.bases import DistanceBased, Driven, Refined
from covey.techniques.registry import register
from covey.threads import thread_count
from covey.types import FloatMatrix, IntVector


@register
@dataclass(eq=False, repr=False)
class VMDAV(Refined, Driven, DistanceBased):
    """Variable-size MDAV: groups of k that take in up to k − 1 more records close by.

    The record farthest from the mean of all records forms a group with its k − 1 nearest. The
    unassigned record nearest to any member then joins while its distance to that member is
    below gamma times its distance to its nearest other unassigned record. A rest of fewer than
    k records goes, each record, to the nearest group.

    Parameters
    ----------
    k : int, default=3
        Smallest group size; a group is extended to at most 2k − 1 records.
    gamma : float, default=0.2
        How much closer a record must be to the group than to other records to join it. 0.2
        suits scattered data, 1.1 clustered data; 0 never extends.

    Notes
    -----
    *Guarantee*: joint.

    *Complexity*: O(n²·d) time by a plain scan; with an index, which is used where it pays and gives
    the same labels, much less on large files. O(n·d) memory.

    References
    ----------
    .. [1] A. Solanas, A. Martínez-Ballesté, "V-MDAV: a multivariate microaggregation with
       variable group size", COMPSTAT 2006.

    Examples
    --------
    Two clusters of three records are found whole, where fixed groups of two would split them:

    >>> from covey.techniques import VMDAV
    >>> VMDAV(k=2, gamma=1.1).fit_predict([[0.0], [1.0], [2.0], [90.0], [91.0], [92.0]])
    array([0, 0, 0, 1, 1, 1])
    """

    paper = "Solanas & Martínez-Ballesté 2006"
    starts_search = True
    is_quick = True

    gamma: float = declared(0.2, Number(0.0, closed=True))

    def _partition(self, coordinates: FloatMatrix, k: int) -> IntVector:
        means = scan_below(coordinates), thread_count(), self._meter
        labels = core.vmdav(coordinates, k, float(self.gamma), *means)
        join_nearest(coordinates, labels, 0)
        return labels
