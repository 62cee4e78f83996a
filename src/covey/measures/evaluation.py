"""Loss and risk of a release in one object that prints, converts and draws itself."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import narwhals as nw
import numpy as np

from covey.measures.measure import KINDS, Measure
from covey.measures.registry import available, get, is_known
from covey.measures.risk.sampling import Sampled

# What stands above the measures of a kind; counts stand below the risks.
HEADINGS = {"loss": f"{'loss':<42}percent", "risk": f"{'risk':<42}percent", "score": "both"}


@dataclass(frozen=True)
class Evaluation:
    """Loss and risk of a release: an attribute for every measure, as `covey.measures` lists them.

    What was measured has its figure as ``.percent`` and its parts beside it
    (``evaluation.il.percent``); what is made of others, such as ``evaluation.g_dr`` and
    ``evaluation.score``, is a number. A measure that the data cannot have is None:
    `probabilistic_linkage` with more than 20 keys, `l_diversity` without confidential variables,
    `categories` without nominal ones, and everything that needs numbers when all are nominal.

    Parameters
    ----------
    parts : mapping
        What was measured, by name.
    compared : float
        The share of cells known in both files, in percent: losses look at these only.
    weight : float
        Weight of loss in the scores.
    backend : module, optional
        The library of the frames that were compared.
    """

    parts: Mapping[str, Any]
    compared: float
    weight: float
    backend: Any = field(default=None, repr=False, compare=False)

    def __getattr__(self, name: str) -> Any:
        if not is_known(name):
            raise AttributeError(f"An evaluation has no measure {name!r}.")
        return self.figure(name) if get(name).is_composite else self.parts.get(name)

    def __dir__(self) -> Iterable[str]:
        """Measures are attributes too, for those who complete names."""
        return [*super().__dir__(), *(measure.name for measure in available())]

    def figure(self, name: str) -> float | None:
        """The figure of a measure; None if it could not be taken."""
        measure = get(name)
        if measure.made_of is None:
            part = self.parts.get(name)
            return None if part is None else measure.figure(part)
        weights = measure.made_of(self)
        figures = [self.figure(part) for part in weights]
        pairs = list(zip(weights.values(), figures, strict=True))
        if any(figure is None for figure in figures):
            return None
        return sum(weight * figure for weight, figure in pairs if figure is not None)

    def percents(self) -> dict[str, float]:
        """The figure of every part that is a share and was measured, by name."""
        return {
            measure.name: measure.figure(self.parts[measure.name])
            for measure in available()
            if measure.unit == "percent" and measure.name in self.parts
        }

    def composites(self) -> dict[str, float]:
        """Figures that are made of others (G_DR, DR, the scores), as far as they are there."""
        figures = {m.name: self.figure(m.name) for m in available() if m.is_composite}
        return {name: figure for name, figure in figures.items() if figure is not None}

    def estimates(self) -> dict[str, Sampled]:
        """What the measures that were not taken of all records rest on, by name."""
        found = {name: getattr(part, "sampled", None) for name, part in self.parts.items()}
        return {name: sampled for name, sampled in found.items() if sampled is not None}

    def margins(self) -> dict[str, float]:
        """Half widths of 95 % confidence intervals, in points, of figures that are estimates.

        Figures that are made of several estimates have the largest margin these can add up to.
        """
        names = [*self.parts, *self.composites()]
        margins = {name: self._margin(get(name)) for name in names}
        return {name: margin for name, margin in margins.items() if margin}

    def _margin(self, measure: Measure) -> float:
        if measure.made_of is None:
            sampled = getattr(self.parts[measure.name], "sampled", None)
            return 0.0 if sampled is None else float(sampled.margin)
        weights = measure.made_of(self)
        return sum(weight * self._margin(get(name)) for name, weight in weights.items())

    def to_dict(self) -> dict[str, Any]:
        """All parts and their parts, as plain numbers, lists and dicts."""
        names = [measure.name for measure in available() if not measure.is_composite]
        found = {name: _plain(self.parts.get(name)) for name in names}
        return {**found, "compared": self.compared, "weight": self.weight, **self.composites()}

    def to_json(self) -> str:
        """What `to_dict` has, as text."""
        return json.dumps(self.to_dict(), indent=2, allow_nan=False)

    def to_frame(self) -> Any:
        """A row per measure: kind, measure, percent, margin.

        The margin is that of `margins`; missing where the figure is no estimate.

        A frame of the library that the original was a frame of; a pyarrow Table if it was none.
        """
        import pyarrow as pa

        percents, margins = self.percents() | self.composites(), self.margins()
        table = pa.table(
            {
                "kind": [_kind_in_table(get(name)) for name in percents],
                "measure": list(percents),
                "percent": list(percents.values()),
                "margin": pa.array([margins.get(name) for name in percents], pa.float64()),
            }
        )
        if self.backend is None:
            return table
        return nw.from_arrow(nw.from_native(table), backend=self.backend).to_native()

    def plot(self, ax: Any = None) -> Any:
        """Bars of all losses and risks on matplotlib axes (new ones if not given)."""
        from covey.measures.drawing import draw_evaluation

        return draw_evaluation(self, ax)

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        for kind in KINDS:
            shown = [line for measure in available(kind) for line in self._lines_of(measure)]
            if shown and kind in HEADINGS:
                yield HEADINGS[kind]
            yield from shown
            if kind == "count" and self.compared < 100:
                yield f"  {'cells that could be compared':<38}{self.compared:9.4f}"

    def _lines_of(self, measure: Measure) -> Iterator[str]:
        """A measure with its figure, and what this rests on if it is an estimate."""
        figure = self.figure(measure.name) if measure.printed else None
        if figure is None:
            return
        yield f"  {measure.label:<38}{measure.shown(figure)}"
        sampled = self.estimates().get(measure.name)
        if sampled is not None:
            yield f"    {sampled}"


def _kind_in_table(measure: Measure) -> str:
    return "both" if measure.kind == "score" else measure.kind


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
