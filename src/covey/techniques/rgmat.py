"""RGMAT, a recursive genetic technique."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from covey import core
from covey.core.remainder import means_and_sizes
from covey.parameters import EPOCHS, SHARE, Flag, declared
from covey.techniques.bases import DistanceBased, Driven, Refined, Seeded
from covey.techniques.registry import register
from covey.threads import in_parallel, thread_count
from covey.types import FloatMatrix, IntMatrix, IntVector
from covey.watching import STOP, tell_to_stop

# Leaves are paired with this many nearest leaves, until so many passes bring nothing.
NEIGHBOURS = 16
IDLE_PASSES = 200
QUERIES = 1000  # at a time


@register
@dataclass(eq=False, repr=False)
class RGMAT(Seeded, Refined, Driven, DistanceBased):
    """Recursive Genetic MAT: halve the records, exchange between the halves, recurse.

    A set of 2k or more records is split into the record farthest from its mean with its nearest
    records, and the rest. In epochs of *crossover* a share of each half is paired at random and
    a pair changes places whenever that lowers the SSE. The halves are then split in turn. At
    the leaves (k to 2k − 1 records) *mutation* moves records to better leaves.

    When k divides n every leaf has exactly k records and the paper's mutation can move nobody;
    ``leaf_swaps`` then does what it was meant for.

    Parameters
    ----------
    crossover_rate : float, default=0.7
        Share of each half that is paired in an epoch.
    mutation_rate : float, default=0.3
        Share of the records that mutation, or a pass of leaf swaps, tries to move.
    patience : int, default=20
        Epochs without a gain after which crossover stops; 1 is the paper's literal rule.
    max_epochs : int, default=10000
        Most epochs in one split, and most passes of leaf swaps.
    leaf_swaps : bool, default=True
        Also exchange records between neighbouring leaves; False is the paper.

    Notes
    -----
    *Guarantee*: joint.

    *Complexity*: O(n·d·log n) per epoch over the recursion, O(n·d) per pass of leaf swaps and
    about O(k·n·d) for mutation, as few leaves can spare a record; O(n·d) memory. Branches of the
    recursion run on several threads, with the same result for any number of them.

    References
    ----------
    .. [1] E. Fayyoumi, O. Alhuniti, "Recursive genetic micro-aggregation technique: information
       loss, disclosure risk and scoring index", Data 6(5), 53, 2021. doi:10.3390/data6050053

    Examples
    --------
    >>> from covey.techniques import RGMAT
    >>> RGMAT(k=2).fit_transform([[1.0], [9.0], [2.0], [11.0]])
    array([[ 1.5],
           [10. ],
           [ 1.5],
           [10. ]])
    """

    paper = "Fayyoumi & Alhuniti 2021"
    starts_search = True

    crossover_rate: float = declared(0.7, SHARE)
    mutation_rate: float = declared(0.3, SHARE)
    patience: int = declared(20, EPOCHS)
    max_epochs: int = declared(10_000, EPOCHS)
    leaf_swaps: bool = declared(True, Flag())

    def _partition(self, coordinates: FloatMatrix, k: int) -> IntVector:
        rates = float(self.crossover_rate), float(self.mutation_rate)
        patience, max_epochs = int(self.patience), int(self.max_epochs)
        seed = self._seed()
        labels = core.rgmat(
            coordinates,
            k,
            crossover_rate=rates[0],
            mutation_rate=rates[1],
            patience=patience,
            max_epochs=max_epochs,
            seed=seed,
            threads=thread_count(),
            meter=self._meter,
        )
        if not self.leaf_swaps or labels.max() == 0:
            return labels
        return core.exchange_leaves(
            coordinates,
            labels,
            _nearest_groups(coordinates, labels, self._meter),
            k,
            rate=rates[1],
            patience=IDLE_PASSES,
            max_epochs=max_epochs,
            seed=seed,
            meter=self._meter,
        )


def _nearest_groups(coordinates: FloatMatrix, labels: IntVector, meter: IntVector) -> IntMatrix:
    """The groups nearest to each group (itself among them, or a duplicate of it)."""
    from scipy.spatial import cKDTree

    means, _ = means_and_sizes(coordinates, labels)
    count = min(NEIGHBOURS + 1, means.shape[0])
    tree = cKDTree(means)

    def query(first: int) -> IntMatrix:
        if meter[STOP]:
            raise core.Stopped
        return np.asarray(tree.query(means[first : first + QUERIES], count)[1][:, 1:], np.int64)

    found = in_parallel(query, range(0, len(means), QUERIES), partial(tell_to_stop, meter))
    return np.ascontiguousarray(np.concatenate(found))
