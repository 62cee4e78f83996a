"""Linkage that is estimated from a sample of the records, where all would take too long."""

from __future__ import annotations

import json

import numpy as np
import pytest

import covey
from covey.measures import (
    distance_linkage,
    evaluate,
    outlier_linkage,
    probabilistic_linkage,
    record_linkage,
)
from covey.measures.risk import sampling

LINKAGES = (record_linkage, distance_linkage, probabilistic_linkage, outlier_linkage)


@pytest.fixture(scope="module")
def files():
    original = np.random.default_rng(5).normal(size=(3000, 3))
    return original, covey.techniques.IAMAT(k=3).fit_transform(original)


@pytest.fixture
def little_work(monkeypatch):
    """Every linkage is too much work, and samples are small."""
    monkeypatch.setattr(sampling, "MOST_WORK", 1.0)
    monkeypatch.setattr(sampling, "FEWEST_SAMPLED", 100)


@pytest.mark.parametrize("link", LINKAGES)
@pytest.mark.parametrize("subsets", [None, "all"])
def test_an_estimate_lies_near_the_figure_of_all_records(
    link, subsets, files, little_work, monkeypatch
):
    everybody = link(*files, subsets=subsets, exact=True)
    assert everybody.sampled is None
    distances = []
    for seed in range(8):
        monkeypatch.setattr(sampling, "SEED", seed)
        found = link(*files, subsets=subsets)
        assert found.sampled.records == 100
        assert found.sampled.of == (150 if link is outlier_linkage else 3000)
        distances.append((found.percent - everybody.percent) / found.sampled.standard_error)
    assert np.abs(distances).max() < 4
    assert len(set(distances)) > 1


def test_standard_errors_are_as_large_as_the_errors(files, little_work, monkeypatch):
    everybody = distance_linkage(*files, exact=True)
    found = []
    for seed in range(200):
        monkeypatch.setattr(sampling, "SEED", seed)
        found.append(distance_linkage(*files))
    spread = np.std([risk.percent for risk in found])
    stated = np.mean([risk.sampled.standard_error for risk in found])
    assert 0.8 < spread / stated < 1.2
    inside = [abs(risk.percent - everybody.percent) <= risk.sampled.margin for risk in found]
    assert np.mean(inside) > 0.88


@pytest.mark.parametrize("link", LINKAGES)
def test_exact_is_what_is_measured_without_a_bound(link, files, monkeypatch):
    unbounded = link(*files)
    monkeypatch.setattr(sampling, "MOST_WORK", 1.0)
    monkeypatch.setattr(sampling, "FEWEST_SAMPLED", 100)
    assert link(*files, exact=True) == unbounded
    assert link(*files) != unbounded


@pytest.mark.parametrize("link", LINKAGES)
def test_the_same_records_are_drawn_every_time(link, files, little_work, monkeypatch):
    first = link(*files)
    monkeypatch.setenv("COVEY_THREADS", "1")
    assert link(*files) == first


def test_a_linkage_of_a_sample_is_that_of_its_records(files, little_work):
    """Each drawn record is compared with all candidates, not with the sample only."""
    original, released = files
    drawn = sampling.sample_of(3000, 1e9, exact=False)
    assert drawn is not None
    assert len(set(drawn)) == 100
    z = original.std(axis=0)
    distances = (((original[drawn, None] - released[None]) / z) ** 2).sum(axis=2)
    nearest = distances.min(axis=1, keepdims=True)
    ties = distances <= nearest * (1 + 1e-9)
    own = ties[np.arange(100), drawn] / ties.sum(axis=1)
    assert distance_linkage(*files).percent == pytest.approx(100 * own.mean())


def test_nothing_is_sampled_below_the_bound():
    assert sampling.sample_of(10**6, sampling.MOST_WORK, exact=False) is None
    assert sampling.sample_of(10**6, 1e3 * sampling.MOST_WORK, exact=True) is None
    sample = sampling.sample_of(10**6, 20 * sampling.MOST_WORK, exact=False)
    assert sample is not None
    assert sample.size == 50_000
    fewest = sampling.sample_of(10**6, 1e6 * sampling.MOST_WORK, exact=False)
    assert fewest is not None
    assert fewest.size == sampling.FEWEST_SAMPLED


def test_a_margin_is_said_in_words():
    said = sampling.Sampled(20_000, 1_000_000, 0.15, 0.294)
    assert str(said) == "estimated from 20,000 of 1,000,000 records, ±0.3 points"
    assert str(said._replace(margin=0.04)).endswith("±0.04 points")
    assert str(said._replace(margin=0.0001)).endswith("±0.001 points")


def test_records_that_are_all_alike_leave_a_margin():
    assert sampling.estimate_of(np.zeros(1000), 10**6)[2:] == (0.0, pytest.approx(0.3))


def test_an_evaluation_shows_margins(files, little_work):
    found = evaluate(*files)
    assert set(found.estimates()) == {link.__name__ for link in LINKAGES}
    margins = found.margins()
    assert margins["g_dr"] == pytest.approx(found.record_linkage.sampled.margin / 2)
    assert margins["score"] == pytest.approx(margins["g_dr"] / 2)
    shown = found.to_frame().to_pydict()
    by_measure = dict(zip(shown["measure"], shown["margin"], strict=True))
    assert by_measure["distance_linkage"] == found.distance_linkage.sampled.margin
    assert by_measure["il"] is None
    assert str(found).count("estimated from 100 of 3,000 records, ±") == 3
    assert json.loads(found.to_json())["distance_linkage"]["sampled"]["records"] == 100
    exact = evaluate(*files, exact=True)
    assert exact.margins() == {}
    assert "estimated" not in str(exact)
    assert set(exact.to_frame().to_pydict()["margin"]) == {None}
