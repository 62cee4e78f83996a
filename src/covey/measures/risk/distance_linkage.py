"""DLD: distance linkage from the original to the release."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from covey import core
from covey.core.trees import scan_below
from covey.measures.measure import Measure, Need
from covey.measures.pairs import Pair, read_pair
from covey.measures.risk.intruder import (
    LinkageRisk,
    embedded,
    over_scenarios,
    scenarios,
    warn_if_misaligned,
)
from covey.measures.risk.sampling import looked_at, sample_of
from covey.parameters import OneOf, require
from covey.threads import thread_count
from covey.types import FloatMatrix, FloatVector, IntVector, Progress
from covey.watching import new_meter


def distance_linkage(
    original: Any,
    released: Any,
    keys: Sequence[Any] | None = None,
    metric: str = "euclidean",
    subsets: Any = None,
    nominal: Sequence[Any] = (),
    progress: Progress | None = None,
    exact: bool = False,
) -> LinkageRisk:
    """Distance linkage (DLD): is the released record nearest to an original its own?

    When t released records tie for the nearest, the link counts 1/t: whoever picks one of them
    at random is right that often, and the order of the records does not matter.

    Parameters
    ----------
    original, released : array-like or data frame
        The same records in the same order, in raw units.
    keys : list, optional
        The variables the intruder knows; all if not given.
    metric : {"euclidean", "mahalanobis"}, default="euclidean"
        Euclidean on z-scores by the original's SD, or Mahalanobis by the original's covariances
        (directions in which the original does not vary are left out).
    subsets : None, "all", sizes or lists of columns, optional
        Which combinations of the keys are tried; None is all keys together.
    nominal : list, optional
        Columns whose numbers are codes of categories.
    progress : callable, optional
        Called with (stage, done, total).
    exact : bool, default=False
        Link all records, however long it takes. Otherwise a file that would take more than about
        half a minute is estimated from a random sample of its records (`sampled` in the result).

    Examples
    --------
    Each original is nearest to its own pair, and either of the two may be picked:

    >>> distance_linkage([[1.0], [3.0], [5.0], [7.0]], [[2.0], [2.0], [6.0], [6.0]]).percent
    50.0
    """
    require(OneOf(("euclidean", "mahalanobis")), metric=metric)
    pair = read_pair(original, released, keys, nominal)
    warn_if_misaligned(pair)
    n = pair.original.shape[0]
    sample = sample_of(n, n * work_of(pair, subsets), exact=exact)
    return over_scenarios(
        pair,
        subsets,
        lambda part: distance_links(part, metric, sample),
        "distance linkage",
        progress,
        None if sample is None else n,
    )


def work_of(pair: Pair, subsets: Any = None) -> float:
    """What finding the nearest released record to one original takes, over all scenarios."""
    candidates = embedded(pair)[1][pair.first_of_class]
    return looked_at(candidates, scenarios(pair.names, subsets), len(pair.names))


def distance_links(
    pair: Pair, metric: str = "euclidean", among: IntVector | None = None
) -> FloatVector:
    """Chance of a link for each record, or for those in `among` alone."""
    if metric != "euclidean":
        return _links(pair, metric, among)
    if among is None:
        return pair.once("distance links", lambda: _links(pair, metric))
    known = pair.computed("distance links")
    return _links(pair, metric, among) if known is None else known[among]


def _links(pair: Pair, metric: str, among: IntVector | None = None) -> FloatVector:
    originals, rows = embedded(pair)
    if metric == "mahalanobis":
        turn = _whitening(originals)
        originals, rows = originals @ turn, rows @ turn
    groups = pair.classes
    distinct = np.ascontiguousarray(rows[pair.first_of_class])
    targets, own = originals, groups.labels
    if among is not None:
        targets, own = originals[among], groups.labels[among]
    means = scan_below(distinct), thread_count(), new_meter()
    return core.link_to_released(targets, distinct, groups.sizes, own, *means)


def _whitening(points: FloatMatrix) -> FloatMatrix:
    """Matrix after which Euclidean distance is Mahalanobis distance."""
    centred = points - points.mean(axis=0)
    values, vectors = np.linalg.eigh(centred.T @ centred / len(points))
    kept = values > 1e-12 * max(float(values[-1]), 1e-300)
    if not kept.any():
        return np.zeros((points.shape[1], 1))
    return np.asarray(vectors[:, kept] / np.sqrt(values[kept]))


DISTANCE_LINKAGE = Measure(
    name="distance_linkage",
    label="distance linkage (DLD)",
    meaning="Originals that are nearest to their own released record, ties shared.",
    caveat="what is learnt: all k of a group are equal",
    kind="risk",
    function=distance_linkage,
    take=lambda inputs: distance_linkage(inputs.known, inputs.known, **inputs.linkage),
    needs=(Need.RECORDS, Need.KEYS),
    before=True,
    sampled=True,
    limit=True,
    position=60,
)
