"""l-diversity: a group whose members all have the same secret keeps no secret."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from covey.core import group_diversity
from covey.errors import SchemaError
from covey.measures.measure import Measure, Need
from covey.measures.pairs import released_classes
from covey.tables.categories import read_categories
from covey.threads import thread_count
from covey.types import BoolVector, IntVector


class Diversity(NamedTuple):
    """Distinct confidential values in the groups.

    `percent` is the share of records in groups with a single value of some confidential variable:
    it is disclosed without finding anyone. `l` is the smallest number of distinct values in a
    group and `entropy_l` the smallest exp(entropy), both over all variables. `by_variable` has the
    former and `single_by_variable` the share of records in groups with a single value, of each.
    """

    percent: float
    l: int  # noqa: E741  (the name of the concept)
    entropy_l: float
    by_variable: dict[str, int]
    single_by_variable: dict[str, float]


class _Spread(NamedTuple):
    distinct: int
    entropy: float
    single: BoolVector


def l_diversity(released: Any, confidential: Any, keys: Sequence[Any] | None = None) -> Diversity:
    """Distinct values of `confidential` in each class of equal released `keys`.

    Parameters
    ----------
    released : array-like or data frame
        The release; its equal rows are the groups.
    confidential : array-like or data frame
        The confidential variables of the same records in the same order; of any kind.
    keys : list, optional
        Columns of `released` that form the groups; all if not given.

    Examples
    --------
    >>> l_diversity([[2.0], [2.0], [6.0], [6.0]], [["flu"], ["cold"], ["flu"], ["flu"]])[:2]
    (50.0, 1)
    """
    labels = released_classes(released, keys).labels
    secrets = read_categories(confidential)
    n_secrets = {codes.size for codes in secrets.values()}
    if n_secrets != {labels.size}:
        raise SchemaError(
            f"The release has {labels.size} records and the confidential variables "
            f"{', '.join(map(str, sorted(n_secrets)))}."
        )
    spreads = {name: _spread(labels, codes) for name, codes in secrets.items()}
    alone = np.any([spread.single[labels] for spread in spreads.values()], axis=0)
    return Diversity(
        100.0 * float(alone.mean()),
        min(spread.distinct for spread in spreads.values()),
        min(spread.entropy for spread in spreads.values()),
        {name: spread.distinct for name, spread in spreads.items()},
        {name: 100.0 * float(spread.single[labels].mean()) for name, spread in spreads.items()},
    )


def _spread(labels: IntVector, codes: IntVector) -> _Spread:
    distinct, entropy = group_diversity(labels, codes, int(labels.max()) + 1, thread_count())
    return _Spread(int(distinct.min()), float(np.exp(entropy.min())), distinct == 1)


L_DIVERSITY = Measure(
    name="l_diversity",
    label="records in groups with one secret",
    meaning="Records in groups that share a single value of a confidential variable.",
    caveat="whether secrets that differ mean the same",
    kind="risk",
    function=l_diversity,
    take=lambda inputs: l_diversity(inputs.known, inputs.confidential),
    needs=(Need.GROUPS, Need.KEYS, Need.CONFIDENTIAL),
    limit=True,
    position=100,
)
