"""What whole numbers are: keys that name things, codes of categories, or amounts."""

from __future__ import annotations

import numpy as np

from covey.types import FloatVector

# Among fewer records whole numbers may all differ by chance.
ENOUGH_NUMBERS = 50
# A key is one of these: numbers that follow each other closely, or are spread evenly.
FOLLOWING = 0.4
EVEN, EVEN_IN_MANY, ENOUGH_TO_TELL = 1.36, 0.02, 200
FLAT = 2.2  # kurtosis; 1.8 for even numbers, 3 for a normal distribution
# Codes: so few of them, each so often, none larger, and not all of them round.
MOST_CODES = 12
TIMES_EACH = 5
LARGEST_CODE = 999
ROUND = 10


def are_whole(values: FloatVector) -> bool:
    """Whether known values are all whole numbers that a float can hold."""
    return bool(values.size and (np.rint(values) == values).all() and np.abs(values).max() < 2**53)


def look_like_keys(distinct: FloatVector) -> bool:
    """Whether different whole numbers, in their order, were given rather than measured.

    Amounts are skewed or lie close to their middle; keys count, or are spread evenly.
    """
    enough = distinct.size > ENOUGH_NUMBERS
    return enough and (follow_each_other(distinct) or _are_even(distinct))


def follow_each_other(distinct: FloatVector) -> bool:
    """Whether many of them are neighbours: measured so closely, some would have been equal."""
    if distinct.size < 2:
        return False
    gaps = np.diff(distinct).astype(np.int64)
    steps = gaps // np.gcd.reduce(gaps)
    return bool((steps == 1).mean() >= FOLLOWING or steps.sum() < 2 * distinct.size)


def _are_even(distinct: FloatVector) -> bool:
    """Whether they are spread over their range as random keys are."""
    n = distinct.size
    if n < ENOUGH_TO_TELL:
        return False
    places = (distinct - distinct[0]) / (distinct[-1] - distinct[0])
    away = float(np.abs(places - np.arange(n) / (n - 1)).max())
    scores = (places - places.mean()) / places.std()
    return away < EVEN / np.sqrt(n) + EVEN_IN_MANY and float((scores**4).mean()) < FLAT


def look_like_codes(values: FloatVector) -> bool:
    """Whether known whole numbers are so few and so small that they are codes, or small counts."""
    distinct = np.unique(values)
    few = 0 < distinct.size <= MOST_CODES and values.size >= TIMES_EACH * distinct.size
    if not few or np.abs(distinct).max() > LARGEST_CODE:
        return False
    return bool(np.gcd.reduce(distinct.astype(np.int64)) < ROUND)
