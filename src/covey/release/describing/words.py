"""Sentences about a release."""

from __future__ import annotations

from typing import Any

from covey.release.release import Release
from covey.tables.kinds import is_text
from covey.tables.variables import Variable
from covey.technique import Technique

MISSING_RULES = {
    "group": (
        "A group's value comes from its members that have one and is given to all members; it is "
        "missing for the whole group when fewer than {contributors} members have a value."
    ),
    "pattern": "Only records that miss the same values were grouped together.",
    "error": "The quasi-identifiers had no missing values; any would have been refused.",
}

KINDS = {
    "number": "number",
    "integer": "whole number",
    "date": "date",
    "ordinal": "ordered category",
    "ordered number": "ordered number",
    "ordered date": "ordered date",
    "nominal": "category",
}
DOMINANCE_RULE = (
    "A group mean is dominated when one record makes up more than 85 % of the group’s total, which "
    "is called (1, 85 %) dominance, or when the member with the second largest value can work out "
    "the largest to within 10 %, which is the 10 % rule. Such a mean comes near to giving away the "
    "value of one record."
)


def kind_of(variable: Variable) -> str:
    """The kind of a variable as `KINDS` has it."""
    if not variable.is_ordered_number:
        return variable.kind
    return "ordered number" if variable.clock is None else "ordered date"


def kind_in_words(kind: str | None, arrow_type: Any) -> str:
    """The kind of a column that was grouped, or what a column of another role holds."""
    import pyarrow.types as t

    if kind is not None:
        return KINDS[kind]
    if t.is_dictionary(arrow_type):
        return "ordered category" if arrow_type.ordered else "category"
    if t.is_boolean(arrow_type):
        return "true/false"
    if t.is_temporal(arrow_type):
        return "date"
    if t.is_integer(arrow_type):
        return "whole number"
    if t.is_floating(arrow_type) or t.is_decimal(arrow_type):
        return "number"
    return "text" if is_text(arrow_type) else "other"


def linkage_note(release: Release) -> str:
    """Why record linkage may show more than distance linkage."""
    guesses = (
        "Record linkage gives the intruder two guesses at each record, distance linkage and "
        "probabilistic linkage one"
    )
    if release.technique.guarantee_ != "joint":
        return f"{guesses}; their figures can differ for that reason alone."
    k = release.achieved_k
    two, one = min(200.0 / k, 100.0), 100.0 / k
    return (
        f"{guesses}. With groups of at least {k}, record linkage can reach 2/k = {two:.4g} % at "
        f"most and distance linkage 1/k = {one:.4g} %."
    )


def title_of(release: Release) -> str:
    return f"Release of {release.provenance.input_name}"


def description_of(technique: Technique) -> str:
    """The first line of what a technique says of itself."""
    return (type(technique).__doc__ or "").strip().split("\n")[0]


def summary(release: Release) -> list[str]:
    """What was done and what it cost, in a few sentences."""
    technique, n_records = release.technique, release.n_records
    n_columns = len(release.masked.table.column_names)
    sentences = [
        f"{n_records} records of {n_columns} columns were protected by "
        f"microaggregation with {type(technique).__name__}: similar records were put into groups "
        f"of at least {release.settings.k} and given the values of their group."
    ]
    if technique.guarantee_ == "joint":
        sentences.append(
            f"Every released record is equal to at least {release.achieved_k - 1} others in all "
            "quasi-identifiers and strata."
        )
    else:
        sentences.append(
            f"Inside each of {len(technique.blocks_)} blocks of variables every record is equal to "
            f"at least {release.block_k - 1} others; whole records may be unique."
        )
    evaluation = release.evaluation
    if evaluation.il is not None:
        sentences.append(f"{evaluation.il.percent:.2f} % of the variance was lost.")
    linked = evaluation.distance_linkage
    sentences.append(
        f"An intruder who knows all original values of the quasi-identifiers would link "
        f"{linked.percent:.1f} % of the records rightly"
        f"{'' if linked.sampled is None else f' ({linked.sampled})'}."
    )
    if release.is_sampled:
        sentences.append(
            f"Risk, and every loss but IL, is measured on {sample_in_words(release)}. Among all "
            "records an intruder would link fewer."
        )
    return sentences


def sample_in_words(release: Release) -> str:
    """What figures rest on that are not of all records; empty where all were in memory."""
    if not release.is_sampled:
        return ""
    sampled, total = release.masked.prepared.n_records, release.n_records
    return f"{sampled} records in groups that were drawn from all {total}"


def missing_rule(release: Release) -> str:
    rule = MISSING_RULES[release.settings.missing]
    return rule.format(contributors=release.settings.contributors)


def strata_rule(release: Release) -> str:
    if not release.roles.strata:
        return "There were no strata."
    names = ", ".join(release.roles.strata)
    small = {
        "error": "strata of fewer than k records would have been refused",
        "merge": "strata of fewer than k records were merged with the most similar one",
        "suppress": "records of strata with fewer than k records were left out",
    }[release.settings.small_strata]
    return f"Groups do not cross {names}; {small}."
