"""The compiled loops: arrays in, arrays out.

The same sources are compiled for any machine and for those with AVX2; both give the same results.
The environment variable COVEY_CORE=baseline asks for the former.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from covey.core import _baseline

_wants_baseline = os.environ.get("COVEY_CORE") == "baseline"

if TYPE_CHECKING or _wants_baseline or not _baseline.runs_avx2():
    from covey.core import _baseline as _loops
else:
    from covey.core import _avx2 as _loops

Search = _loops.Search
Stopped = _loops.Stopped
approximate_neighbours = _loops.approximate_neighbours
count_disclosed = _loops.count_disclosed
count_patterns = _loops.count_patterns
cut_tree_leaves = _loops.cut_tree_leaves
domes = _loops.domes
egmmat = _loops.egmmat
exchange_leaves = _loops.exchange_leaves
group_diversity = _loops.group_diversity
group_means = _loops.group_means
iamat = _loops.iamat
link_by_weight = _loops.link_by_weight
mixture_round = _loops.mixture_round
link_to_originals = _loops.link_to_originals
link_to_released = _loops.link_to_released
mdav = _loops.mdav
mdav_by_diameter = _loops.mdav_by_diameter
median_order = _loops.median_order
optimal_labels = _loops.optimal_labels
price_groups = _loops.price_groups
rgmat = _loops.rgmat
shared_seconds = _loops.shared_seconds
vmdav = _loops.vmdav
windows = _loops.windows
