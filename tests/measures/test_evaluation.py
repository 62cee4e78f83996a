"""Everything at once: consistent with its parts, and convertible."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

import covey
from covey.errors import InvalidParameter, SchemaError
from covey.measures import (
    Evaluation,
    achieved_k,
    distance_linkage,
    evaluate,
    g_il,
    il,
    interval_disclosure,
    record_linkage,
    score,
)
from covey.techniques import MDAV

NAMES = ["age", "hours", "gross_income", "net_income"]


@pytest.fixture(scope="module")
def survey():
    return covey.datasets.make_survey(300, 3).to_pandas()


@pytest.fixture(scope="module")
def evaluation(survey) -> Evaluation:
    released = MDAV(k=4).fit_transform(survey[NAMES])
    return evaluate(
        survey[NAMES], released, keys=["age", "gross_income"], confidential=survey[["occupation"]]
    )


def test_parts_are_those_of_the_measures(survey, evaluation):
    X = survey[NAMES]
    Y = MDAV(k=4).fit_transform(X)
    keys = ["age", "gross_income"]
    assert evaluation.il == pytest.approx(il(X, Y))
    assert evaluation.g_il == pytest.approx(g_il(X, Y))
    assert evaluation.interval == interval_disclosure(X, Y)
    assert evaluation.record_linkage == record_linkage(X, Y, keys=keys)
    assert evaluation.distance_linkage == distance_linkage(X, Y, keys=keys)
    assert evaluation.achieved_k == achieved_k(Y, keys=keys)


def test_composites(evaluation):
    g_dr = (evaluation.record_linkage.percent + evaluation.interval.percent) / 2
    assert evaluation.g_dr == pytest.approx(g_dr)
    assert evaluation.score == pytest.approx((evaluation.g_il.percent + g_dr) / 2)
    dr = (
        0.25 * evaluation.distance_linkage.percent
        + 0.25 * evaluation.probabilistic_linkage.percent
        + 0.5 * evaluation.interval_values.percent
    )
    assert evaluation.dr_domingo_torra == pytest.approx(dr)
    assert evaluation.score_domingo_torra == pytest.approx(
        (evaluation.il_domingo_torra.percent + dr) / 2
    )


def test_prints_a_short_table(evaluation):
    lines = str(evaluation).splitlines()
    assert len(lines) < 25
    assert max(map(len, lines)) <= 60
    assert f"{evaluation.il.percent:9.4f}" in str(evaluation)
    assert f"{evaluation.score:9.4f}" in lines[-1]


def test_json_round_trip(evaluation):
    plain = json.loads(evaluation.to_json())
    assert plain["il"]["percent"] == evaluation.il.percent
    subsets = plain["record_linkage"]["by_subset"]
    assert [entry["columns"] for entry in subsets][-1] == ["age", "gross_income"]
    assert plain["achieved_k"]["k"] == evaluation.achieved_k.k
    assert plain["score"] == evaluation.score


def test_frame(evaluation):
    frame = evaluation.to_frame()
    assert set(frame.kind) == {"loss", "risk", "both"}
    found = dict(zip(frame.measure, frame.percent, strict=True))
    assert found == evaluation.percents() | evaluation.composites()


def test_plot(evaluation):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    ax = evaluation.plot()
    assert len(ax.patches) == len(evaluation.percents())
    widths = [bar.get_width() for bar in ax.patches]
    assert widths == pytest.approx(list(evaluation.percents().values()))
    matplotlib.pyplot.close("all")


def test_without_confidential_variables(rng):
    X = rng.normal(size=(30, 3))
    result = evaluate(X, MDAV(k=3).fit_transform(X))
    assert result.l_diversity is None
    assert "l_diversity" not in result.percents()


def test_many_keys(rng):
    """All subsets of 22 keys, and the patterns of PLD, are out of reach: the rest is measured."""
    X = rng.normal(size=(60, 22))
    result = evaluate(X, MDAV(k=3).fit_transform(X))
    assert list(result.record_linkage.by_size) == [22]
    assert result.probabilistic_linkage is None
    assert result.dr_domingo_torra is result.score_domingo_torra is None


def test_misaligned_files_are_refused(rng):
    with pytest.raises(SchemaError):
        evaluate(rng.normal(size=(30, 3)), rng.normal(size=(29, 3)))


def test_a_better_release_scores_better(rng):
    """More is lost with larger groups, more is given away with smaller ones."""
    X = rng.normal(size=(300, 4))
    small, large = (evaluate(X, MDAV(k=k).fit_transform(X)) for k in (2, 20))
    assert small.il.percent < large.il.percent
    assert small.g_dr > large.g_dr


class TestScore:
    def test_numbers_and_results(self, rng):
        X = rng.normal(size=(30, 2))
        Y = MDAV(k=3).fit_transform(X)
        loss, risk = g_il(X, Y), distance_linkage(X, Y)
        assert score(loss, risk) == pytest.approx(0.5 * (loss.percent + risk.percent))
        assert score(loss, 10.0, weight=1.0) == loss.percent
        assert score(20, risk, weight=0) == risk.percent

    @pytest.mark.parametrize("weight", [-0.1, 1.1, np.nan, "half"])
    def test_weight(self, weight):
        with pytest.raises(InvalidParameter, match="weight must be"):
            score(1.0, 2.0, weight)


def test_other_tools_need_not_keep_k(survey):
    """Noise instead of groups: everything is measured, and k is what it is."""
    rng = np.random.default_rng(0)
    noisy = survey[NAMES] + rng.normal(size=(300, 4)) * survey[NAMES].std().to_numpy() * 0.1
    result = evaluate(survey[NAMES], pd.DataFrame(noisy, columns=NAMES))
    assert result.achieved_k.k == 1
    assert result.distance_linkage.percent > 30


def test_keys_mean_the_same_columns_everywhere(rng):
    """By position or name, whatever the order of the columns and the kind of the files."""
    X = rng.normal(size=(60, 3))
    Y = X.copy()
    Y[:, 0] = MDAV(k=3).fit_transform(X[:, :1])[:, 0]
    original = pd.DataFrame(X, columns=["a", "b", "c"])
    turned = pd.DataFrame(Y[:, ::-1], columns=["c", "b", "a"])
    for released in (turned, Y):
        for keys in (["a"], [0]):
            assert evaluate(original, released, keys=keys).achieved_k.k == 3


def test_suppressed_cells_are_said(rng):
    X = rng.normal(size=(40, 2))
    Y = X.copy()
    Y[5:] = np.nan
    result = evaluate(X, Y)
    assert result.compared == pytest.approx(12.5)
    assert "cells that could be compared" in str(result)
    assert "cells that could be compared" not in str(evaluate(X, X))
