"""Windows as a refinement: of any technique, of any partition, and what they refuse."""

from __future__ import annotations

import numpy as np
import pytest

from covey import Partition, refine
from covey.app.pages.technique_choice import read_value
from covey.app.technique_cards import technique_cards
from covey.errors import InvalidParameter
from covey.techniques import MDAV, available

REFINED = [info.cls for info in available() if "refine" in info.parameters]


@pytest.mark.parametrize("cls", REFINED)
@pytest.mark.parametrize("k", [2, 3, 7])
def test_every_technique_loses_no_more(cls, k, rng):
    for n, d in ((k, 2), (2 * k + 1, 3), (200, 1), (400, 4)):
        X = rng.lognormal(size=(n, d))
        plain, refined = cls(k=k).fit(X), cls(k=k, refine="windows").fit(X)
        assert refined.partition_.sizes.min() >= k
        assert refined.il_ <= plain.il_ * (1 + 1e-12)
        assert refined.il_ < plain.il_ or n < 400
        assert Partition.from_labels(refined.labels_) == refine(
            X, plain.partition_, k, effort="windows"
        )


def test_duplicates(rng):
    X = np.repeat(rng.integers(0, 3, size=(20, 2)).astype(float), 5, axis=0)
    refined = MDAV(k=4, refine="windows").fit(X)
    assert refined.il_ <= MDAV(k=4).fit(X).il_
    assert refined.partition_.sizes.min() >= 4


def test_large_groups_are_split(rng):
    X = rng.normal(size=(500, 3))
    better = refine(X, Partition(np.zeros(500, dtype=int)), 3, effort="windows")
    assert better.sizes.max() <= 5


@pytest.mark.parametrize("threads", ["1", "2", "3", "16"])
def test_threads_do_not_matter(threads, rng, monkeypatch):
    X = rng.normal(size=(3000, 4))
    start = MDAV(k=3).fit(X).partition_
    monkeypatch.setenv("COVEY_THREADS", "1")
    expected = refine(X, start, 3, effort="windows")
    monkeypatch.setenv("COVEY_THREADS", threads)
    assert refine(X, start, 3, effort="windows") == expected


def test_seeds_give_different_groups(rng):
    X = rng.normal(size=(3000, 4))
    start = MDAV(k=3).fit(X).partition_
    one, same, other = (
        refine(X, start, 3, effort="windows", random_state=seed) for seed in (1, 1, 2)
    )
    assert one == same != other


@pytest.mark.parametrize(
    "asked", [{"time_limit": 1.0}, {"polish": True}, {"groups": [[0, 1, 2]]}, {"groups": []}]
)
def test_what_only_a_search_can_use_is_refused(asked, rng):
    X, start = rng.normal(size=(9, 2)), Partition([0, 0, 0, 1, 1, 1, 2, 2, 2])
    with pytest.raises(InvalidParameter, match=f"{next(iter(asked))} is for a search"):
        refine(X, start, 3, effort="windows", **asked)


def test_progress_is_told_and_can_end_it(rng, monkeypatch):
    monkeypatch.setattr("covey.watching.INTERVAL", 0.001)
    X = rng.normal(size=(20_000, 3))
    start = MDAV(k=3).fit(X).partition_
    told: list[int] = []
    refine(X, start, 3, effort="windows", progress=lambda _stage, done, _total: told.append(done))
    assert told == sorted(told)
    assert told[-1] == 20_000
    assert any(0 < done < 20_000 for done in told)

    def stop(*_told: object) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        refine(X, start, 3, effort="windows", progress=stop)


def test_a_form_takes_a_number_or_the_word():
    fields = [
        field for card in technique_cards() for field in card.fields if field.name == "refine"
    ]
    assert len(fields) == len(REFINED)
    for field in fields:
        assert "'windows'" in field.allowed
        read = [read_value(field, text) for text in ("12,5", " windows ", "")]
        assert read == [12.5, "windows", None]
