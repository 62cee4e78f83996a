"""EGMMAT, a genetic technique over domes."""

from __future__ import annotations

from dataclasses import dataclass

from covey import core
from covey.core.remainder import join_nearest
from covey.core.trees import scan_below
from covey.parameters import EPOCHS, SHARE, Maybe, Whole, declared
from covey.techniques.bases import DistanceBased, Driven, Refined, Seeded
from covey.techniques.registry import register
from covey.threads import thread_count
from covey.types import FloatMatrix, IntVector


@register
@dataclass(eq=False, repr=False)
class EGMMAT(Seeded, Refined, Driven, DistanceBased):
    """Enhanced Genetic Multivariate MAT: random groups in domes, improved by exchanges.

    Records are cut into domes (the record farthest from the mean of the rest, with its nearest
    records) and each dome into random groups of k. Passes of exchanges follow inside each dome,
    then over all records: a share of the records is paired at random and a pair changes places
    whenever that lowers the SSE. The n mod k records left over go to the nearest group.

    Parameters
    ----------
    dome_size : int, optional
        Records in a dome, lowered to a multiple of k, at least 2k. If not given n/k²: [1]_
        reports k² to k³ domes as the best range.
    crossover_rate : float, default=0.7
        Share of the records in a pass, in a first series of passes.
    mutation_rate : float, default=0.3
        The same in a second series.
    patience : int, default=200
        Passes without a gain after which a series ends.
    max_epochs : int, default=10000
        Most passes in one series.

    Notes
    -----
    *Guarantee*: joint.

    *Complexity*: O(n·d) per pass and O(n²·d / dome_size) for the domes; O(n·d) memory. Domes run
    on several threads, with the same result for any number of them. The last passes draw pairs
    from the whole file on one thread, so large files need many of them; prefer RGMAT there.

    References
    ----------
    .. [1] E. Fayyoumi, O. Alhuniti, "Recursive genetic micro-aggregation technique: information
       loss, disclosure risk and scoring index", Data 6(5), 53, 2021, section 2.
       doi:10.3390/data6050053

    Examples
    --------
    >>> from covey.techniques import EGMMAT
    >>> EGMMAT(k=2).fit_transform([[1.0], [9.0], [2.0], [11.0]])
    array([[ 1.5],
           [10. ],
           [ 1.5],
           [10. ]])
    """

    paper = "as described by Fayyoumi & Alhuniti 2021"
    starts_search = True

    dome_size: int | None = declared(None, Maybe(Whole(1)))
    crossover_rate: float = declared(0.7, SHARE)
    mutation_rate: float = declared(0.3, SHARE)
    patience: int = declared(200, EPOCHS)
    max_epochs: int = declared(10_000, EPOCHS)

    def _partition(self, coordinates: FloatMatrix, k: int) -> IntVector:
        dome_size = max((int(self.dome_size or 0) or len(coordinates) // k**2) // k * k, 2 * k)
        threads, meter = thread_count(), self._meter
        labels = core.egmmat(
            coordinates,
            core.domes(coordinates, dome_size, scan_below(coordinates), threads, meter),
            k,
            dome_size,
            crossover_rate=float(self.crossover_rate),
            mutation_rate=float(self.mutation_rate),
            patience=int(self.patience),
            max_epochs=int(self.max_epochs),
            seed=self._seed(),
            threads=threads,
            meter=meter,
        )
        join_nearest(coordinates, labels, 0)
        return labels
