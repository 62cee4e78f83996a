"""What measures declare is complete, consistent with what they give, and found once each."""

from __future__ import annotations

import pickle
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from covey.errors import InvalidParameter
from covey.measures import Measure, Need, available, evaluate, get, registry
from covey.measures.all_measures import risks_of_original, take_one
from covey.measures.inputs import read_inputs
from covey.techniques import MDAV

EVERY = available()
NAMES = [measure.name for measure in EVERY]


@pytest.fixture(scope="module")
def files():
    rng = np.random.default_rng(3)
    numbers = pd.DataFrame(rng.normal(size=(60, 2)) + 5, columns=["a", "b"])
    released = MDAV(k=3).fit_transform(numbers)
    job = rng.choice(["x", "y", "z"], 60)
    return numbers.assign(job=job), released.assign(job=np.roll(job, 1))


@pytest.fixture(scope="module")
def evaluation(files):
    return evaluate(*files, confidential=pd.DataFrame({"secret": np.arange(60) % 4}))


@pytest.mark.parametrize("measure", EVERY, ids=NAMES)
class TestEvery:
    def test_is_explained(self, measure):
        assert measure.meaning.endswith(".")
        assert len(measure.definition) > 10
        assert measure.caveat
        assert not measure.caveat.endswith(".")

    def test_is_taken_or_made(self, measure):
        assert (measure.take is None) != (measure.made_of is None)

    def test_has_a_figure(self, measure, evaluation):
        figure = evaluation.figure(measure.name)
        part = getattr(evaluation, measure.name)
        assert figure == (part if measure.is_composite else getattr(part, measure.headline))

    def test_is_an_estimate_only_if_it_says_so(self, measure, evaluation):
        if not measure.is_composite:
            part = getattr(evaluation, measure.name)
            assert hasattr(part, "sampled") == measure.sampled

    def test_says_something_about_the_original_if_it_says_so(self, measure, files):
        numbers = files[0][["a", "b"]]
        found = risks_of_original(numbers, ())
        if not measure.is_composite:
            assert (measure.name in found.parts) == measure.before

    def test_repeats_one_that_is_there(self, measure):
        assert not measure.repeats or measure.repeats in NAMES


def test_made_of_measures_that_are_there(evaluation):
    for measure in EVERY:
        if measure.made_of is not None:
            assert set(measure.made_of(evaluation)) <= set(NAMES)


def test_losses_come_first_and_places_differ():
    kinds = [measure.kind for measure in EVERY]
    assert kinds == sorted(kinds, key=("loss", "risk", "count", "score").index)
    assert len({measure.place[:2] for measure in EVERY}) == len(EVERY)


def test_what_is_not_there_is_left_out(files):
    numbers, categories = files[0][["a", "b"]], files[0][["job"]]
    only_numbers = evaluate(numbers, files[1][["a", "b"]])
    assert only_numbers.categories is only_numbers.l_diversity is None
    only_categories = evaluate(categories, files[1][["job"]])
    assert only_categories.il is only_categories.interval is only_categories.dominance is None
    assert only_categories.score is None
    assert only_categories.g_dr == only_categories.record_linkage.percent


def test_strata_do_not_count_as_categories(files):
    assert evaluate(*files, strata=["job"]).categories is None
    assert evaluate(*files).categories.percent > 0


def test_one_alone_is_what_it_is_among_all(files):
    original, released = (file[["a", "b"]] for file in files)
    both = evaluate(original, released)
    assert take_one(get("il1s"), original, released) == both.il1s
    assert take_one(get("categories"), original, released) is None


def test_a_name_that_no_measure_has(files, evaluation):
    with pytest.raises(InvalidParameter, match="Did you mean 'g_il'"):
        get("gil")
    with pytest.raises(AttributeError, match="no measure 'gil'"):
        _ = evaluation.gil


def test_two_of_one_name_are_refused(monkeypatch):
    double = Measure(name="il", label="x", meaning="X.", kind="loss", function=len, take=len)
    monkeypatch.setattr(registry, "_declared", lambda: iter([get("il"), double]))
    with pytest.raises(InvalidParameter, match="Two measures are called 'il'"):
        registry._found.__wrapped__()


def test_an_evaluation_lists_its_measures(evaluation):
    assert set(NAMES) <= set(dir(evaluation))


def test_an_evaluation_travels(evaluation):
    """To another process, or into a copy with another weight."""
    assert pickle.loads(pickle.dumps(evaluation)).percents() == evaluation.percents()
    heavy = replace(evaluation, weight=1.0)
    assert heavy.score == heavy.g_il.percent != evaluation.score


def test_a_count_is_printed_as_it_is(evaluation):
    assert f"  k achieved{evaluation.achieved_k.k:37d}" in str(evaluation).splitlines()
    assert "achieved_k" not in evaluation.percents()


def test_the_weight_is_checked_at_once(files):
    with pytest.raises(InvalidParameter, match="weight must be"):
        evaluate(*files, weight=2.0)


def test_needs_of_the_inputs(files):
    original, released = (file[["a", "b"]] for file in files)
    inputs = read_inputs(original, released, ordinal=["a", "b"])
    assert not inputs.has(Need.AMOUNTS)
    assert read_inputs(original, released, ordinal=["a"]).has(Need.AMOUNTS)
    assert all(inputs.has(need) for need in (Need.RECORDS, Need.GROUPS, Need.KEYS))
    assert not inputs.suits(get("l_diversity"))
