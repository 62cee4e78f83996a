"""The external report: what users of the release need, and nothing an intruder could use.

There is no field for a seed, a parameter, a risk, a count or a hash of the original. What has no
field cannot be published by mistake.
"""

from __future__ import annotations

from typing import Literal, TypedDict

from covey.reports.content_types.pictures import CategoricalReleased, NumericReleased

Treatment = Literal["mean", "lower median", "median", "mode", "merged", "unchanged"]


class ReleasedColumn(TypedDict):
    """How a column was made; `rounding` in words, `missing_cells` as counted in the release."""

    name: str
    treatment: Treatment
    unit: str | None
    rounding: str | None
    missing_cells: int


class RemovedColumn(TypedDict):
    name: str
    reason: str


class PreservedNumeric(TypedDict):
    """Change of the mean in percent of it (None when it is 0), SD released over original.

    The mean of a date moves by `mean_days` instead; a percentage of a date has no meaning.
    `correlation_difference` is the largest |r released − r original| with any other variable.
    """

    name: str
    mean_change: float | None
    mean_days: int | None
    sd_ratio: float | None
    correlation_difference: float | None


class PreservedCategorical(TypedDict):
    """Percent of records by which the distribution over the levels moved, or why there is none."""

    name: str
    distribution_shift: float | None
    note: str | None


class Weight(TypedDict):
    """The column of survey weights, and in words how it was treated."""

    name: str
    treatment: str


class Citation(TypedDict):
    text: str
    bibtex: str | None


class ExternalContent(TypedDict):
    """`k` is the smallest number of records in a group, which the release shows anyway.

    `purpose` says in words why the data were changed, `mean_basis` which means are compared;
    `notes` are further remarks for users.
    """

    title: str
    date: str
    publisher: str | None
    contact: str | None
    purpose: str
    records: int
    k: int
    guarantee: Literal["joint", "per block"]
    columns: list[ReleasedColumn]
    removed: list[RemovedColumn]
    numeric: list[PreservedNumeric]
    mean_basis: str
    categorical: list[PreservedCategorical]
    distributions: list[NumericReleased | CategoricalReleased]
    weight: Weight | None
    notes: list[str]
    terms: str | None
    citation: Citation
    software: str
