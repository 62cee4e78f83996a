"""EGMMAT, a genetic technique over domes."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from covey import core
from covey.chance import RANDOM_STATE, draw_seed
from covey.core.remainder import join_nearest
from covey.core.trees import scan_below
from covey.kernels.chance import stream
from covey.kernels.egmmat import shuffle_domes, swap_records
from covey.kernels.swaps import groups_from_labels, with_reaches
from covey.parameters import EPOCHS, SHARE, Maybe, Whole
from covey.technique import REFINE, STANDARDIZE, VARIABLES, K, Technique
from covey.techniques.registry import register
from covey.threads import in_parallel, thread_count
from covey.types import FloatMatrix, IntVector
from covey.watching import add_done, tell_to_stop


@register
class EGMMAT(Technique):
    """Enhanced Genetic Multivariate MAT: random groups in domes, improved by exchanges.

    Records are cut into domes (the record farthest from the mean of the rest, with its nearest
    records) and each dome into random groups of k. Passes of exchanges follow inside each dome,
    then over all records: a share of the records is paired at random and a pair changes places
    whenever that lowers the SSE. The n mod k records left over go to the nearest group.

    Parameters
    ----------
    k : int, default=3
        Smallest group size.
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
    standardize : {"zscore", "range", "none"}, default="zscore"
        How variables are put on one footing before distances are taken.
    variables : list of columns or selector, optional
        The variables that drive the grouping. All variables are released.
    refine : float, optional
        Moves per record of a search that improves the groups afterwards (see `NearOptimal`, whose
        effort this is); not given, the groups are the technique's own.
    random_state : int, RandomState or None, default=0
        The same seed gives the same groups.

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
    parameters = {
        "k": K,
        "dome_size": Maybe(Whole(1)),
        "crossover_rate": SHARE,
        "mutation_rate": SHARE,
        "patience": EPOCHS,
        "max_epochs": EPOCHS,
        "standardize": STANDARDIZE,
        "variables": VARIABLES,
        "refine": REFINE,
        "random_state": RANDOM_STATE,
    }

    def __init__(
        self,
        k: int = 3,
        dome_size: int | None = None,
        crossover_rate: float = 0.7,
        mutation_rate: float = 0.3,
        patience: int = 200,
        max_epochs: int = 10_000,
        standardize: str = "zscore",
        variables: Any = None,
        refine: float | None = None,
        random_state: Any = 0,
    ) -> None:
        self.k = k
        self.dome_size = dome_size
        self.crossover_rate = crossover_rate
        self.mutation_rate = mutation_rate
        self.patience = patience
        self.max_epochs = max_epochs
        self.standardize = standardize
        self.variables = variables
        self.refine = refine
        self.random_state = random_state

    def _partition(self, coordinates: FloatMatrix, k: int) -> IntVector:
        n_records = coordinates.shape[0]
        seed = draw_seed(self.random_state)
        dome_size = max((int(self.dome_size or 0) or n_records // k**2) // k * k, 2 * k)
        means = scan_below(coordinates), thread_count(), self._meter
        order = core.domes(coordinates, dome_size, *means)
        shuffle_domes(order, dome_size, seed)
        # Domes hold multiples of k, so consecutive k records share a dome: random groups.
        grouped = order[: n_records // k * k]
        within = np.arange(grouped.size) // k
        self._exchange(coordinates[grouped], within, dome_size, seed)
        labels = np.full(n_records, -1, dtype=np.int64)
        labels[grouped] = within
        join_nearest(coordinates, labels, 0)
        return labels

    def _exchange(self, points: FloatMatrix, labels: IntVector, dome_size: int, seed: int) -> None:
        """Improve `labels`: inside each dome of consecutive records, then over all of them."""
        n_records = points.shape[0]
        groups = groups_from_labels(points, labels, int(self.k))
        rows = with_reaches(points, groups)
        rates = (float(self.crossover_rate), float(self.mutation_rate))
        limits = (int(self.patience), int(self.max_epochs))
        n_domes = max(n_records // dome_size, 1)

        def swap(dome: int) -> None:
            low = dome * dome_size if dome < n_domes else 0
            high = low + dome_size if dome < n_domes - 1 else n_records
            state = stream(seed + 1, dome)
            swap_records(rows, groups, low, high, rates, *limits, state, self._meter)
            add_done(self._meter, high - low if dome < n_domes else 0)

        in_parallel(swap, range(n_domes), partial(tell_to_stop, self._meter))
        swap(n_domes)
