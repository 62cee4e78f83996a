"""`evaluate`: every measure at once."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from typing import Any

from covey.errors import DisclosureWarning, SchemaError, unknown_name
from covey.measures.evaluation import Evaluation
from covey.measures.inputs import Inputs, read_inputs
from covey.measures.measure import Measure
from covey.measures.registry import available
from covey.measures.risk.intruder import warn_if_misaligned
from covey.parameters import Flag, Number, as_list, require
from covey.tables.aligning import with_codes
from covey.tables.frames import as_frame, backend_of
from covey.threads import in_parallel
from covey.types import Progress


def evaluate(
    original: Any,
    released: Any,
    keys: Sequence[Any] | None = None,
    confidential: Any = None,
    weight: float = 0.5,
    subsets: Any = "auto",
    nominal: Sequence[Any] = (),
    ordinal: Sequence[Any] = (),
    strata: Sequence[Any] = (),
    aligned: bool = False,
    progress: Progress | None = None,
    exact: bool = False,
) -> Evaluation:
    """Measure everything.

    Parameters
    ----------
    original, released : array-like or data frame
        The same records in the same order and the same columns, in raw units. Text, categories and
        true/false of data frames count as nominal.
    keys : list, optional
        The variables an intruder may know; all if not given. Linkage and interval disclosure by
        values look at these; loss is taken over all columns.
    confidential : array-like or data frame, or names of columns, optional
        Confidential variables of the same records, for l-diversity. Columns of the original that
        are named are left out of what is compared.
    weight : float, default=0.5
        Weight of loss in the score.
    subsets : "auto", None, "all", sizes or lists of columns, default="auto"
        The combinations of keys that record linkage tries; "auto" is all of them up to seven keys,
        and all keys together beyond.
    nominal : list, optional
        Columns whose numbers are codes of categories: losses are taken over the other columns.
    ordinal : list, optional
        Columns whose numbers have an order but no zero (ranks, dates): nobody contributes to a
        total of these, so they are left out of dominance.
    strata : list, optional
        Nominal columns that groups do not cross: no group can change them, so they do not count
        among the categories that changed.
    aligned : bool, default=False
        The rows are known to be in the same order: do not warn when they look as if they were not.
    progress : callable, optional
        Called with (stage, done, total).
    exact : bool, default=False
        Link all records, however long it takes. Otherwise a linkage that would take more than
        about half a minute is estimated from a random sample of the records; the evaluation then
        shows the margin.

    Examples
    --------
    >>> original = [[1.0, 2.0], [3.0, 5.0], [7.0, 7.0], [9.0, 8.0]]
    >>> released = [[2.0, 3.5], [2.0, 3.5], [8.0, 7.5], [8.0, 7.5]]
    >>> evaluate(original, released).achieved_k.k
    2
    """
    require(Flag(), exact=exact)
    require(Number(0.0, maximum=1.0, closed=True), weight=weight)
    backend = backend_of(original)
    if confidential is not None:
        original, released, confidential = _apart(original, released, confidential)
    coded = with_codes(original, released)
    named = (*as_list(nominal), *(name for name in coded.nominal if name not in as_list(nominal)))
    inputs = read_inputs(
        coded.original,
        coded.released,
        keys,
        subsets,
        named,
        ordinal,
        strata,
        confidential=confidential,
        progress=progress,
        exact=exact,
    )
    if not aligned:
        warn_if_misaligned(inputs.pair)
    return _evaluated(inputs, available(), weight, backend)


def risks_of_original(
    original: Any, nominal: Sequence[str], progress: Progress | None = None, *, exact: bool = False
) -> Evaluation:
    """What says something about the original too, when it is released as it is."""
    inputs = read_inputs(original, original, nominal=nominal, progress=progress, exact=exact)
    return _evaluated(inputs, (measure for measure in available() if measure.before))


def take_one(
    measure: Measure,
    original: Any,
    released: Any,
    nominal: Sequence[str] = (),
    strata: Sequence[str] = (),
) -> Any:
    """One measure alone; None if the data cannot have it.

    Examples
    --------
    >>> from covey.measures import get
    >>> take_one(get("il"), [[1.0], [3.0]], [[2.0], [2.0]]).percent
    100.0
    """
    inputs = read_inputs(original, released, nominal=nominal, strata=strata)
    return _evaluated(inputs, [measure]).parts.get(measure.name)


def _apart(original: Any, released: Any, confidential: Any) -> tuple[Any, Any, Any]:
    """Both files without the confidential columns, if these are named, and those columns."""
    names = as_list(confidential)
    frames = as_frame(original), as_frame(released)
    named = isinstance(names, Sequence) and all(isinstance(name, str) for name in names)
    if not named or frames[0] is None or frames[1] is None:
        return original, released, confidential
    first, second = frames[0].wrapped, frames[1].wrapped
    for name in names:
        if name not in first.columns:
            raise SchemaError(unknown_name("column", name, first.columns))
    rest = [frame.drop(names, strict=False).to_native() for frame in (first, second)]
    return rest[0], rest[1], first.select(names).to_native()


def _evaluated(
    inputs: Inputs, measures: Iterable[Measure], weight: float = 0.5, backend: Any = None
) -> Evaluation:
    """The measures that the inputs can have, of files that were read."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DisclosureWarning)  # said once, by `evaluate`
        parts = _taken(inputs, list(measures))
    compared = 100.0 * float(inputs.pair.known.mean())
    return Evaluation(parts, compared, weight, backend)


def _taken(inputs: Inputs, measures: Sequence[Measure]) -> dict[str, Any]:
    """Results by name: the quick measures side by side, then those that take all threads."""
    if len(measures) > 1:
        inputs.settle()
    tasks = {m.name: (m.take, m.sampled) for m in measures if m.take and inputs.suits(m)}
    quick = {name: take for name, (take, sampled) in tasks.items() if not sampled}
    found = dict(zip(quick, in_parallel(lambda take: take(inputs), quick.values()), strict=True))
    return found | {name: take(inputs) for name, (take, sampled) in tasks.items() if sampled}
