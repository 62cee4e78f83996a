"""Random tables: a release that keeps every promise, or a refusal; never anything else."""

from __future__ import annotations

import os

import pytest

from tests.attack.outcome import attempt
from tests.attack.tally import PROPERTY, counted, sentence

FEW, IN_A_TEST = 1_000, 100
MANY, IN_A_CHECK = int(os.environ.get("COVEY_TABLES", "100000")), 500
# Otherwise the tables that were meant to be released are refused, and nothing is tried.
LEAST_RELEASES = 0.5


def require_promises(numbers: range, note) -> None:
    outcomes = [attempt(number) for number in numbers]
    counts = counted(outcomes)
    note(PROPERTY, dict(counts))
    failures = [str(outcome) for outcome in outcomes if outcome.is_failure]
    assert not failures, "\n".join([sentence(counts), *failures])
    assert counts["release"] > LEAST_RELEASES * len(outcomes), sentence(counts)


@pytest.mark.parametrize("first", range(0, FEW, IN_A_TEST))
def test_every_promise_is_kept(first, record_property):
    require_promises(range(first, first + IN_A_TEST), record_property)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, MANY, IN_A_CHECK))
def test_every_promise_is_kept_by_many(first, record_property):
    require_promises(range(first, min(first + IN_A_CHECK, MANY)), record_property)
