"""Outlier linkage: are the most extreme records, who need protection most, linked?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from covey.measures.measure import Measure, Need
from covey.measures.pairs import read_pair
from covey.measures.risk.distance_linkage import distance_links, work_of
from covey.measures.risk.intruder import embedded, over_scenarios, warn_if_misaligned
from covey.measures.risk.sampling import Sampled, sample_of
from covey.parameters import Number, require
from covey.types import Progress


class OutlierRisk(NamedTuple):
    """Linked share of the most extreme records, over scenarios as in `LinkageRisk`."""

    percent: float
    by_size: dict[int, float]
    by_subset: dict[tuple[str, ...], float]
    n_outliers: int
    sampled: Sampled | None = None


def outlier_linkage(
    original: Any,
    released: Any,
    keys: Sequence[Any] | None = None,
    extreme: float = 5.0,
    subsets: Any = None,
    nominal: Sequence[Any] = (),
    progress: Progress | None = None,
    exact: bool = False,
) -> OutlierRisk:
    """Distance linkage of the `extreme` percent of originals farthest from the mean of the keys.

    Distances are Euclidean on z-scores. At least one record is looked at; records that tie with
    the last of them are looked at too, so the order of the records does not matter. `subsets` are
    the combinations of keys that are tried, as in `distance_linkage`; so is `exact`.

    Examples
    --------
    >>> outlier_linkage([[1.0], [2.0], [3.0], [90.0]], [[2.0], [2.0], [2.0], [90.0]],
    ...                 extreme=25).percent
    100.0
    """
    require(Number(0.0, maximum=100.0), extreme=extreme)
    pair = read_pair(original, released, keys, nominal)
    warn_if_misaligned(pair)
    points = embedded(pair)[0]
    if pair.nominal:  # z-scores have their mean at zero, categories do not
        points = points - points.mean(axis=0)
    distances = np.square(points).sum(axis=1)
    count = max(int(extreme * distances.size / 100), 1)
    cut = np.partition(distances, distances.size - count)[distances.size - count]
    outliers = np.flatnonzero(distances >= cut)
    sample = sample_of(outliers.size, outliers.size * work_of(pair, subsets), exact=exact)
    linked = outliers if sample is None else outliers[sample]
    risk = over_scenarios(
        pair,
        subsets,
        lambda part: distance_links(part, among=linked),
        "outlier linkage",
        progress,
        None if sample is None else outliers.size,
    )
    return OutlierRisk(*risk[:3], outliers.size, risk.sampled)


OUTLIER_LINKAGE = Measure(
    name="outlier_linkage",
    label="linkage of the most extreme 5 %",
    meaning="Distance linkage of the most extreme 5 % of the records.",
    caveat="anything about the rest",
    kind="risk",
    function=outlier_linkage,
    take=lambda inputs: outlier_linkage(inputs.known, inputs.known, **inputs.linkage),
    needs=(Need.RECORDS, Need.KEYS),
    before=True,
    sampled=True,
    limit=True,
    position=80,
)
