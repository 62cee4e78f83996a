"""The charts of a report, drawn and ready to be put into its page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from covey.reports import charts
from covey.reports.charts.groups_map import far_away, handles_of
from covey.reports.charts.theme import Spec
from covey.reports.content_types import ExternalContent, InternalContent
from covey.reports.content_types.pictures import (
    Alternatives,
    CategoricalBeforeAfter,
    CategoricalReleased,
    CorrelationDifference,
    GroupsMap,
    NumericBeforeAfter,
    NumericReleased,
)

BeforeAfter: TypeAlias = NumericBeforeAfter | CategoricalBeforeAfter
Released: TypeAlias = NumericReleased | CategoricalReleased

# What a page is given: a drawing, several, or None where there is nothing to draw.
Drawn: TypeAlias = dict[str, Any]


def internal_figures(content: InternalContent) -> Drawn:
    sizes = {entry["size"]: entry["groups"] for entry in content["groups"]["sizes"]}
    specs = {
        "group_sizes": charts.group_sizes(sizes, content["method"]["k"]),
        "groups_map": _groups_map(content["groups_map"]),
        "correlation_difference": _correlations(content["correlation_difference"]),
        "risk_utility": _risk_utility(content["alternatives"]),
    }
    drawn: Drawn = {name: spec and charts.svg(spec) for name, spec in specs.items()}
    drawn["far_away"] = _far_away(content["groups_map"])
    drawn["distributions"] = [
        charts.svg(_before_after(variable)) for variable in content["distributions"]
    ]
    return drawn


def external_figures(content: ExternalContent) -> Drawn:
    return {"distributions": [charts.svg(_released(part)) for part in content["distributions"]]}


def risk_utility_picture(alternatives: Alternatives | None) -> str | None:
    """The map of what was tried, drawn."""
    spec = _risk_utility(alternatives)
    return None if spec is None else charts.svg(spec)


def groups_map_picture(
    data: GroupsMap | None, tip: Callable[[int], str], width: int, height: int
) -> str | None:
    """The map of groups for a page on which a group answers to the pointer.

    `tip` gives the words for a group of so many records.
    """
    spec = _groups_map(data)
    if data is None or spec is None:
        return None
    return charts.svg(spec | {"width": width, "height": height}, handles_of(data["labels"], tip))


def _groups_map(data: GroupsMap | None) -> Spec | None:
    if data is None:
        return None
    records = data["x"], data["y"], data["labels"]
    groups = data["group_x"], data["group_y"]
    return charts.groups_map(*records, *groups, x_title=data["x_title"], y_title=data["y_title"])


def _far_away(data: GroupsMap | None) -> int:
    return 0 if data is None else far_away(data["x"], data["y"])


def _correlations(data: CorrelationDifference | None) -> Spec | None:
    if data is None or len(data["names"]) < 2:
        return None
    return charts.correlation_difference(data["names"], data["matrix"])


def _risk_utility(data: Alternatives | None) -> Spec | None:
    if data is None:
        return None
    return charts.risk_utility(
        data["candidates"], data["loss_label"], data["risk_label"], data["max_risk"]
    )


def _before_after(data: BeforeAfter) -> Spec:
    if data["kind"] == "numeric":
        counts = data["original"], data["released"]
        return charts.distribution(data["name"], *counts, data["edges"], data["unit"])
    shares = data["original"], data["released"]
    return charts.categories(data["name"], data["levels"], *shares)


def _released(data: Released) -> Spec:
    if data["kind"] == "numeric":
        edges, unit = data["edges"], data["unit"]
        return charts.distribution(data["name"], None, data["released"], edges, unit)
    return charts.categories(data["name"], data["levels"], None, data["released"])
