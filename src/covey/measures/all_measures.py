"""`evaluate`: every measure at once."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from covey.errors import DisclosureWarning, SchemaError, unknown_name
from covey.measures.evaluation import LOSSES, Evaluation
from covey.measures.loss import (
    category_losses,
    eigenvalues,
    g_il,
    il,
    il1s,
    il_domingo_torra,
    per_variable,
)
from covey.measures.pairs import Pair, column_numbers, read_pair
from covey.measures.risk import (
    achieved_k,
    distance_linkage,
    dominance,
    interval_disclosure,
    l_diversity,
    outlier_linkage,
    probabilistic_linkage,
    record_linkage,
)
from covey.measures.risk.intruder import warn_if_misaligned
from covey.measures.risk.probabilistic_linkage import MOST_KEYS
from covey.parameters import Flag, as_list, require
from covey.tables.aligning import with_codes
from covey.tables.frames import as_frame, backend_of
from covey.threads import in_parallel
from covey.types import Progress

# All subsets of so many keys are tried; with more, only all keys together.
MOST_KEYS_FOR_SUBSETS = 7
OPTIONAL_RISKS = ("interval", "interval_values", "dominance", "l_diversity")


def evaluate(
    original: Any,
    released: Any,
    keys: Sequence[Any] | None = None,
    confidential: Any = None,
    weight: float = 0.5,
    subsets: Any = "auto",
    nominal: Sequence[Any] = (),
    ordinal: Sequence[Any] = (),
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
    backend = backend_of(original)
    if confidential is not None:
        original, released, confidential = _apart(original, released, confidential)
    coded = with_codes(original, released)
    named = (*as_list(nominal), *(name for name in coded.nominal if name not in as_list(nominal)))
    pair = read_pair(coded.original, coded.released, nominal=named)
    numbers = range(len(pair.names)) if keys is None else column_numbers(keys, pair.names)
    known = [pair.names[j] for j in numbers]
    if isinstance(subsets, str) and subsets == "auto":
        subsets = "all" if len(known) <= MOST_KEYS_FOR_SUBSETS else None
    if not aligned:
        warn_if_misaligned(pair)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DisclosureWarning)  # said once, above
        ranks = [pair.names[j] for j in column_numbers(ordinal, pair.names)] if ordinal else []
        found = _measured(pair, known, confidential, weight, subsets, ranks, progress, exact=exact)
    return replace(found, backend=backend)


def risks_of_original(
    original: Any, nominal: Sequence[str], progress: Progress | None = None, *, exact: bool = False
) -> Evaluation:
    """Interval disclosure and linkage when the original is released as it is."""
    pair = read_pair(original, original, nominal=nominal)
    subsets = "all" if len(pair.names) <= MOST_KEYS_FOR_SUBSETS else None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DisclosureWarning)
        return _measured(
            pair,
            list(pair.names),
            None,
            0.5,
            subsets,
            [],
            progress,
            losses=False,
            exact=exact,
        )


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


def _measured(
    pair: Pair,
    keys: list[str],
    confidential: Any,
    weight: float,
    subsets: Any,
    ordinal: list[str],
    progress: Progress | None,
    *,
    losses: bool = True,
    exact: bool = False,
) -> Evaluation:
    """Every measure, of files that were read; risks alone without `losses`."""
    _ = pair.classes, pair.known  # what the tasks share comes before them
    known = pair.select(column_numbers(keys, pair.names))
    _ = known.classes
    tasks: dict[str, Callable[[], Any]] = {
        **(_losses(pair) if losses else {}),
        **_number_risks(pair.numbers(), keys),
        "achieved_k": lambda: achieved_k(known),
    }
    without = tuple(name for name in pair.names if name in (*pair.nominal, *ordinal))
    if losses and len(without) < len(pair.names):
        tasks["dominance"] = lambda: dominance(pair, pair, nominal=without)
    if confidential is not None:
        tasks["l_diversity"] = lambda: l_diversity(known, confidential)
    parts: dict[str, Any] = dict.fromkeys((*LOSSES, *OPTIONAL_RISKS))
    parts |= zip(tasks, in_parallel(lambda task: task(), tasks.values()), strict=True)
    linkage: Any = {"progress": progress, "exact": exact}
    return Evaluation(
        **parts,
        record_linkage=record_linkage(known, known, subsets=subsets, **linkage),
        distance_linkage=distance_linkage(known, known, **linkage),
        probabilistic_linkage=(
            probabilistic_linkage(known, known, **linkage) if len(keys) <= MOST_KEYS else None
        ),
        outlier_linkage=outlier_linkage(known, known, **linkage),
        compared=100.0 * float(pair.known.mean()),
        weight=weight,
    )


def _losses(pair: Pair) -> dict[str, Callable[[], Any]]:
    """Every loss that the variables can have."""
    measures = (il, g_il, il_domingo_torra, il1s, eigenvalues, per_variable)
    numbers = pair.numbers()
    tasks: dict[str, Callable[[], Any]] = {}
    if numbers.names:
        tasks = {measure.__name__: partial(measure, numbers, numbers) for measure in measures}
    if pair.nominal:
        tasks["categories"] = lambda: category_losses(pair, pair, pair.nominal)
    return tasks


def _number_risks(numbers: Pair, keys: list[str]) -> dict[str, Callable[[], Any]]:
    """Interval disclosure, which only numbers can have."""
    known = [name for name in keys if name in numbers.names]
    if not known:
        return {}
    return {
        "interval": lambda: interval_disclosure(numbers, numbers),
        "interval_values": lambda: interval_disclosure(numbers, numbers, known, method="value"),
    }
