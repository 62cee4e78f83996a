"""tune: the least loss whose risk stays below a limit."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from covey import measures
from covey.errors import DisclosureWarning, Infeasible, InvalidParameter, memory_explained
from covey.measures.all_measures import take_one
from covey.parameters import Number, Whole, require
from covey.progress import Stage
from covey.release.candidates import (
    Candidate,
    check_measures,
    figure,
    known_figure,
    refuse_varied,
    sizes_to_try,
    techniques_to_try,
)
from covey.release.comparing import (
    Comparison,
    as_candidate,
    candidate_settings,
    loss_measure,
    prepared_for,
    timed_release,
)
from covey.release.prepared import Prepared
from covey.release.release import Release
from covey.release.settings import Settings
from covey.selection import DependenceTree
from covey.technique import Technique
from covey.types import Progress

SIZES = (2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 20)


@dataclass(frozen=True)
class Tuning:
    """The release that was chosen, and the search that led to it.

    Attributes
    ----------
    release : Release
        The release with the least loss among those whose risk is at most `max_risk`. Its settings
        hold that limit as a threshold of the risk that was compared, so that reports show it.
    chosen : Candidate
        The same as a candidate.
    search : Comparison
        Everything that was tried. A candidate without a risk lost no less than the best so far, so
        its risk did not matter and was not measured.
    """

    release: Release
    chosen: Candidate
    search: Comparison
    max_risk: float

    def __str__(self) -> str:
        tried = self.search.candidates
        return (
            f"{self.chosen.name}: loss {self.chosen.loss:.4f}, risk {self.chosen.risk:.4f} "
            f"(limit {self.max_risk:g}): the least loss within the limit, of "
            f"{len(tried)} candidates."
        )


@memory_explained()
def tune(
    data: Any,
    max_risk: float,
    *,
    k: Sequence[int] | int = SIZES,
    techniques: Sequence[str | Technique] | None = None,
    driving: Sequence[int] = (3,),
    loss: str | None = None,
    risk: str = "g_dr",
    weight_of_loss: float = 0.5,
    keys: Sequence[str] | None = None,
    progress: Progress | None = None,
    **roles: Any,
) -> Tuning:
    """Find the release with the least loss whose risk is at most `max_risk` percent.

    Every combination of technique, k and driving variables is grouped and its loss is taken; the
    risk, which costs more, is measured only where the loss would be the least so far. So the
    result is the optimum of the whole grid.

    Parameters
    ----------
    data : data frame, path of a file, database, or source
    max_risk : float
        Highest risk allowed, in percent.
    k, techniques, loss, risk, weight_of_loss, keys, progress, **roles
        As in `compare`.
    driving : list of int, default=(3,)
        Numbers of driving variables to try beside all of them, chosen by a dependence tree: with
        (3, 5) every technique that can is also driven by the best three and the best five.
    """
    require(Number(0.0, maximum=100.0, closed=True), max_risk=max_risk)
    require(Number(0.0, maximum=1.0, closed=True), weight_of_loss=weight_of_loss)
    refuse_varied(roles)
    if isinstance(driving, str) or not isinstance(driving, Sequence):
        raise InvalidParameter(f"driving must be a list of whole numbers; got {driving!r}.")
    for count in driving:
        require(Whole(1), driving=count)
    sizes = sizes_to_try(k)
    prepared = prepared_for(data, min(sizes), roles)
    loss = loss_measure(loss, prepared)
    check_measures(loss, risk)
    plan = list(_plan(prepared, sizes, techniques_to_try(techniques), driving, roles))
    best: tuple[Release, Candidate] | None = None
    tried = []
    infeasible = []
    for done, settings in enumerate(plan):
        if progress is not None:
            progress(Stage.SEARCHING, done, len(plan))
        try:
            release, seconds = timed_release(prepared, settings)
        except Infeasible as error:
            infeasible.append(error)
            continue
        lost = loss_of(release, loss)
        found = None
        if best is None or lost < best[1].loss:
            found = figure(release.evaluate(keys=keys), risk)
        candidate = as_candidate(release, seconds, lost, found, weight_of_loss)
        tried.append(candidate)
        if found is not None and found <= max_risk:
            best = release, candidate
    if progress is not None:
        progress(Stage.SEARCHING, len(plan), len(plan))
    if not tried:
        raise infeasible[0]
    search = Comparison(tuple(tried), loss, risk, weight_of_loss, max_risk, len(infeasible))
    if best is None:
        raise Infeasible(_nothing_found(search, max_risk))
    for text in best[0].provenance.warnings:
        warnings.warn(text, DisclosureWarning, stacklevel=2)
    release = with_limit(best[0], risk, max_risk, keys)
    return Tuning(release, best[1], search, max_risk)


def with_limit(release: Release, risk: str, max_risk: float, keys: Sequence[str] | None) -> Release:
    """The release with the limit of the search among its thresholds.

    A limit that was set on the same measure stays if it is lower. Thresholds are for an intruder
    who knows everything: a limit for one who knows some `keys` is none of them.
    """
    if keys is not None:
        return release
    limits = dict(release.settings.thresholds)
    limits[risk] = min(max_risk, limits.get(risk, max_risk))
    return replace(release, settings=release.settings.changed(thresholds=limits))


def loss_of(release: Release, measure: str) -> float:
    """One measure of loss, without measuring the risk."""
    coded, declared = release.coded, measures.get(measure)
    part = take_one(declared, coded.original, coded.released, coded.nominal, coded.strata)
    return known_figure(None if part is None else declared.figure(part), measure)


def _plan(
    prepared: Prepared,
    sizes: list[int],
    wanted: list[str | Technique],
    driving: Sequence[int],
    roles: dict[str, Any],
) -> Iterator[Settings]:
    """All candidates, smaller k first: they lose less, so that later ones can be passed over."""
    for size in sizes:
        for technique in wanted:
            settings = candidate_settings(technique, size, roles)
            yield settings
            if "variables" not in settings.instance().parameters:
                continue
            ordered = sum(variable.kind != "nominal" for variable in prepared.variables)
            for count in driving:
                if count <= ordered and count < len(prepared.variables):
                    tree = DependenceTree(n_variables=count)
                    yield settings.changed(parameters={**settings.parameters, "variables": tree})


def _nothing_found(search: Comparison, max_risk: float) -> str:
    safest = min((c for c in search.candidates if c.risk is not None), key=lambda c: c.risk or 0.0)
    return (
        f"No candidate has a risk of at most {max_risk:g} %: the safest of "
        f"{len(search.candidates)} is {safest.name} with {safest.risk:.2f} %. "
        "Allow more risk, a larger k, or release fewer "
        "variables."
    )
