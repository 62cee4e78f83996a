"""RGMAT, a recursive genetic technique."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from covey import core
from covey.chance import RANDOM_STATE, draw_seed
from covey.core.remainder import means_and_sizes
from covey.parameters import EPOCHS, SHARE, Flag
from covey.technique import REFINE, STANDARDIZE, VARIABLES, K, Technique
from covey.techniques.registry import register
from covey.threads import in_parallel, thread_count
from covey.types import FloatMatrix, IntMatrix, IntVector
from covey.watching import STOP, tell_to_stop

# Leaves are paired with this many nearest leaves, until so many passes bring nothing.
NEIGHBOURS = 16
IDLE_PASSES = 200
QUERIES = 1000  # at a time


@register
class RGMAT(Technique):
    """Recursive Genetic MAT: halve the records, exchange between the halves, recurse.

    A set of 2k or more records is split into the record farthest from its mean with its nearest
    records, and the rest. In epochs of *crossover* a share of each half is paired at random and
    a pair changes places whenever that lowers the SSE. The halves are then split in turn. At
    the leaves (k to 2k − 1 records) *mutation* moves records to better leaves.

    When k divides n every leaf has exactly k records and the paper's mutation can move nobody;
    ``leaf_swaps`` then does what it was meant for.

    Parameters
    ----------
    k : int, default=3
        Smallest group size.
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
    standardize : {"zscore", "range", "none"}, default="zscore"
        How variables are put on one footing before distances are taken.
    variables : list of columns or selector, optional
        The variables that drive the grouping. All variables are released.
    refine : float or "windows", optional
        How the groups are improved afterwards: by a search of the given number of moves per record
        (see `NearOptimal`, whose effort this is), or by "windows", best exchanges and relocations
        inside small windows of the space, which take about as long as the groups themselves. Not
        given, the groups are the technique's own.
    random_state : int, RandomState or None, default=0
        The same seed gives the same groups.

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
    parameters = {
        "k": K,
        "crossover_rate": SHARE,
        "mutation_rate": SHARE,
        "patience": EPOCHS,
        "max_epochs": EPOCHS,
        "leaf_swaps": Flag(),
        "standardize": STANDARDIZE,
        "variables": VARIABLES,
        "refine": REFINE,
        "random_state": RANDOM_STATE,
    }

    def __init__(
        self,
        k: int = 3,
        crossover_rate: float = 0.7,
        mutation_rate: float = 0.3,
        patience: int = 20,
        max_epochs: int = 10_000,
        leaf_swaps: bool = True,
        standardize: str = "zscore",
        variables: Any = None,
        refine: float | str | None = None,
        random_state: Any = 0,
    ) -> None:
        self.k = k
        self.crossover_rate = crossover_rate
        self.mutation_rate = mutation_rate
        self.patience = patience
        self.max_epochs = max_epochs
        self.leaf_swaps = leaf_swaps
        self.standardize = standardize
        self.variables = variables
        self.refine = refine
        self.random_state = random_state

    def _partition(self, coordinates: FloatMatrix, k: int) -> IntVector:
        rates = float(self.crossover_rate), float(self.mutation_rate)
        patience, max_epochs = int(self.patience), int(self.max_epochs)
        seed = draw_seed(self.random_state)
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
