"""Pictures of the README and of docs/near-optimal.md.

python -m benchmarks.pictures              all of them (Census is read)
python -m benchmarks.pictures groups       one: groups, search, certificate
"""

from __future__ import annotations

import sys
from typing import Any

import matplotlib
import numpy as np

from benchmarks.pages import ROOT
from covey import Partition, datasets, lower_bound
from covey.techniques import IAMAT, MDAV, NearOptimal

matplotlib.use("agg")
import matplotlib.pyplot as plt

# Okabe and Ito's palette, which colour-blind readers can tell apart.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
INK = "#333333"


def records_becoming_groups() -> None:
    rng = np.random.default_rng(12)
    age = np.concatenate([rng.normal(32, 6, 24), rng.normal(55, 8, 24)])
    income = np.concatenate([rng.normal(28, 5, 24), rng.normal(46, 9, 24)])
    X = np.column_stack([age, income])
    technique = IAMAT(k=4)
    released = technique.fit_transform(X)
    figure, axes = plt.subplots(
        1, 3, figsize=(11, 3.7), sharex=True, sharey=True, layout="constrained"
    )
    titles = ("48 records", "groups of at least 4", "the release: 12 values, each shared by 4")
    for ax, title in zip(axes, titles, strict=True):
        ax.set_title(title, fontsize=11, color=INK)
        ax.set_xlabel("age", color=INK)
        ax.spines[["top", "right"]].set_visible(False)
        ax.tick_params(colors=INK, labelsize=8)
    axes[0].set_ylabel("income, thousand", color=INK)
    axes[0].scatter(*X.T, s=26, color=INK)
    # Neighbours from left to right get different colours.
    left_to_right = sorted(technique.partition_.groups(), key=lambda group: released[group[0], 0])
    for g, group in enumerate(left_to_right):
        colour = COLOURS[g % len(COLOURS)]
        for record in group:
            axes[1].plot(*np.column_stack([X[record], released[record]]), color=colour, linewidth=1)
        axes[1].scatter(*X[group].T, s=26, color=colour)
        axes[2].scatter(*released[group[0]], s=26 * group.size, color=colour)
        axes[2].annotate(str(group.size), released[group[0]], color="white", fontsize=7,
                         ha="center", va="center")  # fmt: skip
    figure.savefig(ROOT / "docs" / "images" / "groups.png", dpi=130, facecolor="white")


def search() -> None:
    """Groups of IAMAT, a few of them taken apart, and what the search ends with."""
    rng = np.random.default_rng(5)
    X = rng.normal(size=(60, 2)) * [1.0, 0.8]
    start, best = IAMAT(k=4).fit(X), NearOptimal(k=4).fit(X)
    figure, axes = plt.subplots(
        1, 3, figsize=(11, 3.0), sharex=True, sharey=True, layout="constrained"
    )
    middle = X[np.argmin(np.square(X).sum(axis=1))]
    centres = np.array([X[group].mean(axis=0) for group in start.partition_.groups()])
    pooled = np.argsort(np.square(centres - middle).sum(axis=1))[:4]
    titles = (
        f"the start, IAMAT: IL {start.il_:.2f} %",
        "four groups taken apart, to be built anew",
        f"the end of the search: IL {best.il_:.2f} %",
    )
    for ax, title in zip(axes, titles, strict=True):
        ax.set_title(title, fontsize=11, color=INK)
        ax.set_xticks([])
        ax.set_yticks([])
        ax.set_aspect("equal")
    _draw_groups(axes[0], X, start.partition_)
    _draw_groups(axes[1], X, start.partition_, without=set(pooled.tolist()))
    _draw_groups(axes[2], X, best.partition_)
    figure.savefig(ROOT / "docs" / "images" / "search.png", dpi=130, facecolor="white")


def _draw_groups(
    ax: Any, X: np.ndarray, partition: Partition, without: set[int] | None = None
) -> None:
    """Records tied to the centre of their group; those of the groups `without` hollow, untied."""
    faded = 0.25 if without else 1.0
    for g, group in enumerate(partition.groups()):
        if without and g in without:
            ax.scatter(*X[group].T, s=34, facecolor="white", edgecolor=INK, linewidth=1.4, zorder=3)
            continue
        colour, centre = COLOURS[g % len(COLOURS)], X[group].mean(axis=0)
        for record in group:
            ends = np.column_stack([X[record], centre])
            ax.plot(*ends, color=colour, linewidth=1.2, alpha=faded)
        ax.scatter(*X[group].T, s=26, color=colour, alpha=faded, zorder=2)


def certificate() -> None:
    """The bound rises round by round and closes in on what techniques find."""
    census = datasets.load_census()
    rounds = [0, 1, 2, 3, 4, 6, 8, 10, 13, 16, 20, 25]
    bounds = [lower_bound(census, 3, max_iterations=r, time_limit=None) for r in rounds]
    last = lower_bound(census, 3, time_limit=None)
    x = [*(b.iterations for b in bounds), last.iterations]
    y = [*(b.percent for b in bounds), last.percent]
    figure, ax = plt.subplots(figsize=(8.2, 4.2), layout="constrained")
    ax.fill_between(x, y, 3.0, color=COLOURS[0], alpha=0.15, linewidth=0)
    ax.plot(x, y, color=COLOURS[0], linewidth=2)
    ax.text(x[-1] * 0.55, 3.75, "proved: no partition\nhas so little loss", color=COLOURS[0],
            ha="center", fontsize=11)  # fmt: skip
    found = {"MDAV": MDAV(k=3), "IAMAT": IAMAT(k=3), "NearOptimal": NearOptimal(k=3)}
    for (name, technique), colour in zip(found.items(), ("#777777", *COLOURS[1:3]), strict=True):
        loss = technique.fit(census).il_
        ax.axhline(loss, color=colour, linewidth=1.5)
        ax.text(0, loss + 0.03, f"{name}  {loss:.2f} %", color=colour, fontsize=10)
    ax.text(x[-1], y[-1] - 0.12, f"{y[-1]:.3f} %", color=COLOURS[0], ha="right", fontsize=10)
    ax.set(xlim=(-0.02 * x[-1], x[-1]), ylim=(3.3, 5.95))
    ax.set_xlabel("rounds of column generation", color=INK)
    ax.set_ylabel("IL of Census, k = 3, percent", color=INK)
    ax.spines[["top", "right"]].set_visible(False)
    ax.tick_params(colors=INK, labelsize=9)
    figure.savefig(ROOT / "docs" / "images" / "certificate.png", dpi=130, facecolor="white")


PICTURES = {"groups": records_becoming_groups, "search": search, "certificate": certificate}

if __name__ == "__main__":
    for name in sys.argv[1:] or PICTURES:
        PICTURES[name]()
