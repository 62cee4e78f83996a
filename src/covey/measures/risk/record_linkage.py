"""RLD: record linkage from the release to the original."""

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
    exact: bool = False,
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
    exact : bool, default=False
        Link all records, however long it takes. Otherwise a file that would take more than about
        half a minute is estimated from a random sample of its records (`sampled` in the result).

    Examples
    --------
    Three originals are equally near to a release shared by three: two links among three.

    >>> record_linkage([[0.0], [0.0], [0.0]], [[0.0], [0.0], [0.0]]).percent
    66.66666666666666
    """
    require(Whole(1), nearest=nearest)
    require(OneOf(("shared", "linked")), ties=ties)
    pair = read_pair(original, released, keys, nominal)
    n, groups = pair.original.shape[0], pair.classes
    looked = looked_at(embedded(pair)[0], scenarios(pair.names, subsets), len(pair.names))
    sample = sample_of(n, groups.n_groups * looked, exact=exact)
    records = np.arange(n) if sample is None else sample
    members = records[np.argsort(groups.labels[records], kind="stable")]
    sizes = np.bincount(groups.labels[records], minlength=groups.n_groups)
    starts = np.concatenate([[0], np.cumsum(sizes[sizes > 0])])

    def link(part: Pair) -> FloatVector:
        originals, rows = embedded(part)
        distinct = rows[members[starts[:-1]]]
        means = scan_below(originals), thread_count(), new_meter()
        return core.link_to_originals(
            originals, distinct, members, starts, int(nearest), ties == "shared", *means
        )[records]

    warn_if_misaligned(pair)
    of = None if sample is None else n
    return over_scenarios(pair, subsets, link, "record linkage", progress, of)


RECORD_LINKAGE = Measure(
    name="record_linkage",
    label="record linkage (RLD)",
    meaning=(
        "Released records whose own original is among the two nearest, for an intruder who holds "
        "original values."
    ),
    caveat="whether the finder knows that he is right",
    kind="risk",
    function=record_linkage,
    take=lambda inputs: record_linkage(
        inputs.known, inputs.known, subsets=inputs.subsets, **inputs.linkage
    ),
    needs=(Need.RECORDS, Need.KEYS),
    before=True,
    sampled=True,
    limit=True,
    position=50,
)
