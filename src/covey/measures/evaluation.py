"""evaluate: everything at once, in one object that prints, converts and draws itself."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import partial
from typing import Any

import narwhals as nw
import numpy as np

from covey.errors import DisclosureWarning, SchemaError, unknown_name
from covey.measures.loss import (
    CategoryLosses,
    DomingoTorraLoss,
    EigenvalueLoss,
    GeneralLoss,
    InformationLoss,
    ScaledLoss,
    VariableLosses,
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
    AchievedK,
    Diversity,
    Dominance,
    IntervalRisk,
    LinkageRisk,
    OutlierRisk,
    ProbabilisticRisk,
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
from covey.measures.risk.sampling import Sampled
from covey.measures.score import score
from covey.parameters import Flag, as_list, require
from covey.tables.aligning import with_codes
from covey.tables.frames import as_frame, backend_of
from covey.threads import in_parallel
from covey.types import Progress

# All subsets of so many keys are tried; with more, only all keys together.
MOST_KEYS_FOR_SUBSETS = 7

LABELS = {
    "il": "information loss (IL)",
    "g_il": "general information loss (G_IL)",
    "il_domingo_torra": "IL of Domingo-Ferrer & Torra (2001)",
    "il1s": "values moved, in SDs (IL1s)",
    "eigenvalues": "eigenvalue difference",
    "per_variable": "variance lost per variable, mean",
    "categories": "categories changed",
    "interval": "interval disclosure, records (ID)",
    "interval_values": "interval disclosure, values",
    "record_linkage": "record linkage (RLD)",
    "distance_linkage": "distance linkage (DLD)",
    "probabilistic_linkage": "probabilistic linkage (PLD)",
    "outlier_linkage": "linkage of the most extreme 5 %",
    "dominance": "dominated group means",
    "l_diversity": "records in groups with one secret",
}
OPTIONAL_RISKS = ("interval", "interval_values", "dominance", "l_diversity")
LOSSES = ("il", "g_il", "il_domingo_torra", "il1s", "eigenvalues", "per_variable", "categories")


@dataclass(frozen=True)
class Evaluation:
    """Loss and risk of a release; every part has its figure as ``.percent``.

    `probabilistic_linkage` is None with more than 20 keys, `l_diversity` when no confidential
    variables were given, `categories` without nominal variables, and everything that needs numbers
    when all variables are nominal. `compared` is the share of cells known in both files, in
    percent: losses look at these only. `backend` is the library of the frames that were compared.
    """

    il: InformationLoss | None
    g_il: GeneralLoss | None
    il_domingo_torra: DomingoTorraLoss | None
    il1s: ScaledLoss | None
    eigenvalues: EigenvalueLoss | None
    per_variable: VariableLosses | None
    categories: CategoryLosses | None
    interval: IntervalRisk | None
    interval_values: IntervalRisk | None
    record_linkage: LinkageRisk
    distance_linkage: LinkageRisk
    probabilistic_linkage: ProbabilisticRisk | None
    outlier_linkage: OutlierRisk
    achieved_k: AchievedK
    dominance: Dominance | None
    l_diversity: Diversity | None
    compared: float
    weight: float
    backend: Any = field(default=None, repr=False, compare=False)

    @property
    def g_dr(self) -> float:
        """General disclosure risk of Oommen & Fayyoumi (2010): (RLD + ID) / 2.

        RLD alone when all variables are nominal: there are no intervals then.
        """
        if self.interval is None:
            return self.record_linkage.percent
        return (self.record_linkage.percent + self.interval.percent) / 2

    @property
    def dr_domingo_torra(self) -> float | None:
        """DR of Domingo-Ferrer & Torra (2001): (DLD + PLD) / 4 + ID by values / 2."""
        if self.probabilistic_linkage is None or self.interval_values is None:
            return None
        linkage = self.distance_linkage.percent + self.probabilistic_linkage.percent
        return linkage / 4 + self.interval_values.percent / 2

    @property
    def score(self) -> float | None:
        """The scoring index SI: weight·G_IL + (1 − weight)·G_DR; lower is better."""
        return None if self.g_il is None else score(self.g_il, self.g_dr, self.weight)

    @property
    def score_domingo_torra(self) -> float | None:
        """Score of Domingo-Ferrer & Torra (2001), from their IL and DR."""
        loss, risk = self.il_domingo_torra, self.dr_domingo_torra
        return None if loss is None or risk is None else score(loss, risk, self.weight)

    def percents(self) -> dict[str, float]:
        """The figure of every part that was measured, by name."""
        parts = ((name, getattr(self, name)) for name in LABELS)
        return {name: part.percent for name, part in parts if part is not None}

    def estimates(self) -> dict[str, Sampled]:
        """What the linkages that were not taken of all records rest on, by name."""
        found = {name: getattr(getattr(self, name), "sampled", None) for name in LABELS}
        return {name: sampled for name, sampled in found.items() if sampled is not None}

    def margins(self) -> dict[str, float]:
        """Half widths of 95 % confidence intervals, in points, of figures that are estimates.

        Figures that are made of several estimates have the largest margin these can add up to.
        """
        margins = {name: sampled.margin for name, sampled in self.estimates().items()}
        linkage = [margins.get(f"{kind}_linkage", 0.0) for kind in ("distance", "probabilistic")]
        made = {"g_dr": margins.get("record_linkage", 0.0), "dr_domingo_torra": sum(linkage) / 4}
        if self.interval is not None:
            made["g_dr"] /= 2
        made["score"] = (1 - self.weight) * made["g_dr"]
        made["score_domingo_torra"] = (1 - self.weight) * made["dr_domingo_torra"]
        there = self.composites()
        return margins | {name: part for name, part in made.items() if part and name in there}

    def to_dict(self) -> dict[str, Any]:
        """All parts and their parts, as plain numbers, lists and dicts."""
        names = [part.name for part in fields(self) if part.name != "backend"]
        return {name: _plain(getattr(self, name)) for name in names} | self.composites()

    def to_json(self) -> str:
        return json.dumps(self.to_dict(), indent=2, allow_nan=False)

    def to_frame(self) -> Any:
        """A row per measure: kind, measure, percent, margin.

        The margin is that of `margins`; missing where the figure is no estimate.

        A frame of the library that the original was a frame of; a pyarrow Table if it was none.
        """
        import pyarrow as pa

        percents, margins = self.percents() | self.composites(), self.margins()
        kinds = {name: "loss" if name in LOSSES else "risk" for name in LABELS}
        table = pa.table(
            {
                "kind": [kinds.get(name, "both") for name in percents],
                "measure": list(percents),
                "percent": list(percents.values()),
                "margin": pa.array([margins.get(name) for name in percents], pa.float64()),
            }
        )
        if self.backend is None:
            return table
        return nw.from_arrow(nw.from_native(table), backend=self.backend).to_native()

    def composites(self) -> dict[str, float]:
        """G_DR, the DR of Domingo-Ferrer & Torra and the two scores, as far as they are there."""
        names = ("g_dr", "dr_domingo_torra", "score", "score_domingo_torra")
        return {name: getattr(self, name) for name in names if getattr(self, name) is not None}

    def plot(self, ax: Any = None) -> Any:
        """Bars of all losses and risks on matplotlib axes (new ones if not given)."""
        from covey.measures.drawing import draw_evaluation

        return draw_evaluation(self, ax)

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        percents, estimates = self.percents(), self.estimates()
        for heading, names in (("loss", LOSSES), ("risk", [n for n in LABELS if n not in LOSSES])):
            yield f"{heading:<42}percent"
            for name in names:
                if name in percents:
                    yield f"  {LABELS[name]:<38}{percents[name]:9.4f}"
                if name in estimates:
                    yield f"    {estimates[name]}"
        yield f"  {'k achieved':<38}{self.achieved_k.k:9d}"
        if self.compared < 100:
            yield f"  {'cells that could be compared':<38}{self.compared:9.4f}"
        if self.score is None:
            return
        yield "both"
        yield f"  {'score (G_IL and G_DR), lower is better':<38}{self.score:9.4f}"


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


def _plain(value: Any) -> Any:
    """Named tuples, arrays and numpy numbers as what JSON knows."""
    if hasattr(value, "_asdict"):
        return {name: _plain(part) for name, part in value._asdict().items()}
    if isinstance(value, dict):
        if any(isinstance(name, tuple) for name in value):
            return [{"columns": list(names), "percent": part} for names, part in value.items()]
        return {str(name): _plain(part) for name, part in value.items()}
    if isinstance(value, np.ndarray | tuple | list):
        return [_plain(part) for part in value]
    return value.item() if isinstance(value, np.generic) else value
