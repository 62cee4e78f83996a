"""compare: the table, the front, and which is better."""

from __future__ import annotations

import itertools
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import covey
from covey.datasets import load_census
from covey.errors import CoveyError, InvalidParameter
from covey.measures.registry import comparable
from covey.release import Comparison, compare
from covey.release.candidates import Candidate, dominates, pareto_front
from covey.sources.files import FileProblem
from covey.techniques import MDAV, available

AMOUNTS = ["age", "hours", "gross_income", "net_income"]


def candidate(loss, risk, technique="mdav", k=3, weight=0.5, driving=None):
    score = None if risk is None else weight * loss + (1 - weight) * risk
    return Candidate(technique, k, driving, loss, risk, score, k, "joint", 0.1, {})


def comparison(*points, weight=0.5, max_risk=None):
    candidates = tuple(candidate(*point, k=3 + j, weight=weight) for j, point in enumerate(points))
    return Comparison(candidates, "il", "g_dr", weight, max_risk)


@pytest.fixture(scope="module")
def survey():
    return covey.datasets.make_survey(150, 5).select(AMOUNTS)


class TestDominance:
    @pytest.mark.parametrize(
        ("first", "second", "yes"),
        [
            ((1, 1), (2, 2), True),
            ((1, 2), (2, 2), True),
            ((2, 1), (2, 2), True),
            ((2, 2), (2, 2), False),
            ((1, 3), (2, 2), False),
            ((3, 3), (2, 2), False),
            ((1, None), (2, 2), False),
            ((1, 1), (2, None), False),
        ],
    )
    def test_by_hand(self, first, second, yes):
        assert dominates(candidate(*first), candidate(*second)) is yes

    @given(st.lists(st.tuples(st.integers(0, 6), st.one_of(st.none(), st.integers(0, 6)))))
    def test_the_front_by_brute_force(self, points):
        candidates = [candidate(*point) for point in points]
        measured = [point for point in points if point[1] is not None]
        expected = [
            (loss, risk)
            for loss, risk in measured
            if not any((a <= loss and b <= risk) and (a < loss or b < risk) for a, b in measured)
        ]
        found = [(one.loss, one.risk) for one in pareto_front(candidates)]
        assert found == sorted(expected)


class TestWhichIsBetter:
    def test_without_question(self):
        both = comparison((1, 1), (2, 2))
        words = both.which_is_better(*both.candidates)
        assert words.startswith("mdav k=3 is better than mdav k=4 without question")
        assert both.which_is_better(*reversed(both.candidates)) == words

    def test_equally_good(self):
        both = comparison((2, 2), (2, 2))
        assert "equally good" in both.which_is_better(*both.candidates)

    @pytest.mark.parametrize(("weight", "better"), [(0.9, "mdav k=3"), (0.1, "mdav k=4")])
    def test_it_depends(self, weight, better):
        both = comparison((1, 9), (9, 1), weight=weight)
        words = both.which_is_better(*both.candidates)
        assert words.startswith("mdav k=3 loses less (1.00 against 9.00), mdav k=4 is safer")
        assert f"the score prefers {better}" in words

    @pytest.mark.parametrize("order", [1, -1])
    @pytest.mark.parametrize("loss", [1, 9])
    def test_a_risk_that_was_not_measured_is_never_better(self, loss, order):
        both = comparison((5, 5), (loss, None))
        words = both.which_is_better(*both.candidates[::order])
        assert "prefers mdav k=4" not in words
        assert "mdav k=4 is better" not in words
        assert "not measured" in words

    def test_the_best_was_measured(self):
        assert comparison((9, 9), (1, None), (5, 5)).best.loss == 5
        assert [one.loss for one in comparison((9, 1), (1, None), (5, 5)).front] == [5, 9]


class TestTheMapOfASearch:
    """With a limit on risk the choice is the least loss within it, not the best score."""

    POINTS = ((1.0, 21.0), (8.9, 18.6), (9.1, 17.7), (30.0, None))

    def test_marks_the_choice(self):
        found = comparison(*self.POINTS, max_risk=20.0)
        assert found.candidates[0].score == min(11.0, 13.75, 13.4)
        marked = [point for point in found.points() if point["chosen"]]
        assert [(point["loss"], point["risk"]) for point in marked] == [(8.9, 18.6)]

    def test_leaves_out_what_was_not_measured(self):
        assert len(comparison(*self.POINTS, max_risk=20.0).points()) == 3

    def test_without_a_limit_the_best_score_is_marked(self):
        marked = [point for point in comparison(*self.POINTS).points() if point["chosen"]]
        assert [point["loss"] for point in marked] == [1.0]


@pytest.fixture(scope="module")
def found(survey):
    return compare(survey, k=[5, 3, 5], techniques=["mdav", MDAV(standardize="range")])


class TestOnASmallTable:
    def test_every_technique_with_every_k_once(self, found):
        assert [(one.technique, one.k) for one in found.candidates] == [
            ("mdav", 3),
            ("mdav", 5),
        ] * 2
        assert found.candidates[2].parameters["standardize"] == "range"

    def test_figures_are_those_of_single_releases(self, found, survey):
        for one in found.candidates:
            release = covey.protect(survey, one.k, "mdav", parameters=one.parameters)
            assert one.loss == pytest.approx(release.evaluation.il.percent)
            assert one.risk == pytest.approx(release.evaluation.g_dr)
            assert one.score == pytest.approx((one.loss + one.risk) / 2)
            assert one.achieved_k == release.achieved_k >= one.k

    def test_the_table(self, found):
        rows = found.to_frame().to_pylist()
        assert [row["score"] for row in rows] == sorted(row["score"] for row in rows)
        assert [row["best"] for row in rows] == [True, False, False, False]
        assert found.best.score == rows[0]["score"]

    def test_find(self, found):
        assert found.find("MDAV", 5) is found.candidates[1]
        with pytest.raises(InvalidParameter, match="was not compared"):
            found.find("mdav", 4)

    def test_words(self, found):
        text = str(found)
        assert text.count("mdav") == 4
        assert text.count("best score") == 1

    def test_saved_and_read(self, found, tmp_path):
        (tmp_path / "found.json").write_text(found.to_json())
        again = Comparison.read(tmp_path / "found.json")
        assert again.to_dict() == found.to_dict()
        assert again.best.name == found.best.name
        assert json.loads(found.to_json())["best"] == found.best.name

    def test_a_limit_and_risks_that_were_not_measured_are_saved(self, tmp_path):
        found = comparison((1, 2), (3, None), max_risk=7.5)
        (tmp_path / "found.json").write_text(found.to_json())
        again = Comparison.read(tmp_path / "found.json")
        assert again.max_risk == 7.5
        assert [(one.loss, one.risk) for one in again.candidates] == [(1, 2), (3, None)]

    def test_names_with_commas_are_saved(self, tmp_path):
        driving = ("income, gross", "age")
        found = Comparison((candidate(1.0, 2.0, driving=driving),), "il", "g_dr", 0.5)
        (tmp_path / "found.json").write_text(found.to_json())
        assert Comparison.read(tmp_path / "found.json").candidates[0].driving == driving

    @pytest.mark.parametrize("text", ["", "{}", "[]", "3", '{"candidates": 3}', "\xff"])
    def test_what_is_no_comparison(self, text, tmp_path):
        (tmp_path / "found.json").write_text(text, encoding="latin-1")
        with pytest.raises(InvalidParameter, match="not a comparison"):
            Comparison.read(tmp_path / "found.json")

    def test_a_file_that_is_not_there(self, tmp_path):
        with pytest.raises(FileProblem):
            Comparison.read(tmp_path / "found.json")


class TestRequests:
    @pytest.mark.parametrize(
        "wrong",
        [
            {"k": []},
            {"k": [1]},
            {"k": "35"},
            {"k": 2.5},
            {"techniques": []},
            {"techniques": 5},
            {"techniques": ["mdva"]},
            {"techniques": [5]},
            {"loss": "lost"},
            {"risk": "risky"},
            {"weight_of_loss": 1.5},
            {"quasi_identifier": ["age"]},
            {"technique": "mdav"},
            {"parameters": {"standardize": "range"}},
        ],
        ids=str,
    )
    def test_that_could_be_misread(self, survey, wrong):
        with pytest.raises(InvalidParameter):
            compare(survey, **{"k": [3], "techniques": ["mdav"]} | wrong)

    def test_one_size(self, survey):
        assert [one.k for one in compare(survey, k=4, techniques=["mdav"]).candidates] == [4]

    def test_weight_of_loss(self, survey):
        for weight, best in ((1.0, 3), (0.0, 10)):
            found = compare(survey, k=[3, 10], techniques=["mdav"], weight_of_loss=weight)
            assert found.best.k == best

    def test_per_block_is_in_the_table_not_a_warning(self, survey):
        found = compare(survey, k=[3], techniques=["mdav", "individualranking"])
        assert [one.guarantee for one in found.candidates] == ["joint", "per block"]

    def test_roles_and_kinds(self):
        survey = covey.datasets.make_survey(200, 5, missing=0.05)
        found = compare(
            survey,
            k=[3],
            techniques=["mdav"],
            identifiers=["person_id"],
            strata=["region"],
            weight="weight",
        )
        assert found.loss == "il"
        assert found.candidates[0].achieved_k >= 3

    def test_categories_alone_have_a_loss_of_their_own(self):
        survey = covey.datasets.make_survey(200, 5).select(["sex", "occupation", "region"])
        assert compare(survey, k=[3], techniques=["mdav"]).loss == "categories"

    @pytest.mark.parametrize("loss", comparable("loss"))
    def test_every_measure_of_loss(self, loss):
        survey = covey.datasets.make_survey(120, 5).select([*AMOUNTS, "sex"])
        try:
            found = compare(survey, k=[3], techniques=["mdav"], loss=loss)
        except CoveyError:
            return
        assert found.candidates[0].loss >= 0

    @pytest.mark.parametrize("idle", [{"rules": ["age >= 16"]}, {"thresholds": {"g_dr": 9.0}}])
    def test_what_has_no_effect_is_refused(self, survey, idle):
        with pytest.raises(InvalidParameter, match="have no effect on a comparison"):
            compare(survey, k=[3], techniques=["mdav"], **idle)

    def test_progress_ends_at_the_end(self, survey):
        told = []
        compare(survey, k=[3, 5], techniques=["mdav"], progress=lambda *news: told.append(news))
        assert told == [("comparing", 0, 2), ("comparing", 1, 2), ("comparing", 2, 2)]


@pytest.mark.usefixtures("census")
def test_every_technique_and_three_sizes_on_census():
    """One test, so that it is computed once: front, scores and what is known of k."""
    found = compare(load_census(), k=[3, 5, 10])
    names = [info.name for info in available() if info.is_comparable]
    assert {"mdav", "projected", "nearoptimal"} <= set(names)
    assert not {"individualranking", "optimalunivariate"} & set(names)
    assert [(one.technique, one.k) for one in found.candidates] == list(
        itertools.product(names, [3, 5, 10])
    )
    points = [(one.loss, one.risk) for one in found.candidates]
    expected = [
        point
        for point in points
        if not any(a <= point[0] and b <= point[1] and (a, b) != point for a, b in points)
    ]
    assert [(one.loss, one.risk) for one in found.front] == sorted(expected)
    assert found.best.score == min((loss + risk) / 2 for loss, risk in points)
    for name in names:
        losses = [found.find(name, k).loss for k in (3, 5, 10)]
        risks = [found.find(name, k).risk for k in (3, 5, 10)]
        assert losses == sorted(losses), "a larger k loses more"
        assert risks == sorted(risks, reverse=True), "a larger k is safer"
        assert all(found.find(name, k).achieved_k >= k for k in (3, 5, 10))
    for one, other in itertools.permutations(found.candidates, 2):
        words = found.which_is_better(one, other)
        if dominates(one, other):
            assert words.startswith(f"{one.name} is better than {other.name}")
        elif not dominates(other, one):
            better = min((one, other), key=lambda c: c.score).name
            assert f"the score prefers {better}" in words
