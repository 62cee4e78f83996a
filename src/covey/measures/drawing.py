"""An evaluation as a picture, drawn with matplotlib into a figure of the user's own.

In a notebook it stands beside other axes; the charts of the reports and of the app are specs in
`covey.reports.charts`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from covey.errors import missing_extra
from covey.measures.registry import get

if TYPE_CHECKING:
    from covey.measures.evaluation import Evaluation

LOSS, RISK, INK = "#0072B2", "#D55E00", "#333333"


def draw_evaluation(evaluation: Evaluation, ax: Any = None) -> Any:
    """Horizontal bars, losses above risks, each with its figure."""
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise missing_extra("Drawing", "matplotlib", "plot") from None
    percents = evaluation.percents()
    if ax is None:
        _, ax = plt.subplots(figsize=(8.5, 0.36 * len(percents) + 1.2), layout="constrained")
    shown = [get(name) for name in percents]
    colours = [LOSS if measure.kind == "loss" else RISK for measure in shown]
    bars = ax.barh([measure.label for measure in shown], list(percents.values()), color=colours)
    ax.bar_label(bars, fmt="%.2f", padding=4, fontsize=8, color=INK)
    ax.invert_yaxis()
    ax.spines[["top", "right"]].set_visible(False)
    ax.tick_params(colors=INK, labelsize=9)
    ax.margins(x=0.12)
    ax.set_xlabel("percent", color=INK)
    ax.set_title(
        _title(evaluation),
        fontsize=10,
        color=INK,
        loc="left",
    )
    return ax


def _title(evaluation: Evaluation) -> str:
    score = "" if evaluation.score is None else f", score {evaluation.score:.2f}"
    return f"k achieved {evaluation.achieved_k.k}{score}: loss in blue, risk in orange"
