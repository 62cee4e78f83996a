"""The risk–utility map of the reports, on which a point opens what it stands for."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from covey.reports.charts import risk_utility, svg
from covey.reports.charts.rendering import Handles
from covey.reports.charts.risk_utility import CANDIDATES, Candidate
from covey.reports.charts.theme import Spec

if TYPE_CHECKING:
    from covey.app.pages.tried import Tried
    from covey.release.comparing import Comparison

WIDTH, HEIGHT = 760, 360


def risk_map(all_tried: Sequence[Tried], comparison: Comparison, loss: str, risk: str) -> str:
    """The map as SVG; `loss` and `risk` are what the two measures are called."""
    shown = [tried for tried in all_tried if tried.candidate.risk is not None]
    points = [_point(tried, comparison) for tried in shown]
    titles = f"loss: {loss}, in percent", f"risk: {risk}, in percent"
    spec = risk_utility(points, *titles, width=WIDTH, height=HEIGHT)
    return _drawn(json.dumps(spec), json.dumps({CANDIDATES: [_handle(tried) for tried in shown]}))


@lru_cache(maxsize=32)
def _drawn(spec: str, handles: str) -> str:
    """Drawn once, however often the page is built anew."""
    read_spec: Spec = json.loads(spec)
    read_handles: Handles = json.loads(handles)
    return svg(read_spec, read_handles)


def _point(tried: Tried, comparison: Comparison) -> Candidate:
    candidate = tried.candidate
    return {
        "technique": tried.title,
        "k": candidate.k,
        "loss": candidate.loss,
        "risk": candidate.risk or 0.0,
        "score": candidate.score or 0.0,
        "front": candidate in comparison.front,
        "chosen": candidate is comparison.best,
    }


def _handle(tried: Tried) -> dict[str, str]:
    """What a point answers to, and what it says."""
    tip = _tip(tried)
    return {
        "id": f"spot-{tried.number}",
        "class": "run" if tried.run is not None else "run tried",
        "role": "button",
        "tabindex": "0",
        "aria-label": tip,
        "data-spot": str(tried.number),
        "data-tip": tip,
    }


def _tip(tried: Tried) -> str:
    candidate = tried.candidate
    what = "Click to open it" if tried.run is not None else "Tried, not made: click to compare it"
    return f"{tried.name}\nloss {candidate.loss:.2f} %, risk {candidate.risk:.2f} %\n{what}"
