"""The data behind the charts of a report."""

from __future__ import annotations

from typing import Any

import numpy as np

from covey.measures.loss.variation import moments_of_both
from covey.measures.pairs import read_pair
from covey.release.release import Release
from covey.reports.content_types.pictures import (
    CategoricalBeforeAfter,
    CategoricalReleased,
    CorrelationDifference,
    GroupsMap,
    NumericBeforeAfter,
    NumericReleased,
)
from covey.tables.variables import Variable
from covey.types import FloatVector

MOST_RECORDS = 1500
MOST_BARS = 30
MOST_LEVELS = 12
# Beyond these quantiles the outermost bars collect what there is.
TAILS = (0.01, 0.99)
DAY = 86_400_000_000.0


def groups_map(release: Release) -> GroupsMap | None:
    """Records and their groups on the two directions in which the records differ most."""
    if release.technique.guarantee_ != "joint":
        return None
    points = release.masked.scores
    plane = _plane(points)
    partition = release.partition
    chosen = _some_groups(partition.sizes)
    label_of = np.full(partition.n_groups, -1)
    label_of[chosen] = np.arange(chosen.size)
    rows = np.flatnonzero(label_of[partition.labels] >= 0)
    centres = partition.centroids(plane)[chosen]
    return {
        "x": plane[rows, 0].tolist(),
        "y": plane[rows, 1].tolist(),
        "labels": label_of[partition.labels[rows]].tolist(),
        "group_x": centres[:, 0].tolist(),
        "group_y": centres[:, 1].tolist(),
        "x_title": "first principal component",
        "y_title": "second principal component",
        "of_records": partition.n_records,
    }


def _plane(points: Any) -> Any:
    """The first two principal components; the largest loading of each is positive."""
    centred = points - points.mean(axis=0)
    _, vectors = np.linalg.eigh(centred.T @ centred)
    axes = vectors[:, ::-1][:, :2]
    if axes.shape[1] < 2:
        axes = np.hstack([axes, np.zeros((axes.shape[0], 1))])
    largest = np.abs(axes).argmax(axis=0)
    signs = np.sign(axes[largest, [0, 1]])
    return centred @ (axes * np.where(signs == 0, 1.0, signs))


def _some_groups(sizes: Any) -> Any:
    """Groups at equal steps through the file, together at most so many records."""
    step = max(1, int(np.ceil(sizes.sum() / MOST_RECORDS)))
    return np.arange(0, sizes.size, step)


def distributions(release: Release) -> list[NumericBeforeAfter | CategoricalBeforeAfter]:
    """Every quasi-identifier before and after."""
    found: list[NumericBeforeAfter | CategoricalBeforeAfter] = []
    for j, variable in enumerate(release.masked.prepared.variables):
        after = release.masked.values[:, j]
        if variable.is_category:
            levels = level_codes(variable, variable.values)
            found.append(
                {
                    "kind": "categorical",
                    "name": variable.name,
                    "levels": [name for name, _ in levels],
                    "original": _shares(variable.values, levels),
                    "released": _shares(after, levels),
                }
            )
        elif variable.known.any():
            before, after = handy(variable, variable.values), handy(variable, after)
            edges = histogram_edges(before)
            found.append(
                {
                    "kind": "numeric",
                    "name": variable.name,
                    "unit": _unit(variable),
                    "edges": edges.tolist(),
                    "original": histogram(before, edges),
                    "released": histogram(after, edges),
                }
            )
    return found


def released_distributions(release: Release) -> list[NumericReleased | CategoricalReleased]:
    """Every quasi-identifier as released; the original is not looked at."""
    found: list[NumericReleased | CategoricalReleased] = []
    for j, variable in enumerate(release.masked.prepared.variables):
        after = release.masked.values[:, j]
        if np.isnan(after).all():
            continue
        if variable.is_category:
            levels = level_codes(variable, after)
            found.append(
                {
                    "kind": "categorical",
                    "name": variable.name,
                    "levels": [name for name, _ in levels],
                    "released": _shares(after, levels),
                }
            )
        else:
            after = handy(variable, after)
            edges = histogram_edges(after)
            found.append(
                {
                    "kind": "numeric",
                    "name": variable.name,
                    "unit": _unit(variable),
                    "edges": edges.tolist(),
                    "released": histogram(after, edges),
                }
            )
    return found


def correlation_difference(release: Release) -> CorrelationDifference | None:
    """Released minus original correlations of the variables that are not nominal."""
    coded = release.coded
    pair = read_pair(coded.original, coded.released, nominal=coded.nominal).numbers()
    if len(pair.names) < 2:
        return None
    before, after = moments_of_both(pair)
    difference = after.correlations - before.correlations
    matrix = [[float(r) if np.isfinite(r) else None for r in row] for row in difference]
    return {"names": list(pair.names), "matrix": matrix}


def handy(variable: Variable, values: FloatVector) -> FloatVector:
    """Years for dates, hours for times of day; anything else as it is."""
    if variable.clock is None:
        return values
    values = values + float(variable.clock.zero)
    return values / DAY * 24.0 if is_time(variable) else 1970.0 + values / DAY / 365.2425


def is_time(variable: Variable) -> bool:
    """Whether it has times of day."""
    import pyarrow as pa

    return bool(pa.types.is_time(variable.arrow_type))


def _unit(variable: Variable) -> str | None:
    if variable.clock is None:
        return None
    return "hour" if is_time(variable) else "year"


def histogram_edges(values: FloatVector) -> FloatVector:
    known = values[~np.isnan(values)]
    low, high = np.quantile(known, TAILS)
    if high <= low:
        low, high = float(known.min()), float(known.max())
    if high <= low:
        low, high = low - 0.5, high + 0.5
    inside = known[(known >= low) & (known <= high)]
    n_bars = np.histogram_bin_edges(inside, "sturges", range=(low, high)).size - 1
    return np.linspace(low, high, min(max(n_bars, 5), MOST_BARS) + 1)


def histogram(values: FloatVector, edges: FloatVector) -> list[int]:
    """Records in each interval; those beyond the ends count in the outermost ones."""
    known = values[~np.isnan(values)]
    counts, _ = np.histogram(np.clip(known, edges[0], edges[-1]), edges)
    return [int(count) for count in counts]


def level_codes(variable: Variable, values: FloatVector) -> list[tuple[str, list[int]]]:
    """Names and codes of the levels that occur; rare ones together when there are many."""
    codes, counts = np.unique(values[~np.isnan(values)].astype(np.int64), return_counts=True)
    names = [str(name) for name in variable.categories.to_pylist()]
    if codes.size <= MOST_LEVELS:
        return [(names[code], [int(code)]) for code in codes]
    common = set(codes[np.argsort(-counts, kind="stable")][: MOST_LEVELS - 1].tolist())
    rest = [code for code in range(len(names)) if code not in common]
    return [(names[code], [code]) for code in sorted(common)] + [("all others", rest)]


def _shares(values: FloatVector, levels: list[tuple[str, list[int]]]) -> list[float]:
    known = values[~np.isnan(values)]
    total = max(known.size, 1)
    return [100.0 * float(np.isin(known, codes).sum()) / total for _, codes in levels]
