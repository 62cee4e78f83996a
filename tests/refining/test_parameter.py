"""`refine=` of a technique is `covey.refine` after it, in each stratum on its own."""

from __future__ import annotations

import numpy as np
import pytest

from covey import Partition, protect, refine
from covey.errors import InvalidParameter
from covey.techniques import IAMAT, available

TECHNIQUES = [info.cls for info in available() if "refine" in info.parameters]


@pytest.mark.parametrize("technique", TECHNIQUES)
def test_is_refine_after_the_technique(technique, rng):
    X = rng.lognormal(size=(240, 3))
    plain, refined = technique(k=3).fit(X), technique(k=3, refine=80).fit(X)
    expected = refine(X, plain.partition_, 3, effort=80)
    assert Partition.from_labels(refined.labels_) == expected
    assert refined.il_ < plain.il_
    assert refined.il_ == pytest.approx(expected.il(X))


@pytest.mark.parametrize("value", [-1, "much"])
def test_wrong_values(value, rng):
    with pytest.raises(InvalidParameter, match="refine"):
        IAMAT(k=3, refine=value).fit(rng.normal(size=(9, 2)))


def test_strata_stay_apart_and_progress_is_told(rng):
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(rng.normal(size=(90, 2)), columns=["a", "b"])
    frame["region"] = np.repeat(["north", "south", "west"], 30)
    told = []
    release = protect(
        frame,
        3,
        IAMAT(k=3, refine=200),
        strata=["region"],
        progress=lambda *what: told.append(what),
    )
    released = release.data
    sizes = released.groupby(["region", "a", "b"]).size()
    assert sizes.min() >= 3
    assert (released["region"].to_numpy() == frame["region"].to_numpy()).all()
    assert ("grouping", 90, 90) in told
