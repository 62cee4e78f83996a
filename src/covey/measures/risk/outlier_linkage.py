"""Outlier linkage: are the most extreme records, who need protection most, linked?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from covey.measures.pairs import read_pair
from covey.measures.risk.distance_linkage import distance_links
from covey.measures.risk.intruder import embedded
from covey.parameters import Number, require


class OutlierRisk(NamedTuple):
    """Linked share of the most extreme records and of all, in percent."""

    percent: float
    everyone: float
    n_outliers: int


def outlier_linkage(
    original: Any,
    released: Any,
    keys: Sequence[Any] | None = None,
    extreme: float = 5.0,
) -> OutlierRisk:
    """Distance linkage of the `extreme` percent of originals farthest from the mean.

    Distances are Euclidean on z-scores. At least one record is looked at; records that tie with
    the last of them are looked at too, so the order of the records does not matter.

    Examples
    --------
    >>> outlier_linkage([[1.0], [2.0], [3.0], [90.0]], [[2.0], [2.0], [2.0], [90.0]],
    ...                 extreme=25).percent
    100.0
    """
    require(Number(0.0, maximum=100.0), extreme=extreme)
    pair = read_pair(original, released, keys)
    links = distance_links(pair)
    distances = np.square(embedded(pair)[0]).sum(axis=1)
    count = max(int(extreme * distances.size / 100), 1)
    cut = np.partition(distances, distances.size - count)[distances.size - count]
    outliers = distances >= cut
    return OutlierRisk(
        100.0 * float(links[outliers].mean()), 100.0 * float(links.mean()), int(outliers.sum())
    )
