"""Strata never change category: the share that did is that of the nominal quasi-identifiers."""

import json

import numpy as np
import pandas as pd
import pytest

import covey
from covey.errors import InvalidParameter
from covey.release.describing.internal import internal_content
from covey.release.describing.summary_lines import release_figures, release_lines


def survey(*, small=False):
    rng = np.random.default_rng(3)
    region = np.repeat(["north", "south", "east"], 40)
    if small:
        region[:2] = "isle"
    return pd.DataFrame(
        {
            "country": "AT",
            "region": region,
            "sex": rng.choice(["f", "m"], 120),
            "job": rng.choice(["a", "b", "c", "d"], 120),
            "age": rng.integers(18, 90, 120),
        }
    )


def shares(original, released, names=("sex", "job")):
    return [100 * (original[name] != released[name]).mean() for name in names]


STRATA = {"strata": ["country", "region"], "small_strata": "merge"}


@pytest.mark.parametrize("small", [False, True], ids=["as they were", "merged"])
def test_one_figure_everywhere(small):
    data = survey(small=small)
    release = covey.protect(data, 4, "mdav", **STRATA)
    assert bool(release.merged) == small
    true = np.mean(shares(data, release.data))
    figure = f"categories changed {true:.2f} %"
    assert true > 1
    assert release.evaluation.categories.percent == pytest.approx(true)
    assert figure in release_lines(release, "survey")["loss"]
    stored = json.loads(json.dumps(release_figures(release)))["evaluation"]["categories"]
    assert stored["percent"] == pytest.approx(true)
    assert set(stored["by_variable"]) == {"sex", "job"}
    losses = {one["measure"]: one["percent"] for one in internal_content(release)["overall_losses"]}
    assert losses["categories changed"] == pytest.approx(true)
    compared = covey.compare(data, 4, ["mdav"], loss="categories", **STRATA)
    assert compared.best.loss == pytest.approx(true)
    tuned = covey.tune(data, 100, k=4, techniques=["mdav"], driving=(), loss="categories", **STRATA)
    assert tuned.chosen.loss == pytest.approx(true)


def test_strata_alone_have_no_figure():
    data = survey()[["region", "age"]].assign(income=np.arange(120.0) % 17)
    release = covey.protect(data, 4, strata=["region"])
    assert release.evaluation.categories is None
    for search in (covey.compare, lambda *given, **more: covey.tune(given[0], 100, **more)):
        with pytest.raises(InvalidParameter, match="'categories' cannot be measured"):
            search(data, k=4, techniques=["mdav"], loss="categories", strata=["region"])
