"""Loss and risk of a release in one object that prints, converts and draws itself."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from typing import Any

import narwhals as nw
import numpy as np

from covey.measures.loss import (
    CategoryLosses,
    DomingoTorraLoss,
    EigenvalueLoss,
    GeneralLoss,
    InformationLoss,
    ScaledLoss,
    VariableLosses,
)
from covey.measures.risk import (
    AchievedK,
    Diversity,
    Dominance,
    IntervalRisk,
    LinkageRisk,
    OutlierRisk,
    ProbabilisticRisk,
)
from covey.measures.risk.sampling import Sampled
from covey.measures.score import score

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
