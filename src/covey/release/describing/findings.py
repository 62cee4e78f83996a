"""What no check can decide: findings a person has to weigh before signing."""

from __future__ import annotations

from covey.release.describing.categories import lost_levels
from covey.release.release import Release
from covey.reports.content_types.internal import Dominance, EditRule

MANY_DOMINATED = 0.25  # of the groups
MOST_NAMES = 20


def judgement(release: Release, rules: list[EditRule], dominance: Dominance | None) -> list[str]:
    """Sentences, one for each finding; the warnings of the release come last."""
    return [
        *_broken_rules(rules),
        *_dominated(dominance),
        *_lost_levels(release),
        *_shared_secrets(release),
        *_emptied_cells(release),
        *_lost_weights(release),
        *_unnamed_strata(release),
        *_averaged_codes(release),
        *release.provenance.warnings,
    ]


def _broken_rules(rules: list[EditRule]) -> list[str]:
    return [
        f"The edit rule “{rule['rule']}” is broken by {rule['violations_after']:,} of the "
        f"{rule['applies_after']:,} released records it applies to; before, "
        f"{rule['violations_before']:,} of {rule['applies_before']:,} broke it."
        for rule in rules
        if rule["violations_after"] > rule["violations_before"]
    ]


def _dominated(dominance: Dominance | None) -> list[str]:
    return [
        f"{row['variable']}: {row['dominated']:,} of {row['groups']:,} released group means "
        f"({100.0 * row['dominated'] / row['groups']:.0f} %) come mostly from one record."
        for row in (dominance["variables"] if dominance else [])
        if row["dominated"] > MANY_DOMINATED * row["groups"]
    ]


def _lost_levels(release: Release) -> list[str]:
    return [
        f"{name}: {len(levels)} {'category does' if len(levels) == 1 else 'categories do'} not "
        f"occur in the release any more: {_some(levels)}."
        for name, levels in lost_levels(release).items()
    ]


def _some(names: list[str]) -> str:
    more = len(names) - MOST_NAMES
    return ", ".join(names[:MOST_NAMES]) + (f" and {more} more" if more > 0 else "")


def _shared_secrets(release: Release) -> list[str]:
    found = release.evaluation.l_diversity
    return [
        f"{name}: {percent:.1f} % of the records are in groups that share one value of it; whoever "
        "knows the group knows the value."
        for name, percent in (found.single_by_variable.items() if found else ())
        if percent > 0
    ]


def _emptied_cells(release: Release) -> list[str]:
    variables = release.masked.prepared.variables
    emptied = {v.name: release.emptied[v.name] for v in variables if v.name in release.emptied}
    if not emptied:
        return []
    cells, known = sum(emptied.values()), sum(int(v.known.sum()) for v in variables)
    return [
        f"{cells:,} cells that had a value ({100.0 * cells / known:.2f} % of those of the "
        f"quasi-identifiers) are missing in the release, in {_some(list(emptied))}."
    ]


def _lost_weights(release: Release) -> list[str]:
    return [
        f"{name}: {percent:.2f} % of the total of this weight is lost, with the "
        f"{release.emptied[name]:,} cells of groups in which too few members have a share in it. "
        "Totals that are estimated with it are too small."
        for name, percent in release.lost_weights.items()
    ]


def _unnamed_strata(release: Release) -> list[str]:
    return [
        f"{name}: {release.emptied[name]:,} records of small strata that were put together have no "
        "value, because no value of the column is true for all of them. Text could name them all."
        for name in release.roles.strata
        if name in release.emptied
    ]


def _averaged_codes(release: Release) -> list[str]:
    return [
        f"{name}: few whole numbers, which were averaged. If they are codes, the means are not: "
        "declare it nominal, or list its codes from low to high as ordinal."
        for name in release.averaged_codes
    ]
