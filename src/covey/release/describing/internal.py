"""The content of the internal report: everything needed to replicate and sign."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from covey import measures
from covey.release.comparing import Comparison
from covey.release.describing.alternatives import alternatives_to
from covey.release.describing.categories import losses_of_categories
from covey.release.describing.findings import judgement
from covey.release.describing.identifiers import no_identifier
from covey.release.describing.pictures import correlation_difference, distributions, groups_map
from covey.release.describing.risks import records_at_risk, risk_table, three_questions
from covey.release.describing.strata import RELABELLED, relabelled_strata
from covey.release.describing.words import (
    DOMINANCE_RULE,
    description_of,
    kind_in_words,
    kind_of,
    linkage_note,
    missing_rule,
    strata_rule,
    summary,
    title_of,
)
from covey.release.release import Release
from covey.release.rules import check_rules, numeric_names
from covey.reports.content_types import InternalContent
from covey.reports.content_types import internal as parts
from covey.types import FloatVector


def internal_content(
    release: Release, alternatives: Comparison | None = None, title: str | None = None
) -> InternalContent:
    """Everything about a release, as plain values."""
    risks = risk_table(release)
    rules, dominance = _edit_rules(release), _dominance(release)
    return {
        "title": title or title_of(release),
        "date": release.provenance.started[:10],
        "verdict": _verdict(release, risks),
        "summary": summary(release),
        "judgement": judgement(release, rules, dominance),
        "warnings": list(release.provenance.warnings),
        "columns": _columns(release),
        "method": _method(release),
        "groups": _groups(release),
        "risks": risks,
        "linkage_note": linkage_note(release),
        "dominance": dominance,
        "diversity": _diversity(release),
        "overall_losses": _overall_losses(release),
        "numeric_losses": _numeric_losses(release),
        "categorical_losses": _categorical_losses(release),
        "groups_map": groups_map(release),
        "distributions": distributions(release),
        "correlation_difference": correlation_difference(release),
        "edit_rules": rules,
        "alternatives": None if alternatives is None else alternatives_to(release, alternatives),
        "records_at_risk": records_at_risk(release),
        "three_questions": three_questions(release),
        "provenance": _provenance(release),
    }


def _verdict(release: Release, risks: list[parts.Risk]) -> parts.Verdict:
    joint = release.technique.guarantee_ == "joint"
    shared = "All quasi-identifiers and strata" if joint else "The quasi-identifiers of each block"
    achieved = release.achieved_k if joint else release.block_k
    released, expected = release.n_records, release.provenance.input_records
    checks: list[parts.Check] = [
        {
            "name": f"Every record is shared by at least {release.settings.k}",
            "passed": achieved >= release.settings.k,
            "finding": f"{shared} are equal in at least {achieved} records, counted on the release",
        },
        {
            "name": "No record is lost or doubled",
            "passed": released == expected - release.suppressed,
            "finding": f"{released} of {expected} records; {release.suppressed} suppressed on "
            "purpose",
        },
        no_identifier(release),
    ]
    for risk in risks:
        if risk["passed"] is not None:
            checks.append(
                {
                    "name": f"{risk['measure']} within its limit",
                    "passed": risk["passed"],
                    "finding": f"{risk['after']:.2f} %, limit {risk['threshold']:g} %",
                }
            )
    return {
        "k_requested": int(release.settings.k),
        "k_achieved": achieved,
        "guarantee": "joint" if joint else "per block",
        "checks": checks,
    }


def _columns(release: Release) -> list[parts.Column]:
    original = release.masked.prepared.original.table
    kinds = {v.name: kind_of(v) for v in release.masked.prepared.variables}
    read = {name: kind_in_words(kinds.get(name), column.type) for name, column in _named(original)}
    gaps = release.gaps
    unread = [name for name in release.dropped if name not in read]
    return [
        {
            "name": name,
            "role": release.roles.of(name),
            "kind": read.get(name, ""),
            "missing_before": gaps[name][0] if name in gaps else _missing(original, name),
            "emptied": release.emptied.get(name, 0) if name in gaps else None,
            "missing_after": gaps[name][1] if name in gaps else None,
            "note": _column_note(release, name),
        }
        for name in (*read, *unread)
    ]


def _named(table: Any) -> Iterator[tuple[str, Any]]:
    return zip(table.column_names, table.columns, strict=True)


def _missing(table: Any, name: str) -> int | None:
    """Missing cells of a column that is not released; None where it was not read either."""
    return int(table[name].null_count) if name in table.column_names else None


def _column_note(release: Release, name: str) -> str:
    if name in release.dropped:
        return f"dropped: {release.dropped[name]}"
    if name in relabelled_strata(release):
        return RELABELLED
    several = len(release.roles.weights) > 1
    return "means are weighted by it" if several and name == release.roles.weight else ""


def _method(release: Release) -> parts.Method:
    technique, settings = release.technique, release.settings
    own = technique.get_params(deep=False)
    seed = own.get("random_state")
    given = own | dict(settings.parameters) | technique.decided_parameters()
    return {
        "technique": type(technique).__name__,
        "description": description_of(technique),
        "paper": technique.paper,
        "parameters": [
            {"name": name, "value": str(value)}
            for name, value in given.items()
            if name not in ("k", "random_state")
        ],
        "seed": seed if isinstance(seed, int) else None,
        "k": int(settings.k),
        "missing_rule": missing_rule(release),
        "min_contributors": settings.contributors,
        "strata_rule": strata_rule(release),
        "strata_changes": _strata_changes(release),
    }


def _strata_changes(release: Release) -> list[parts.StratumChange]:
    changes: list[parts.StratumChange] = [
        {"stratum": words, "records": records, "change": "merged into one stratum"}
        for words, records in release.masked.plan.settled.merged
    ]
    if release.suppressed:
        changes.append(
            {
                "stratum": f"strata of fewer than {release.settings.k} records",
                "records": release.suppressed,
                "change": "suppressed: these records are not in the release",
            }
        )
    return changes


def _groups(release: Release) -> parts.Groups:
    counts = release.group_sizes
    sizes = np.repeat(list(counts), list(counts.values()))
    return {
        "records": release.n_records,
        "groups": int(sizes.size),
        "smallest": int(sizes.min()),
        "mean": float(sizes.mean()),
        "largest": int(sizes.max()),
        "sizes": [{"size": size, "groups": count} for size, count in counts.items()],
    }


def _dominance(release: Release) -> parts.Dominance | None:
    found = release.evaluation.dominance
    if found is None:
        return None
    return {
        "rule": DOMINANCE_RULE,
        "variables": [
            {"variable": name, "dominated": count, "groups": found.cells_by_variable[name]}
            for name, count in found.by_variable.items()
        ],
    }


def _diversity(release: Release) -> list[parts.Diversity]:
    found = release.evaluation.l_diversity
    if found is None:
        return []
    return [
        {
            "variable": name,
            "fewest_values": fewest,
            "single_value_percent": found.single_by_variable[name],
        }
        for name, fewest in found.by_variable.items()
    ]


def _overall_losses(release: Release) -> list[parts.OverallLoss]:
    """Every loss that was measured, but for those that repeat another one."""
    percents = release.evaluation.percents()
    return [
        {"measure": loss.label, "meaning": loss.meaning, "percent": percents[loss.name]}
        for loss in measures.available("loss")
        if loss.name in percents and not loss.repeats
    ]


def _numeric_losses(release: Release) -> list[parts.NumericLoss]:
    found = release.evaluation.per_variable
    if found is None:
        return []
    return [
        {
            "name": name,
            "mean_shift": loss.mean,
            "sd_ratio": float(np.sqrt(max(1.0 - loss.variance / 100.0, 0.0))),
            "quantile_shift": max(loss.quantiles, key=abs),
        }
        for name, loss in found.by_variable.items()
        if name not in release.coded.ordinal_names
    ]


def _categorical_losses(release: Release) -> list[parts.CategoricalLoss]:
    relabelled = relabelled_strata(release)
    return [
        {
            "name": name,
            "share_changed": None if name in relabelled else loss.changed,
            "distribution_shift": None if name in relabelled else loss.shift,
            "note": RELABELLED if name in relabelled else None,
        }
        for name, loss in losses_of_categories(release).items()
    ]


def _edit_rules(release: Release) -> list[parts.EditRule]:
    kept = release.masked.prepared.table
    released = release.masked.table
    before = _numbers(kept, released.column_names)
    after = _numbers(released, list(before))
    return [
        {
            "rule": rule.name if rule.name == rule.rule else f"{rule.name}: {rule.rule}",
            "applies_before": rule.applies_before,
            "violations_before": rule.before,
            "applies_after": rule.applies_after,
            "violations_after": rule.after,
        }
        for rule in check_rules(before, after, release.settings.rules)
    ]


def _numbers(table: Any, names: list[str]) -> dict[str, FloatVector]:
    """The numeric columns of a table, NaN where a value is missing."""
    import pyarrow as pa

    return {
        name: np.array(table[name].cast(pa.float64(), safe=False).to_numpy(), dtype=np.float64)
        for name in numeric_names(table)
        if name in names
    }


def _provenance(release: Release) -> parts.Provenance:
    trace = release.provenance
    seed = getattr(release.technique, "random_state", None)
    files: list[parts.File] = [
        {"role": "original", "name": trace.input_name, "sha256": trace.input_hash}
    ]
    files += [
        {"role": "released", "name": name, "sha256": digest}
        for name, digest in trace.outputs.items()
    ]
    return {
        "files": files,
        "software": [{"name": name, "version": text} for name, text in trace.versions.items()],
        "platform": trace.platform,
        "seed": seed if isinstance(seed, int) else None,
        "created": trace.started,
        "settings_toml": release.settings.to_toml(),
        "script": release.script(),
    }
