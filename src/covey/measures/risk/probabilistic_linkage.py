"""PLD: probabilistic linkage after Fellegi and Sunter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from covey import core
from covey.errors import InvalidParameter
from covey.measures.measure import Measure, Need
from covey.measures.pairs import Pair, read_pair
from covey.measures.risk.fellegi_sunter import Model, fit_model
from covey.measures.risk.intruder import over_scenarios, scenarios, warn_if_misaligned
from covey.measures.risk.sampling import Sampled, sample_of
from covey.parameters import Number, require
from covey.partition import Partition
from covey.threads import thread_count
from covey.types import FloatMatrix, FloatVector, IntVector, Progress
from covey.watching import new_meter

# Patterns are bits of a number and their weights a table.
MOST_KEYS = 20
# Beyond so many pairs the agreement patterns are counted for a sample of the originals.
MOST_PAIRS = 20_000_000
# The part of the released rows that is looked at for a record.
IN_WINDOWS = 0.1


class ProbabilisticRisk(NamedTuple):
    """Probabilistic linkage over scenarios, in percent, and the model of all keys together.

    `m` and `u` are the chances that a variable agrees for the same record and for others, `p` the
    share of matching pairs; `unused` names the variables that carry no weight because m < u.
    `sampled` is as in `LinkageRisk`.
    """

    percent: float
    by_size: dict[int, float]
    by_subset: dict[tuple[str, ...], float]
    m: dict[str, float]
    u: dict[str, float]
    p: float
    unused: tuple[str, ...]
    sampled: Sampled | None = None


class Ranked(NamedTuple):
    """Ranks of the originals and of the distinct released rows, and who shares a row."""

    originals: FloatMatrix
    rows: FloatMatrix
    groups: Partition
    window: float


def probabilistic_linkage(
    original: Any,
    released: Any,
    keys: Sequence[Any] | None = None,
    tolerance: float = 0.01,
    subsets: Any = None,
    nominal: Sequence[Any] = (),
    progress: Progress | None = None,
    exact: bool = False,
) -> ProbabilisticRisk:
    """Probabilistic linkage: is the released record of the highest weight the record's own?

    An original and a released value agree when their ranks in the original column differ by at
    most `tolerance`·n (the released value is ranked by insertion). m, u and p are estimated by EM
    over the agreement patterns of all pairs, from m = 0.9, u the marginal rate of agreement and
    p = 1/n, until the likelihood stands still. A pair weighs Σ log(m/u) over the variables that
    agree plus Σ log((1−m)/(1−u)) over the others; a variable with m < u carries no weight. When t
    released records tie for the highest weight the link counts 1/t.

    Parameters
    ----------
    original, released : array-like or data frame
        The same records in the same order, in raw units.
    keys : list, optional
        The variables the intruder knows, at most 20; all if not given.
    tolerance : float, default=0.01
        Largest difference of ranks, as a share of n, at which values agree.
    subsets : None, "all", sizes or lists of columns, optional
        Which combinations of the keys are tried; None is all keys together.
    nominal : list, optional
        Columns whose numbers are codes of categories.
    progress : callable, optional
        Called with (stage, done, total).
    exact : bool, default=False
        Link all records, however long it takes. Otherwise a file that would take more than about
        half a minute is estimated from a random sample of its records (`sampled` in the result).

    Notes
    -----
    With more than 20 million pairs the patterns are counted for originals at equal steps through
    the file. A missing value agrees with nothing.

    Examples
    --------
    >>> import numpy as np
    >>> values = np.arange(40.0)[:, None]
    >>> probabilistic_linkage(values, values).percent
    100.0
    """
    require(Number(0.0, maximum=1.0, closed=True), tolerance=tolerance)
    pair = read_pair(original, released, keys, nominal)
    if len(pair.names) > MOST_KEYS:
        raise InvalidParameter(
            f"Probabilistic linkage takes at most {MOST_KEYS} keys; got {len(pair.names)}. Choose "
            "what an intruder is likely to know."
        )
    models: dict[tuple[str, ...], Model] = {}
    n = pair.original.shape[0]
    n_coordinates = sum(map(len, scenarios(pair.names, subsets)))
    work = n * pair.classes.n_groups * IN_WINDOWS * n_coordinates
    sample = sample_of(n, work, exact=exact)

    def link(part: Pair) -> FloatVector:
        ranked = _ranked(part, tolerance)
        models[part.names] = model = fit_model(_pattern_counts(ranked), pair.original.shape[0])
        return _links(ranked, model, sample)

    warn_if_misaligned(pair)
    of = None if sample is None else n
    risk = over_scenarios(pair, subsets, link, "probabilistic linkage", progress, of)
    model = models.get(pair.names) or fit_model(
        _pattern_counts(_ranked(pair, tolerance)), pair.original.shape[0]
    )
    return ProbabilisticRisk(
        *risk[:3],
        dict(zip(pair.names, map(float, model.m), strict=True)),
        dict(zip(pair.names, map(float, model.u), strict=True)),
        model.p,
        tuple(name for j, name in enumerate(pair.names) if model.m[j] < model.u[j]),
        risk.sampled,
    )


def _ranked(pair: Pair, tolerance: float) -> Ranked:
    groups, first = pair.classes, pair.first_of_class
    originals = np.empty_like(pair.original)
    rows = np.empty((first.size, len(pair.names)))
    window = tolerance * pair.original.shape[0]
    for j, name in enumerate(pair.names):
        if name in pair.nominal:
            # Categories agree when they are equal: ranks too far apart for any window.
            step = 2.0 * window + 1.0
            codes = np.unique(np.concatenate([pair.original[:, j], pair.released[:, j]]))
            originals[:, j] = _places(codes, pair.original[:, j], step)
            rows[:, j] = _places(codes, pair.released[first, j], step)
            continue
        column = np.sort(pair.original[~np.isnan(pair.original[:, j]), j])
        originals[:, j] = _rank(column, pair.original[:, j])
        rows[:, j] = _rank(column, pair.released[first, j])
    return Ranked(originals, rows, groups, window)


def _places(codes: FloatVector, values: FloatVector, step: float) -> FloatVector:
    return np.where(np.isnan(values), np.nan, np.searchsorted(codes, values) * step)


def _rank(column: FloatVector, values: FloatVector) -> FloatVector:
    """Middle of the places that a value takes, or would take, in the sorted column."""
    # The mean of equal values may be a last digit off.
    digit = 1e-12 * np.abs(values)
    low = np.searchsorted(column, values - digit)
    high = np.searchsorted(column, values + digit, side="right")
    return np.where(np.isnan(values), np.nan, (low + high - 1) / 2)


def _pattern_counts(ranked: Ranked) -> FloatVector:
    n, n_rows = ranked.originals.shape[0], ranked.rows.shape[0]
    sample = max(min(n, MOST_PAIRS // n_rows), 1)
    records = np.linspace(0, n - 1, sample).astype(np.int64)
    means = thread_count(), new_meter()
    pairs = ranked.originals, ranked.rows, ranked.groups.sizes
    return core.count_patterns(*pairs, ranked.window, records, *means)


def _links(ranked: Ranked, model: Model, sample: IntVector | None) -> FloatVector:
    """Chance of a link for each record, or for those of a sample."""
    originals, own = ranked.originals, ranked.groups.labels
    if sample is not None:
        originals, own = originals[sample], own[sample]
    useful = model.m >= model.u
    agree = np.where(useful, np.log(model.m / model.u), 0.0)
    disagree = np.where(useful, np.log((1 - model.m) / (1 - model.u)), 0.0)
    order = np.argsort(disagree - agree, kind="stable")  # the most telling variable first
    agree, disagree = agree[order], disagree[order]
    weights = np.zeros(1)  # of each pattern; a variable more doubles them
    for gained, missed in zip(agree, disagree, strict=True):
        weights = np.concatenate([weights + missed, weights + gained])
    # The rows by the most telling variable, and the originals too: those that are compared with
    # each other then lie together in memory.
    row_order = np.argsort(ranked.rows[:, order[0]], kind="stable")
    record_order = np.argsort(originals[:, order[0]], kind="stable")
    rows = ranked.rows[np.ix_(row_order, order)]
    columns = np.ascontiguousarray(rows.T)
    by_rank = np.argsort(columns, axis=1, kind="stable")  # NaN sorts last and lies in no window
    found = core.link_by_weight(
        originals[np.ix_(record_order, order)],
        rows,
        ranked.groups.sizes[row_order],
        np.argsort(row_order)[own[record_order]],
        ranked.window,
        weights,
        agree,
        disagree,
        columns,
        by_rank,
        np.take_along_axis(columns, by_rank, axis=1),
        thread_count(),
        new_meter(),
    )
    links = np.empty_like(found)
    links[record_order] = found
    return links


PROBABILISTIC_LINKAGE = Measure(
    name="probabilistic_linkage",
    label="probabilistic linkage (PLD)",
    meaning="Originals linked rightly by agreement of values, ties shared.",
    caveat="what an intruder with a good distance gets",
    kind="risk",
    function=probabilistic_linkage,
    take=lambda inputs: probabilistic_linkage(inputs.known, inputs.known, **inputs.linkage),
    needs=(Need.RECORDS, Need.KEYS),
    most_keys=MOST_KEYS,
    before=True,
    sampled=True,
    limit=True,
    position=70,
)
