"""What the charts of a report are drawn from."""

from __future__ import annotations

from typing import Literal, TypedDict

from covey.reports.charts.risk_utility import Candidate


class NumericBeforeAfter(TypedDict):
    """Records per interval of a numeric variable; one more edge than counts."""

    kind: Literal["numeric"]
    name: str
    unit: str | None
    edges: list[float]
    original: list[int]
    released: list[int]


class CategoricalBeforeAfter(TypedDict):
    """Share of each level, in percent."""

    kind: Literal["categorical"]
    name: str
    levels: list[str]
    original: list[float]
    released: list[float]


class NumericReleased(TypedDict):
    """Records per interval of a released numeric variable."""

    kind: Literal["numeric"]
    name: str
    unit: str | None
    edges: list[float]
    released: list[int]


class CategoricalReleased(TypedDict):
    """Share of each level of a released categorical variable, in percent."""

    kind: Literal["categorical"]
    name: str
    levels: list[str]
    released: list[float]


class GroupsMap(TypedDict):
    """Records and released points in two directions; whole groups, about 1,500 records at most.

    `labels` gives each record's place in `group_x` and `group_y`; `of_records` is the number of
    records there are in all.
    """

    x: list[float]
    y: list[float]
    labels: list[int]
    group_x: list[float]
    group_y: list[float]
    x_title: str
    y_title: str
    of_records: int


class CorrelationDifference(TypedDict):
    """Released minus original correlations, between −2 and 2; None where there is none."""

    names: list[str]
    matrix: list[list[float | None]]


class GroupSize(TypedDict):
    """So many groups have so many records."""

    size: int
    groups: int


class Alternatives(TypedDict):
    """Other releases that were tried, and the limit on risk that was set, if any.

    The one released is marked as chosen; if it is not among them, `note` says so.
    """

    loss_label: str
    risk_label: str
    max_risk: float | None
    candidates: list[Candidate]
    note: str
