"""compare: several techniques and k on the same data, on one risk–utility map."""

from __future__ import annotations

import json
import time
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import wrap
from typing import Any

from covey.errors import DisclosureWarning, Infeasible, InvalidParameter, memory_explained
from covey.measures import score
from covey.parameters import Number, as_list, require
from covey.progress import Stage
from covey.release.candidates import (
    Candidate,
    check_measures,
    dominates,
    figure,
    label_of,
    pareto_front,
    refuse_unused,
    refuse_varied,
    sizes_to_try,
    techniques_to_try,
)
from covey.release.prepared import Prepared, open_original, prepare
from covey.release.protecting import protect_prepared
from covey.release.release import Release
from covey.release.settings import Settings, plain, settings_of
from covey.reports.charts.risk_utility import Candidate as Point
from covey.sources.files import FileProblem
from covey.technique import Technique
from covey.techniques import get as get_technique
from covey.types import Progress

# A table for people; everything is in `to_frame` and in the file.
MOST_ROWS = 24


@dataclass(frozen=True)
class Comparison:
    """What was tried: candidates with loss and risk in percent, less is better in both.

    Attributes
    ----------
    candidates : tuple of Candidate
    loss, risk : str
        The measures that were compared.
    weight : float
        Weight of loss in the score.
    max_risk : float, optional
        The limit on risk, if there was one.
    n_infeasible : int
        Combinations that could not be made: a stratum below k, say.
    """

    candidates: tuple[Candidate, ...]
    loss: str
    risk: str
    weight: float
    max_risk: float | None = None
    n_infeasible: int = 0

    @property
    def best(self) -> Candidate:
        """The candidate with the lowest score: weight·loss + (1 − weight)·risk."""
        return min(self.candidates, key=lambda c: float("inf") if c.score is None else c.score)

    @property
    def chosen(self) -> Candidate:
        """The least loss whose risk is within the limit; without a limit, the best score."""
        if self.max_risk is None:
            return self.best
        safe = [c for c in self.candidates if c.risk is not None and c.risk <= self.max_risk]
        return min(safe, key=lambda c: c.loss) if safe else self.best

    @property
    def front(self) -> list[Candidate]:
        """The Pareto front: candidates that no other one beats in both loss and risk."""
        return pareto_front(self.candidates)

    def find(self, technique: str, k: int) -> Candidate:
        """The candidate of a technique and k."""
        for candidate in self.candidates:
            if (candidate.technique, candidate.k) == (technique.lower(), k):
                return candidate
        raise InvalidParameter(f"{technique} with k={k} was not compared.")

    def which_is_better(self, first: Candidate, second: Candidate) -> str:
        """Two candidates held against each other, by dominance and by score, in words."""
        unmeasured = [one.name for one in (first, second) if one.risk is None]
        if unmeasured:
            return f"The risk of {' and of '.join(unmeasured)} was not measured."
        for one, other in ((first, second), (second, first)):
            if dominates(one, other):
                return (
                    f"{one.name} is better than {other.name} without question: loss {one.loss:.2f} "
                    f"against {other.loss:.2f} and risk {one.risk:.2f} against {other.risk:.2f}."
                )
        if (first.loss, first.risk) == (second.loss, second.risk):
            return f"{first.name} and {second.name} are equally good."
        less, safer = sorted((first, second), key=lambda c: c.loss)
        better = min((first, second), key=lambda c: c.score or 0.0)
        return (
            f"{less.name} loses less ({less.loss:.2f} against {safer.loss:.2f}), {safer.name} is "
            f"safer (risk {safer.risk:.2f} against {less.risk:.2f}). With a weight of "
            f"{self.weight:g} on loss the score prefers {better.name} "
            f"({first.score:.2f} and {second.score:.2f})."
        )

    def to_frame(self) -> Any:
        """A pyarrow Table with a row per candidate, best score first."""
        import pyarrow as pa

        return pa.Table.from_pylist(self._rows())

    def to_dict(self) -> dict[str, Any]:
        """Everything, as plain values."""
        measures = {"loss": self.loss, "risk": self.risk, "weight": self.weight}
        measures["max_risk"] = self.max_risk
        return {**measures, "best": self.best.name, "candidates": self._rows()}

    def to_json(self) -> str:
        return json.dumps(self.to_dict(), indent=2, allow_nan=False)

    @classmethod
    def read(cls, path: str | Path) -> Comparison:
        """What `to_json` wrote."""
        try:
            stored = json.loads(Path(path).read_text(encoding="utf-8"))
            candidates = tuple(_restored(row) for row in stored["candidates"])
            measures = (stored["loss"], stored["risk"], stored["weight"], stored["max_risk"])
        except OSError as error:
            reason = error.strerror or "the system refused"
            raise FileProblem(f"{path} could not be read: {reason}.") from None
        except (ValueError, KeyError, TypeError):
            raise InvalidParameter(f"{path} is not a comparison that Covey saved.") from None
        return cls(candidates, *measures)

    def draw(self, path: str | Path, *, force: bool = False) -> None:
        """Write the risk–utility map as a picture: .svg or .png."""
        from covey.release.reporting import draw_comparison

        draw_comparison(self, Path(path), force=force)

    def points(self) -> list[Point]:
        """The candidates whose risk was measured, as the risk–utility map takes them."""
        return self.points_marking(self.chosen)

    def points_marking(self, marked: Candidate | None) -> list[Point]:
        """The same, with this candidate marked in place of the one that was chosen."""
        front = self.front
        return [
            {
                "technique": _class_name(c) + ("" if c.driving is None else " (tree)"),
                "k": c.k,
                "loss": c.loss,
                "risk": c.risk,
                "score": c.score,
                "front": c in front,
                "chosen": c is marked,
            }
            for c in self.candidates
            if c.risk is not None and c.score is not None
        ]

    def _rank(self, candidate: Candidate) -> tuple[bool, float, float]:
        """By score; in a search with a limit by loss, what was chosen and what is safe first."""
        if self.max_risk is None:
            return candidate.score is None, candidate.score or 0.0, candidate.loss
        above = candidate.risk is not None and candidate.risk > self.max_risk
        return above, candidate.loss, candidate.risk or 0.0

    def _rows(self) -> list[dict[str, Any]]:
        front, best, chosen = self.front, self.best, self.chosen
        ranked = sorted(self.candidates, key=self._rank)
        return [
            {
                "technique": c.technique,
                "k": c.k,
                "driving": None if c.driving is None else list(c.driving),
                "loss": c.loss,
                "risk": c.risk,
                "score": c.score,
                "achieved_k": c.achieved_k,
                "guarantee": c.guarantee,
                "front": c in front,
                "best": c is best,
                "chosen": c is chosen,
                "seconds": round(c.seconds, 3),
                "parameters": plain(c.parameters),
            }
            for c in ranked
        ]

    def __str__(self) -> str:
        rows = self._rows()
        shown = rows[:MOST_ROWS]
        names = [self._label(row) + _driven(row["driving"]) for row in shown]
        width = max(map(len, ["technique", *names])) + 2
        head = f"{'technique':<{width}}{'k':>4}{'loss':>10}{'risk':>10}{'score':>10}"
        lines = [f"loss: {label_of(self.loss)}; risk: {label_of(self.risk)}; in percent", head]
        for name, row in zip(names, shown, strict=True):
            figures = "".join(
                f"{'–' if row[column] is None else format(row[column], '.4f'):>10}"
                for column in ("loss", "risk", "score")
            )
            lines.append(f"{name:<{width}}{row['k']:>4}{figures}  {self._mark(row)}".rstrip())
        if len(rows) > len(shown):
            lines.append(f"… and {len(rows) - len(shown)} more")
        return "\n".join([*lines, *self._footnotes()])

    def _mark(self, row: dict[str, Any]) -> str:
        """What stands behind a line: the choice, and what tells the others apart."""
        if row["chosen"]:
            return "best score" if self.max_risk is None else "chosen"
        if self.max_risk is not None:
            above = row["risk"] is not None and row["risk"] > self.max_risk
            return "above the limit" if above else ""
        return "on the front" if row["front"] else ""

    def _label(self, row: dict[str, Any]) -> str:
        """The technique, with the parameters that tell it from another candidate of its name."""
        twins = [c.parameters for c in self.candidates if c.technique == row["technique"]]
        differing = [
            f"{name}={value}"
            for name, value in row["parameters"].items()
            if name != "variables" and any(other.get(name) != value for other in twins)
        ]
        return " ".join([row["technique"], *differing])

    def _footnotes(self) -> list[str]:
        """What the table has no room for."""
        sets = {c.driving for c in self.candidates if c.driving is not None}
        notes = [f"driven by {len(names)}: {', '.join(names)}" for names in sorted(sets)]
        if any(c.risk is None for c in self.candidates):
            notes.append(
                "–: not measured, for it loses no less than a release that was safe enough"
            )
        if self.n_infeasible:
            notes.append(f"{self.n_infeasible} more could not be made: too few records for k")
        return [line for note in notes for line in wrap(note, 79, subsequent_indent="  ")]


def _driven(driving: Sequence[str] | None) -> str:
    return "" if driving is None else f", driven by {len(driving)}"


def _class_name(candidate: Candidate) -> str:
    return get_technique(candidate.technique).__name__


def _restored(row: dict[str, Any]) -> Candidate:
    names = [name for name in Candidate._fields if name != "driving"]
    driving = None if row["driving"] is None else tuple(row["driving"])
    return Candidate(**{name: row[name] for name in names}, driving=driving)


@memory_explained()
def compare(
    data: Any,
    k: Sequence[int] | int = (3, 5, 10),
    techniques: Sequence[str | Technique] | None = None,
    *,
    loss: str | None = None,
    risk: str = "g_dr",
    weight_of_loss: float = 0.5,
    keys: Sequence[str] | None = None,
    progress: Progress | None = None,
    **roles: Any,
) -> Comparison:
    """Try every technique with every k and measure what comes out.

    Parameters
    ----------
    data : data frame, path of a file, database, or source
    k : int or list of int, default=(3, 5, 10)
    techniques : list of str or Technique, optional
        By default every technique with a joint guarantee for many variables. An instance is tried
        with each k in turn.
    loss, risk : str
        The measures to compare, as an `Evaluation` names them. The loss is "il" if not given, or
        "categories" when all variables are nominal; "g_il" with "g_dr" gives the
        scoring index of Oommen & Fayyoumi (2010).
    weight_of_loss : float, default=0.5
        Weight of loss in the score.
    keys : list of str, optional
        The variables an intruder may know; every quasi-identifier and stratum if not given.
    progress : callable, optional
        Called with (stage, done, total).
    **roles
        `identifiers`, `quasi_identifiers`, `strata` and all else that `protect` takes.
    """
    require(Number(0.0, maximum=1.0, closed=True), weight_of_loss=weight_of_loss)
    refuse_varied(roles)
    refuse_unused(roles)
    sizes, wanted = sizes_to_try(k), techniques_to_try(techniques)
    prepared = prepared_for(data, min(sizes), roles)
    loss = loss_measure(loss, prepared)
    check_measures(loss, risk)
    candidates, infeasible = [], []
    plan = [(technique, size) for technique in wanted for size in sizes]
    for done, (technique, size) in enumerate(plan):
        if progress is not None:
            progress(Stage.COMPARING, done, len(plan))
        settings = candidate_settings(technique, size, roles)
        try:
            release, seconds = timed_release(prepared, settings)
        except Infeasible as error:
            infeasible.append(error)
            continue
        evaluation = release.evaluate(keys=keys)
        candidates.append(
            as_candidate(
                release, seconds, figure(evaluation, loss), figure(evaluation, risk), weight_of_loss
            )
        )
    if progress is not None:
        progress(Stage.COMPARING, len(plan), len(plan))
    if not candidates:
        raise infeasible[0]
    return Comparison(tuple(candidates), loss, risk, weight_of_loss, None, len(infeasible))


def prepared_for(data: Any, k: int, roles: dict[str, Any]) -> Prepared:
    """The columns that all candidates share, read once."""
    settings = Settings.from_dict({"k": k, **roles})
    return prepare(open_original(data, None, settings.reading), settings)


def loss_measure(wanted: str | None, prepared: Prepared) -> str:
    """The measure of loss that was asked for, or one that the variables can have."""
    if wanted is not None:
        return wanted
    all_nominal = all(variable.kind == "nominal" for variable in prepared.variables)
    return "categories" if all_nominal else "il"


def candidate_settings(technique: str | Technique, k: int, roles: dict[str, Any]) -> Settings:
    """Settings of one candidate: a technique with this k."""
    if isinstance(technique, Technique):
        given = {**settings_of(technique, None), "k": k}
    else:
        given = settings_of(technique, k)
    return Settings.from_dict({**given, **roles})


def timed_release(prepared: Prepared, settings: Settings) -> tuple[Release, float]:
    """A release and the seconds it took; a per-block guarantee is in the result, not a warning."""
    started = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DisclosureWarning)
        release = protect_prepared(prepared, settings)
    return release, time.perf_counter() - started


def as_candidate(
    release: Release, seconds: float, loss: float, risk: float | None, weight: float
) -> Candidate:
    """What is kept of a release that was tried."""
    parameters = dict(release.settings.parameters)
    driving = parameters.get("variables")
    return Candidate(
        technique=release.technique.describe().name,
        k=int(release.settings.k),
        driving=None if driving is None else tuple(map(str, as_list(driving))),
        loss=loss,
        risk=risk,
        score=None if risk is None else score(loss, risk, weight),
        achieved_k=release.achieved_k,
        guarantee=release.technique.guarantee_,
        seconds=seconds,
        parameters=parameters,
    )
