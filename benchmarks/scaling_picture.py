"""Time and loss against n, drawn from results.json.  python -m benchmarks.scaling_picture"""

from __future__ import annotations

import json
from typing import Any

import matplotlib

from benchmarks.machine import RESULTS
from benchmarks.pages import ROOT

matplotlib.use("agg")
import matplotlib.pyplot as plt
from matplotlib.lines import Line2D

# Okabe and Ito's palette, which colour-blind readers can tell apart.
COLOURS = {
    "mdav": "#0072B2",
    "iamat": "#D55E00",
    "vmdav": "#009E73",
    "rgmat": "#CC79A7",
    "egmmat": "#E69F00",
    "projected": "#56B4E9",
}
STYLES: dict[str, tuple[Any, str]] = {
    "index": ("-", "o"),
    "plain": ("--", "s"),
    "numpy": (":", "^"),
}
WORDS = {"index": "Covey", "plain": "plain compiled scan", "numpy": "NumPy brute force"}


def points(rows: list[dict[str, Any]], name: str, route: str) -> list[tuple[int, float, float]]:
    """Size, time and loss of each fit; a fit with a given number of threads is left out."""
    wanted = (name, route, "normal", 5, 3, None)
    fields = ("technique", "route", "data", "d", "k", "threads")
    found = [row for row in rows if tuple(row[field] for field in fields) == wanted]
    return sorted((row["n"], row["seconds"], row["il"]) for row in found)


def draw() -> None:
    rows = json.loads(RESULTS.read_text())["scaling"]["rows"]
    figure, (left, right) = plt.subplots(1, 2, figsize=(10.5, 4), layout="constrained")
    for route, (style, marker) in STYLES.items():
        for name, colour in COLOURS.items():
            found = points(rows, name, route)
            if not found:
                continue
            sizes, times, losses = zip(*found, strict=True)
            how = {"color": colour, "linestyle": style, "marker": marker, "markersize": 4}
            left.plot(sizes, times, **how)
            if route == "index":  # the scans have the same labels, hence the same loss
                right.plot(sizes, losses, **how)
    for axes, label in ((left, "seconds"), (right, "information loss, percent")):
        axes.set(xscale="log", yscale="log", xlabel="records", ylabel=label)
        axes.spines[["top", "right"]].set_visible(False)
        axes.grid(alpha=0.3)
    figure.legend(*_entries(rows), frameon=False, fontsize=8, loc="outside right center")
    figure.suptitle("Normal data, d = 5, k = 3", fontsize=10)
    place = ROOT / "docs" / "images" / "scaling.png"
    figure.savefig(place, dpi=120, facecolor="white")
    print(f"wrote {place.relative_to(ROOT)}")


def _entries(rows: list[dict[str, Any]]) -> tuple[list[Line2D], list[str]]:
    """Colours tell techniques, lines tell routes; only what was measured is listed."""
    names = [name for name in COLOURS if points(rows, name, "index")]
    routes = [route for route in STYLES if any(row["route"] == route for row in rows)]
    lines = [Line2D([], [], color=COLOURS[name], linewidth=2.5) for name in names]
    lines += [Line2D([], [], color="none")]  # a gap
    for route in routes:
        style, marker = STYLES[route]
        line = Line2D([], [], color="#333333", marker=marker, markersize=4)
        line.set_linestyle(style)
        lines.append(line)
    return lines, [*names, "", *(WORDS[route] for route in routes)]


if __name__ == "__main__":
    draw()
