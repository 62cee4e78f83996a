"""The picture in the README: records becoming groups.  python -m benchmarks.pictures"""

from __future__ import annotations

import matplotlib
import numpy as np

from benchmarks.pages import ROOT
from covey.techniques import IAMAT

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


if __name__ == "__main__":
    records_becoming_groups()
