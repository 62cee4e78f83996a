"""Recompute the tables and the figure on risk in docs/papers.md.

About ten minutes:  python -m benchmarks.papers_risk
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from typing import Any

import matplotlib
import numpy as np
from tests.papers import published

from benchmarks.pages import ROOT, fill, table
from benchmarks.papers import data
from covey.errors import DisclosureWarning
from covey.measures import (
    distance_linkage,
    g_il,
    il_domingo_torra,
    interval_disclosure,
    probabilistic_linkage,
    record_linkage,
)
from covey.techniques import EGMMAT, IAMAT, MDAV, RGMAT, Projected

matplotlib.use("agg")
import matplotlib.pyplot as plt


@cache
def scores(name: str, technique: str, k: int) -> tuple[float, ...]:
    """G_IL, RLD, ID, G_DR and SI as the texts of 2010 and 2021 define them."""
    X = data(name)
    makers: dict[str, Any] = {
        "MDAV": lambda: MDAV(k=k, groups_per_round=1),
        "IAMAT": lambda: IAMAT(k=k),
        "RGMAT": lambda: RGMAT(k=k),
        "EGMMAT": lambda: EGMMAT(k=k, dome_size=published.DOMES_2021[name][k]),
    }
    released = makers[technique]().fit_transform(X)
    loss = g_il(X, released).percent
    linkage = record_linkage(X, released, keys=published.KEYS[name], ties="linked").percent
    interval = interval_disclosure(X, released).percent
    risk = (linkage + interval) / 2
    return loss, linkage, interval, risk, (loss + risk) / 2


def score_rows(name: str, cells: Any) -> Iterator[list[str]]:
    for technique, by_k in cells.items():
        for k, printed in by_k.items():
            ours = scores(name, technique, k)
            pairs = (f"{p:.2f} / {o:.2f}" for p, o in zip(printed, ours, strict=True))
            yield [name, technique, str(k), *pairs]


HEADINGS = ["file", "technique", "k", "G_IL", "RLD", "ID", "G_DR", "SI"]


def scores_2010() -> str:
    return table(HEADINGS, score_rows("census", published.SCORES_2010))


def scores_2021() -> str:
    rows = [row for name, cells in published.SCORES_2021.items() for row in score_rows(name, cells)]
    return table(HEADINGS, rows)


def projections_2008() -> str:
    """IL, DLD, PLD, ID and score of 27 methods on two files, published / ours."""
    rows = []
    for (v, projection, k), (eia, census) in published.PROJECTIONS_2008.items():
        for name, printed in (("eia10", eia), ("census", census)):
            ours = projected_scores(name, v, projection, k)
            pairs = (f"{p:.2f} / {o:.2f}" for p, o in zip(printed, ours, strict=True))
            rows.append([name, v, projection, k, *pairs])
    return table(["file", "v", "projection", "k", "IL", "DLD", "PLD", "ID", "score"], rows)


def projected_scores(name: str, v: int, projection: str, k: int) -> tuple[float, ...]:
    X = data(name)
    technique = Projected(k=k, projection=projection, block_size=v)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DisclosureWarning)
        released = technique.fit_transform(X)
        blocks = [block.variables for block in technique.blocks_]
        known = [
            [j for block in chosen for j in block]
            for count in range(2, len(blocks) + 1)
            for chosen in combinations(blocks, count)
        ]
        loss = il_domingo_torra(X, released).percent
        distance = np.mean(list(distance_linkage(X, released, subsets=known).by_subset.values()))
        chance = np.mean(list(probabilistic_linkage(X, released, subsets=known).by_subset.values()))
        interval = interval_disclosure(X, released, method="value").percent
    risk = 0.25 * distance + 0.25 * chance + 0.5 * interval
    return loss, float(distance), float(chance), interval, float(0.5 * loss + 0.5 * risk)


def picture() -> None:
    """Figures 1 of 2010 and 2021: G_IL against G_DR on Census for k = 3, 4, 5, printed and ours."""
    figure, axes = plt.subplots(1, 2, figsize=(10, 4), sharey=True, layout="constrained")
    colours = {"MDAV": "#333333", "IAMAT": "#0072B2", "RGMAT": "#009E73", "EGMMAT": "#D55E00"}
    everyone = {**published.SCORES_2010, **published.SCORES_2021["census"]}
    for technique, by_k in everyone.items():
        for ax, points in zip(
            axes, (list(by_k.values()), [scores("census", technique, k) for k in by_k]), strict=True
        ):
            losses, risks = [p[0] for p in points], [p[3] for p in points]
            ax.plot(losses, risks, color=colours[technique], label=technique, linewidth=1.2)
            for marker, x, y in zip("os^", losses, risks, strict=True):
                ax.plot(x, y, marker, color=colours[technique], markersize=7)
    for ax, title in zip(axes, ("published", "from the papers' own definitions"), strict=True):
        ax.set_title(title, loc="left", fontsize=11)
        ax.set_xlabel("G_IL, percent")
        ax.spines[["top", "right"]].set_visible(False)
        ax.set_ylim(0, 36)
    axes[0].set_ylabel("G_DR, percent")
    for k, marker in zip((3, 4, 5), "os^", strict=True):
        axes[1].plot([], [], marker, color="#999999", label=f"k = {k}")
    axes[1].legend(frameon=False, ncols=2)
    figure.savefig(ROOT / "docs" / "images" / "risk-utility.png", dpi=120, facecolor="white")


TABLES = {
    "scores-2010": scores_2010,
    "scores-2021": scores_2021,
    "projections-2008": projections_2008,
}

if __name__ == "__main__":
    fill(ROOT / "docs" / "papers.md", TABLES)
    picture()
