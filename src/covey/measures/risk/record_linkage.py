"""RLD: record linkage from the release to the original."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from covey import core
from covey.core.trees import scan_below
from covey.measures.pairs import Pair, read_pair
from covey.measures.risk.intruder import (
    LinkageRisk,
    embedded,
    over_scenarios,
    warn_if_misaligned,
)
from covey.parameters import OneOf, Whole, require
from covey.threads import thread_count
from covey.types import FloatVector, Progress
from covey.watching import new_meter


def record_linkage(
    original: Any,
    released: Any,
    keys: Sequence[Any] | None = None,
    nearest: int = 2,
    subsets: Any = "all",
    ties: str = "shared",
    nominal: Sequence[Any] = (),
    progress: Progress | None = None,
) -> LinkageRisk:
    """Record linkage (RLD): is a record's original among the nearest to its release?

    For each released record the originals are ranked by Euclidean distance on z-scores by the
    original's SD; the record is linked when its own original is among the first `nearest`. The
    risk is averaged over all subsets of the keys of one size, then over the sizes.

    k records that share a released row can give at most `nearest` links, so the risk of a release
    with groups of k or more is at most 100·nearest / k percent.

    Parameters
    ----------
    original, released : array-like or data frame
        The same records in the same order, in raw units.
    keys : list, optional
        The variables the intruder may know; all if not given.
    nearest : int, default=2
        How many nearest originals count as a link.
    subsets : None, "all", sizes or lists of columns, default="all"
        Which combinations of the keys are tried; None is all keys together.
    ties : {"shared", "linked"}, default="shared"
        When t originals tie for the last place, each counts for its share of it, or all count as
        linked (the literal text of the papers; then the bound can be exceeded).
    nominal : list, optional
        Columns whose numbers are codes of categories.
    progress : callable, optional
        Called with (stage, done, total).

    Examples
    --------
    Three originals are equally near to a release shared by three: two links among three.

    >>> record_linkage([[0.0], [0.0], [0.0]], [[0.0], [0.0], [0.0]]).percent
    66.66666666666666
    """
    require(Whole(1), nearest=nearest)
    require(OneOf(("shared", "linked")), ties=ties)
    pair = read_pair(original, released, keys, nominal)
    groups = pair.classes
    starts = np.concatenate([[0], np.cumsum(groups.sizes)])
    members = np.argsort(groups.labels, kind="stable")

    def link(part: Pair) -> FloatVector:
        originals, rows = embedded(part)
        distinct = rows[members[starts[:-1]]]
        means = scan_below(originals), thread_count(), new_meter()
        return core.link_to_originals(
            originals, distinct, members, starts, int(nearest), ties == "shared", *means
        )

    warn_if_misaligned(pair)
    return over_scenarios(pair, subsets, link, "record linkage", progress)
