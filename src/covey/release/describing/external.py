"""The content of the external report: for those who use the data, and of no use to an intruder."""

from __future__ import annotations

import numpy as np

from covey import __version__
from covey.measures.loss.variation import moments_of_both
from covey.measures.pairs import read_pair
from covey.release.describing.categories import losses_of_categories
from covey.release.describing.pictures import released_distributions
from covey.release.describing.words import title_of
from covey.release.release import Release
from covey.reports.content_types import ExternalContent
from covey.reports.content_types import external as parts
from covey.tables.variables import Variable

PURPOSE = (
    "The data are about people or firms who were promised that nobody would recognise them. "
    "Similar records were therefore put into groups, and every record shows the values of its "
    "group instead of its own."
)
# Reasons that may be told to everybody.
REASONS = {"identifier": "it names a person or firm", "not named": "it was not needed"}


def external_content(
    release: Release,
    title: str | None = None,
    publisher: str | None = None,
    contact: str | None = None,
) -> ExternalContent:
    """What users of the release need to know."""
    joint = release.technique.guarantee_ == "joint"
    name = title or title_of(release)
    date = release.provenance.started[:10]
    return {
        "title": name,
        "date": date,
        "publisher": publisher,
        "contact": contact,
        "purpose": PURPOSE,
        "records": int(release.table.num_rows),
        "k": release.achieved_k if joint else release.block_k,
        "guarantee": "joint" if joint else "per block",
        "columns": _columns(release),
        "removed": [
            {"name": column, "reason": REASONS.get(reason, "it was not needed")}
            for column, reason in release.dropped.items()
        ],
        "numeric": _numeric(release),
        "categorical": _categorical(release),
        "distributions": released_distributions(release),
        "weight": _weight(release),
        "notes": _notes(release),
        "terms": None,
        "citation": {"text": _citation(name, publisher, date), "bibtex": None},
        "software": f"Covey {__version__}",
    }


def _columns(release: Release) -> list[parts.ReleasedColumn]:
    variables = {v.name: v for v in release.masked.prepared.variables}
    return [
        {
            "name": name,
            "treatment": _treatment(variables.get(name), name == release.roles.weight, release),
            "unit": None,
            "rounding": _rounding(variables.get(name)),
            "missing_cells": int(release.table[name].null_count),
        }
        for name in release.table.column_names
    ]


def _treatment(variable: Variable | None, is_weight: bool, release: Release) -> parts.Treatment:
    if is_weight:
        return "unchanged" if release.roles.keeps_weight else "mean"
    if variable is None:
        return "unchanged"
    if variable.kind == "nominal":
        return "mode"
    return "lower median" if variable.kind == "ordinal" else "mean"


def _rounding(variable: Variable | None) -> str | None:
    return "to whole numbers" if variable is not None and variable.kind == "integer" else None


def _numeric(release: Release) -> list[parts.PreservedNumeric]:
    coded = release.coded
    pair = read_pair(coded.original, coded.released, nominal=coded.nominal).numbers()
    if not pair.names:
        return []
    before, after = moments_of_both(pair)
    differences = np.nan_to_num(np.abs(after.correlations - before.correlations))
    np.fill_diagonal(differences, 0.0)
    found: list[parts.PreservedNumeric] = []
    for j, name in enumerate(pair.names):
        if name in coded.ordinal_names:
            continue
        mean, variance = float(before.means[j]), float(before.covariances[j, j])
        found.append(
            {
                "name": name,
                "mean_change": 100.0 * (float(after.means[j]) - mean) / abs(mean) if mean else None,
                "sd_ratio": (
                    float(np.sqrt(after.covariances[j, j] / variance)) if variance > 0 else None
                ),
                "correlation_difference": (
                    float(differences[j].max()) if len(pair.names) > 1 else None
                ),
            }
        )
    return found


def _categorical(release: Release) -> list[parts.PreservedCategorical]:
    return [
        {"name": name, "distribution_shift": loss.shift}
        for name, loss in losses_of_categories(release).items()
    ]


def _weight(release: Release) -> parts.Weight | None:
    name = release.roles.weight
    if name is None or name not in release.table.column_names:
        return None
    if release.roles.keeps_weight:
        return {"name": name, "treatment": "The weights are those of the original records."}
    return {
        "name": name,
        "treatment": "Every record has the mean weight of its group, so that weighted totals "
        "stay what they were.",
    }


def _notes(release: Release) -> list[str]:
    notes = []
    if release.suppressed:
        notes.append("Records of very small strata are not in the file.")
    if release.merged:
        notes.append("Very small strata were put together with similar ones.")
    return notes


def _citation(title: str, publisher: str | None, date: str) -> str:
    who = f"{publisher}. " if publisher else ""
    return f"{who}{title}. Protected microdata file, {date}."
