"""Declared parameters: what they allow, and what they say when they do not."""

from __future__ import annotations

import numpy as np
import pytest

from covey.errors import InvalidParameter
from covey.parameters import Flag, Maybe, Number, NumberOrWord, OneOf, Satisfies, Whole, check


@pytest.mark.parametrize(
    ("parameter", "good", "bad"),
    [
        (Whole(2), [2, 3, np.int64(5)], [1, 2.0, True, "2", None, 2.5]),
        (Number(0.0), [1, 0.1, np.float32(2)], [0, -1, np.inf, np.nan, "1", True, None]),
        (Number(0.0, closed=True), [0, 0.0, 5], [-1e-9]),
        (Number(0.0, maximum=1.0), [1.0, 0.5], [1.1, 0.0]),
        (OneOf(("a", 1)), ["a", 1], ["b", True, 1.0, None]),
        (Flag(), [True, False], [0, 1, None, "yes"]),
        (Maybe(Whole(1)), [None, 1], [0, "x"]),
        (NumberOrWord(Number(0.0), OneOf(("all",))), [1, 0.5, "all"], [0, "1", None, True, "al"]),
        (Satisfies("even", lambda value: value % 2 == 0), [2], [3]),
    ],
)
def test_allows(parameter, good, bad):
    assert all(parameter.allows(value) for value in good)
    assert not any(parameter.allows(value) for value in bad)


@pytest.mark.parametrize(
    ("parameter", "words"),
    [
        (Whole(2), "a whole number of at least 2"),
        (Number(0.0), "a number above 0"),
        (Number(0.0, maximum=1.0, closed=True), "a number of at least 0 and at most 1"),
        (OneOf(("a", 1)), "one of 'a', 1"),
        (Maybe(Flag()), "None or True or False"),
        (NumberOrWord(Number(0.0), OneOf(("all",))), "a number above 0 or 'all'"),
    ],
)
def test_words(parameter, words):
    assert parameter.allowed == words


def test_check_names_the_parameter_and_the_value():
    with pytest.raises(InvalidParameter, match=r"k must be a whole number of at least 2; got 1\."):
        check({"k": Whole(2)}, {"k": 1})
