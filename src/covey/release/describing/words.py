"""Sentences about a release."""

from __future__ import annotations

from covey.release.release import Release
from covey.technique import Technique

MISSING_RULES = {
    "group": (
        "A group's value comes from its members that have one and is given to all members; it is "
        "missing for the whole group when fewer than {contributors} members have a value."
    ),
    "pattern": "Only records that miss the same values were grouped together.",
    "error": "The quasi-identifiers had no missing values; any would have been refused.",
}


def title_of(release: Release) -> str:
    return f"Release of {release.provenance.input_name}"


def description_of(technique: Technique) -> str:
    """The first line of what a technique says of itself."""
    return (type(technique).__doc__ or "").strip().split("\n")[0]


def summary(release: Release) -> list[str]:
    """What was done and what it cost, in a few sentences."""
    technique, n_records = release.technique, release.table.num_rows
    sentences = [
        f"{n_records} records of {len(release.table.column_names)} columns were protected by "
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
    sentences.append(
        f"An intruder who knows all original values of the quasi-identifiers would link "
        f"{evaluation.distance_linkage.percent:.1f} % of the records rightly."
    )
    return sentences


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
