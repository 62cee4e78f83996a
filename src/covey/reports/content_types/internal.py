"""The internal report: everything needed to judge, repeat and sign a release."""

from __future__ import annotations

from typing import Literal, TypedDict

from covey.reports.content_types.pictures import (
    Alternatives,
    CategoricalBeforeAfter,
    CorrelationDifference,
    GroupSize,
    GroupsMap,
    NumericBeforeAfter,
)


class Check(TypedDict):
    """One thing that was checked on the release itself; `finding` says in words what was found."""

    name: str
    passed: bool
    finding: str


class Verdict(TypedDict):
    k_requested: int
    k_achieved: int
    guarantee: Literal["joint", "per block"]
    checks: list[Check]


class Column(TypedDict):
    """A column of the original: `role` and `kind` in words, missing values as counts of cells.

    `emptied` are cells that had a value and lost it; like `missing_after` it is None when the
    column is not released.
    """

    name: str
    role: str
    kind: str
    missing_before: int | None
    emptied: int | None
    missing_after: int | None
    note: str


class Setting(TypedDict):
    """A parameter of the technique and its value, as text."""

    name: str
    value: str


class StratumChange(TypedDict):
    """A stratum too small to stand alone, and what was done with its records."""

    stratum: str
    records: int
    change: str


class Method(TypedDict):
    """`missing_rule` and `strata_rule` say in words what was done."""

    technique: str
    description: str
    paper: str
    parameters: list[Setting]
    seed: int | None
    k: int
    missing_rule: str
    min_contributors: int | None
    strata_rule: str
    strata_changes: list[StratumChange]


class Groups(TypedDict):
    records: int
    groups: int
    smallest: int
    mean: float
    largest: int
    sizes: list[GroupSize]


class Risk(TypedDict):
    """A measure of risk, in percent, and a sentence on what it means.

    `passed` is None when no threshold was set. `estimated` says what figures rest on that were not
    taken of all records, and is None when all were.
    """

    measure: str
    meaning: str
    before: float | None
    after: float
    estimated: str | None
    threshold: float | None
    passed: bool | None


class DominatedVariable(TypedDict):
    """Groups whose mean of a variable is dominated by one record, of those with a released one."""

    variable: str
    dominated: int
    groups: int


class Dominance(TypedDict):
    rule: str
    variables: list[DominatedVariable]


class Diversity(TypedDict):
    """The fewest distinct values in a group, and the records in groups with a single one."""

    variable: str
    fewest_values: int
    single_value_percent: float


class NumericLoss(TypedDict):
    """Shifts in percent of the original's SD; `sd_ratio` is released over original.

    `quantile_shift` is the largest of the quantiles looked at. `sd_ratio` is None for a variable
    that does not vary.
    """

    name: str
    mean_shift: float
    sd_ratio: float | None
    quantile_shift: float


class CategoricalLoss(TypedDict):
    """Percent of cells that changed, and percent of records by which the distribution moved.

    Both are None for a stratum that only has new labels; `note` says so.
    """

    name: str
    share_changed: float | None
    distribution_shift: float | None
    note: str | None


class OverallLoss(TypedDict):
    measure: str
    meaning: str
    percent: float


class EditRule(TypedDict):
    """A rule that records should obey; all figures count records.

    A rule applies to the records that have all of its values, so gaps change the base.
    """

    rule: str
    applies_before: int
    violations_before: int
    applies_after: int
    violations_after: int


class RecordAtRisk(TypedDict):
    """A record by its row in the original, counted from 1; `chance` in percent.

    `extreme_in` names the columns, three at most, in which it is most unlike the others.
    """

    row: int
    chance: float
    reason: str
    extreme_in: list[str]


class SinglingOut(TypedDict):
    """The smallest class of equal released records, and how many records are alone in theirs."""

    smallest_class: int
    records_alone: int


class Linkability(TypedDict):
    """Percent of records an intruder links rightly, and the most that k allows, if it is known."""

    linked_percent: float
    bound_percent: float | None


class Inference(TypedDict):
    """How well values can be guessed once a group is found; None where it was not measured."""

    interval_percent: float
    dominated_percent: float
    single_value_percent: float | None


class ThreeQuestions(TypedDict):
    """Figures for the three questions of the Article 29 Working Party (Opinion 05/2014, WP216)."""

    singling_out: SinglingOut
    linkability: Linkability
    inference: Inference


class Software(TypedDict):
    name: str
    version: str


class File(TypedDict):
    """`role` is "original" or "released", say."""

    role: str
    name: str
    sha256: str


class Provenance(TypedDict):
    files: list[File]
    software: list[Software]
    platform: str
    seed: int | None
    created: str
    settings_toml: str
    script: str


class InternalContent(TypedDict):
    """`judgement` has what no check decides, `linkage_note` how the linkage figures compare."""

    title: str
    date: str
    verdict: Verdict
    summary: list[str]
    judgement: list[str]
    warnings: list[str]
    columns: list[Column]
    method: Method
    groups: Groups
    risks: list[Risk]
    linkage_note: str
    dominance: Dominance | None
    diversity: list[Diversity]
    overall_losses: list[OverallLoss]
    numeric_losses: list[NumericLoss]
    categorical_losses: list[CategoricalLoss]
    groups_map: GroupsMap | None
    distributions: list[NumericBeforeAfter | CategoricalBeforeAfter]
    correlation_difference: CorrelationDifference | None
    edit_rules: list[EditRule]
    alternatives: Alternatives | None
    records_at_risk: list[RecordAtRisk]
    three_questions: ThreeQuestions
    provenance: Provenance
