"""Distance linkage of a sample of originals against a release that lies in parts.

Some originals, the targets, are drawn at random from the whole file; each is compared with **all**
distinct released records, each weighted by how many records share it. Parts are counted on their
own, in any order, and the figure is that of the whole release exactly:

1. the sample is drawn, with the released record of each target;
2. `count_nearer` for every part;
3. `linkage_of_targets` adds the parts up, and states the sampling error.

Points are z-scores by the original's mean and SD, as `distance_linkage` takes them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from covey import core
from covey.core.trees import scan_below
from covey.measures.risk.intruder import LinkageRisk
from covey.measures.risk.sampling import estimate_of
from covey.threads import thread_count
from covey.types import BoolVector, FloatMatrix, IntVector
from covey.watching import new_meter


class Targets(NamedTuple):
    """Originals of a sample as points, and the released record of each."""

    originals: FloatMatrix
    released: FloatMatrix


class Nearer(NamedTuple):
    """Of each target: whether a part has a record nearer than its own, and how many tie with it."""

    closer: BoolVector
    tied: IntVector


def count_nearer(targets: Targets, rows: FloatMatrix, sizes: IntVector) -> Nearer:
    """Compare every target with the distinct released `rows` of a part.

    `sizes` says how many records share each row; a row may occur in several parts.
    """
    n_targets, n_rows = targets.originals.shape[0], rows.shape[0]
    # The own record of a target need not lie in this part: it comes along, and counts for nobody.
    candidates = np.ascontiguousarray(np.vstack([rows, targets.released]))
    weights = np.concatenate([sizes, np.zeros(n_targets, dtype=np.int64)])
    own = np.arange(n_rows, n_rows + n_targets)
    means = scan_below(candidates), thread_count(), new_meter()
    with np.errstate(divide="ignore"):
        originals = np.ascontiguousarray(targets.originals)
        links = core.link_to_released(originals, candidates, weights, own, *means)
        tied = np.where(links > 0, np.rint(1.0 / links), 0.0)
    return Nearer(links == 0, tied.astype(np.int64))


def linkage_of_targets(
    parts: Sequence[Nearer], names: Sequence[str], n_records: int
) -> LinkageRisk:
    """Distance linkage of all keys together, estimated from a sample of `n_records`.

    When t released records tie for the nearest, the link counts 1/t, as in `distance_linkage`.
    """
    closer = np.any([part.closer for part in parts], axis=0)
    tied = np.sum([part.tied for part in parts], axis=0)
    chances = np.where(closer, 0.0, 1.0 / np.maximum(tied, 1))
    percent = 100.0 * float(chances.mean())
    sampled = estimate_of(chances, n_records) if chances.size < n_records else None
    return LinkageRisk(percent, {len(names): percent}, {tuple(names): percent}, sampled)
