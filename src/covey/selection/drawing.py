"""A dependence tree as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from covey.errors import missing_extra

if TYPE_CHECKING:
    from covey.selection.dependence_tree import Tree

CHOSEN, OTHER, LINE = "#0072B2", "#D9D9D9", "#8C8C8C"


def draw_tree(
    tree: Tree, names: Sequence[str], chosen: Sequence[int], title: str, ax: Any = None
) -> Any:
    """Draw the tree top down from its variable with the most edges."""
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise missing_extra("Drawing", "matplotlib", "plot") from None
    places = tree_layout(tree)
    if ax is None:
        depth = max(y for _, y in places.values()) + 1
        width = max(x for x, _ in places.values()) + 1
        _, ax = plt.subplots(figsize=(1.5 * width + 1.0, 1.4 * depth + 0.6), layout="constrained")
    for edge in tree.edges:
        (x1, y1), (x2, y2) = places[edge.first], places[edge.second]
        ax.plot([x1, x2], [y1, y2], color=LINE, linewidth=1.2, zorder=1)
        ax.text(
            (x1 + x2) / 2,
            (y1 + y2) / 2,
            f"{edge.weight:.2f}",
            fontsize=8,
            color="#404040",
            ha="center",
            va="center",
            backgroundcolor="white",
            zorder=2,
        )
    for j, (x, y) in places.items():
        dark = j in chosen
        ax.text(
            x,
            y,
            names[j],
            ha="center",
            va="center",
            fontsize=9,
            zorder=3,
            color="white" if dark else "black",
            bbox={
                "boxstyle": "round,pad=0.4",
                "facecolor": CHOSEN if dark else OTHER,
                "edgecolor": "none",
            },
        )
    ax.set_title(title, fontsize=10, loc="left")
    ax.margins(0.12)
    ax.invert_yaxis()
    ax.set_axis_off()
    return ax


def tree_layout(tree: Tree) -> dict[int, tuple[float, float]]:
    """Place (x, depth) of each variable: leaves side by side, a parent above its children."""
    neighbours: dict[int, list[int]] = {j: [] for j in range(tree.degrees.size)}
    for edge in tree.edges:
        neighbours[edge.first].append(edge.second)
        neighbours[edge.second].append(edge.first)
    places: dict[int, tuple[float, float]] = {}
    columns = 0

    def place(j: int, parent: int, depth: int) -> float:
        nonlocal columns
        children = [place(c, j, depth + 1) for c in neighbours[j] if c != parent]
        if not children:
            columns += 1
        x = sum(children) / len(children) if children else float(columns - 1)
        places[j] = (x, float(depth))
        return x

    place(int(tree.degrees.argmax()), -1, 0)
    return places
