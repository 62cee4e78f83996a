"""Property: the order of the records changes no measure, ties and duplicates included."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from covey.measures import (
    achieved_k,
    distance_linkage,
    dominance,
    eigenvalues,
    g_il,
    il,
    il1s,
    outlier_linkage,
    per_variable,
    probabilistic_linkage,
    record_linkage,
)
from covey.techniques import MDAV

pytestmark = pytest.mark.filterwarnings("ignore::covey.errors.DisclosureWarning")

MEASURES = [il, g_il, il1s, eigenvalues, per_variable, dominance, record_linkage]
MEASURES += [distance_linkage, probabilistic_linkage, outlier_linkage]


@given(
    arrays(np.float64, (15, 2), elements=st.integers(-4, 4).map(lambda v: v / 10)),
    st.permutations(range(15)),
)
@settings(max_examples=60, deadline=None)
def test_order_of_records_changes_nothing(X, order):
    Y = MDAV(k=3).fit_transform(X)
    order = list(order)
    for measure in MEASURES:
        before, after = measure(X, Y).percent, measure(X[order], Y[order]).percent
        assert after == pytest.approx(before, rel=1e-9, abs=1e-9), measure.__name__
    assert achieved_k(Y[order]) == achieved_k(Y)
