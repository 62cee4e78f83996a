"""Interval disclosure: does the released value give the original away approximately?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from covey.core import count_disclosed
from covey.errors import InvalidParameter
from covey.measures.measure import Measure, Need
from covey.measures.pairs import Pair, centre_of, read_pair
from covey.parameters import Maybe, Number, OneOf, require
from covey.threads import thread_count

PERCENTS = tuple(range(1, 11))


class IntervalRisk(NamedTuple):
    """Interval disclosure.

    `counts` has, for every width of the interval, the number of records (values, for
    ``method="value"``) that are disclosed out of `total`.
    """

    percent: float
    counts: dict[float, int]
    total: int
    method: str


def interval_disclosure(
    original: Any,
    released: Any,
    keys: Sequence[Any] | None = None,
    method: str = "record",
    percents: Sequence[float] | None = None,
    width: float | None = None,
) -> IntervalRisk:
    """Share of originals that lie in an interval around their released value.

    For each variable the released column is sorted (stably); a record's interval reaches from the
    value w = ⌊p·n/100⌋ places below its own position to the one w places above, ends included.

    Parameters
    ----------
    original, released : array-like or data frame
        The same records in the same order, in raw units.
    keys : list, optional
        The columns the intruder looks at; all if not given.
    method : {"record", "value", "sd"}, default="record"
        "record" (Oommen & Fayyoumi 2010): a record is disclosed when **all** its values lie in
        their intervals. "value" (Domingo-Ferrer & Torra 2001): single values are counted. "sd" (as
        in sdcMicro): a record is disclosed when all values lie within ± `width` standard
        deviations of the released ones.
    percents : sequence of float, optional
        The p over which the risk is averaged, 1 to 10 if not given; not for "sd".
    width : float, optional
        Half the interval in standard deviations, 0.05 if not given; only for "sd".

    Notes
    -----
    Equal released values are sorted in the order of the records, and the interval starts from the
    record's **own position** among them: this definition, alone of all measures here, depends on
    the order of the records.

    An original value that is missing cannot be disclosed and is passed over; a released value that
    is missing gives no interval and so protects.

    Examples
    --------
    >>> interval_disclosure([[1.0], [3.0], [5.0], [7.0]], [[2.0], [2.0], [6.0], [6.0]],
    ...                     percents=[25]).counts
    {25: 2}
    """
    require(OneOf(("record", "value", "sd")), method=method)
    require(Maybe(Number(0.0, closed=True)), width=width)
    if (percents is not None and method == "sd") or (width is not None and method != "sd"):
        raise InvalidParameter("percents goes with method 'record' or 'value', width with 'sd'.")
    pair = read_pair(original, released, keys)
    if method == "sd":
        reach = 0.05 if width is None else float(width)
        counts = {reach: _count_by_deviations(pair, reach)}
    else:
        checked = _checked_percents(PERCENTS if percents is None else percents)
        counts = _count_by_ranks(pair, checked, by_record=method == "record")
    total = pair.original.shape[0]
    if method == "value":
        total = int((~np.isnan(pair.original)).sum())
    mean = float(np.mean(list(counts.values())))
    return IntervalRisk(100.0 * mean / max(total, 1), counts, total, method)


def _checked_percents(percents: Any) -> list[float]:
    allowed = Number(0.0, maximum=100.0, closed=True)
    given = list(percents) if isinstance(percents, Sequence | np.ndarray) else []
    if not given or len(set(given)) < len(given) or not all(allowed.allows(p) for p in given):
        raise InvalidParameter("percents must be a list of different numbers from 0 to 100.")
    return given


def _count_by_ranks(pair: Pair, percents: list[float], *, by_record: bool) -> dict[float, int]:
    """What each interval discloses: all that narrower ones do, and more."""
    n_records = pair.original.shape[0]
    reaches = np.array([int(p * n_records / 100) for p in percents], dtype=np.int64)
    rising = np.argsort(reaches, kind="stable")
    added = count_disclosed(
        pair.original,
        pair.released,
        np.stack(pair.orders),
        reaches[rising],
        by_record,
        thread_count(),
    )
    counts = np.empty(reaches.size, dtype=np.int64)
    counts[rising] = np.cumsum(added)
    return dict(zip(percents, counts.tolist(), strict=True))


def _count_by_deviations(pair: Pair, width: float) -> int:
    inside = np.abs(pair.original - pair.released) <= width * centre_of(pair)[1]
    missing = np.isnan(pair.original)
    return int(((inside | missing).all(axis=1) & ~missing.all(axis=1)).sum())


INTERVAL = Measure(
    name="interval",
    label="interval disclosure, records (ID)",
    meaning=(
        "Records whose original values all lie within a narrow interval around the released ones."
    ),
    caveat="whether an intruder can find the record",
    kind="risk",
    function=interval_disclosure,
    take=lambda inputs: interval_disclosure(inputs.numbers, inputs.numbers),
    needs=(Need.RECORDS, Need.KNOWN_NUMBERS),
    before=True,
    limit=True,
    position=30,
)

INTERVAL_VALUES = Measure(
    name="interval_values",
    label="interval disclosure, values",
    meaning="Single original values that lie within a narrow interval around the released ones.",
    caveat="whether an intruder can find the record",
    kind="risk",
    function=interval_disclosure,
    take=lambda inputs: interval_disclosure(
        inputs.numbers, inputs.numbers, inputs.known_numbers, method="value"
    ),
    needs=(Need.RECORDS, Need.KNOWN_NUMBERS),
    before=True,
    limit=True,
    position=40,
)
