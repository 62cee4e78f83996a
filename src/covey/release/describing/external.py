"""The content of the external report: for those who use the data, and of no use to an intruder."""

from __future__ import annotations

import numpy as np

from covey import __version__
from covey.measures.loss.variation import moments_of_both
from covey.measures.pairs import read_pair
from covey.release.describing.categories import losses_of_categories
from covey.release.describing.means import basis_of_means, change_of_mean
from covey.release.describing.pictures import released_distributions
from covey.release.describing.strata import RELABELLED, new_labels, relabelled_strata
from covey.release.describing.words import sample_in_words
from covey.release.release import Release
from covey.reports.content_types import ExternalContent
from covey.reports.content_types import external as parts
from covey.tables.variables import Variable

PURPOSE = (
    "The data are about people or firms who were promised that nobody would recognise them. "
    "Similar records were therefore put into groups, and in the protected columns every record "
    "shows the values of its group instead of its own."
)
UNTITLED = "Protected microdata"
# Reasons that may be told to everybody.
REASONS = {"identifier": "it names a person or firm", "not named": "it was not needed"}


def external_content(
    release: Release,
    title: str | None = None,
    publisher: str | None = None,
    contact: str | None = None,
) -> ExternalContent:
    """What users of the release need to know."""
    content = _content(release)
    return with_title(content, title, publisher, contact)


def with_title(
    content: ExternalContent,
    title: str | None = None,
    publisher: str | None = None,
    contact: str | None = None,
) -> ExternalContent:
    """The same under another title, by another publisher."""
    name = title or UNTITLED
    changed = content.copy()
    changed["title"], changed["publisher"], changed["contact"] = name, publisher, contact
    text = _citation(name, publisher, content["date"])
    changed["citation"] = {"text": text, "bibtex": content["citation"]["bibtex"]}
    return changed


def _content(release: Release) -> ExternalContent:
    joint = release.technique.guarantee_ == "joint"
    date = release.provenance.started[:10]
    return {
        "title": UNTITLED,
        "date": date,
        "publisher": None,
        "contact": None,
        "purpose": PURPOSE,
        "records": release.n_records,
        "k": release.achieved_k if joint else release.block_k,
        "guarantee": "joint" if joint else "per block",
        "columns": _columns(release),
        "removed": [
            {"name": column, "reason": REASONS.get(reason, "it was not needed")}
            for column, reason in release.dropped.items()
        ],
        "numeric": _numeric(release),
        "mean_basis": basis_of_means(release),
        "categorical": _categorical(release),
        "distributions": released_distributions(release),
        "weight": _weight(release),
        "notes": _notes(release),
        "terms": None,
        "citation": {"text": _citation(UNTITLED, None, date), "bibtex": None},
        "software": f"Covey {__version__}",
    }


def _columns(release: Release) -> list[parts.ReleasedColumn]:
    variables = {v.name: v for v in release.masked.prepared.variables}
    relabelled = relabelled_strata(release)
    return [
        {
            "name": name,
            "treatment": (
                "merged" if name in relabelled else _treatment(variables.get(name), name, release)
            ),
            "unit": None,
            "rounding": _rounding(variables.get(name)),
            "missing_cells": release.gaps[name][1],
        }
        for name in release.masked.table.column_names
    ]


def _treatment(variable: Variable | None, name: str, release: Release) -> parts.Treatment:
    if name in release.roles.averaged_weights:
        return "mean"
    if variable is None:
        return "unchanged"
    if variable.kind == "nominal":
        return "mode"
    if variable.is_ordered_number:
        return "median"
    return "lower median" if variable.kind == "ordinal" else "mean"


def _rounding(variable: Variable | None) -> str | None:
    if variable is not None and variable.is_whole:
        return "to whole numbers"
    has_clock = variable is not None and variable.clock is not None
    return "to what the column can hold" if has_clock else None


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
        variance = float(before.covariances[j, j])
        ratio = float(np.sqrt(after.covariances[j, j] / variance)) if variance > 0 else None
        largest = float(differences[j].max()) if len(pair.names) > 1 else None
        change = change_of_mean(release, name)
        found.append(
            {
                "name": name,
                "mean_change": _coarse(change.percent),
                "mean_days": None if change.days is None else round(change.days),
                "sd_ratio": _coarse(ratio),
                "correlation_difference": _coarse(largest),
            }
        )
    return found


def _coarse(figure: float | None) -> float | None:
    """Two decimals: with all digits, sums of squares inside the groups could be worked out."""
    return None if figure is None else round(figure, 2)


def _categorical(release: Release) -> list[parts.PreservedCategorical]:
    """A stratum with new labels has no shift: its records are where they were."""
    relabelled = relabelled_strata(release)
    return [
        {
            "name": name,
            "distribution_shift": None if name in relabelled else _coarse(loss.shift),
            "note": RELABELLED if name in relabelled else None,
        }
        for name, loss in losses_of_categories(release).items()
    ]


def _weight(release: Release) -> parts.Weight | None:
    released = [name for name in release.roles.weights if name in release.masked.table.column_names]
    if not released:
        return None
    name, *others = released
    if name in release.roles.kept_weights:
        treatment = "The weights are those of the original records."
    else:
        treatment = f"Every record has the mean weight of its group. {_totals(release)}"
    said = f"{treatment} {_weighted(release)}{_further_weights(release, others)}"
    return {"name": name, "treatment": said}


def _weighted(release: Release) -> str:
    """Which values of groups the weight that was used has a part in."""
    used = {_treatment(v, v.name, release) for v in release.masked.prepared.variables}
    words = {
        "mean": ("mean",),
        "most frequent value": ("mode",),
        "median": ("median", "lower median"),
    }
    found = [word for word, treatments in words.items() if used & set(treatments)]
    listed = " and the ".join(filter(None, (", the ".join(found[:-1]), found[-1])))
    verb, name = "is" if len(found) == 1 else "are", release.roles.weight
    return f"In the other columns, the {listed} of a group {verb} weighted by {name}."


def _further_weights(release: Release, names: list[str]) -> str:
    """How weights beside the one that was used are released."""
    if not names:
        return ""
    averaged = [name for name in names if name in release.roles.averaged_weights]
    kept = [name for name in names if name not in averaged]
    said = f" Nothing was weighted by {', '.join(names)}."
    if averaged:
        said += (
            f" Every record has the mean of {', '.join(averaged)} in its group; members without "
            "such a weight count as 0 in it."
        )
    return said + (f" {', '.join(kept)}: those of the original records." if kept else "")


def _totals(release: Release) -> str:
    """Means of groups keep totals, but a gap that is filled adds to them."""
    if all(variable.known.all() for variable in release.masked.prepared.variables):
        return (
            "Weighted totals of columns that are means of groups therefore stay what they were for "
            "the records in the file, up to rounding."
        )
    return (
        "Some values were missing before, and members without a value were given that of their "
        "group (or the whole group has none), so weighted totals are not exactly what they were."
    )


def _notes(release: Release) -> list[str]:
    notes = []
    if release.suppressed:
        notes.append("Records of very small strata are not in the file.")
    if release.averaged_codes:
        names = ", ".join(release.averaged_codes)
        notes.append(f"Values of {names} are means of groups and cannot be read as codes.")
    strata = release.roles.strata
    cells = sum(count for name, count in release.emptied.items() if name not in strata)
    if cells:
        notes.append(
            "Cells that had a value and are empty, because too few records stand behind it: "
            f"{cells}."
        )
    for name, percent in release.lost_weights.items():
        notes.append(
            f"Cells of {name} that are empty had {percent:.2f} % of its total: totals that are "
            "estimated with it are too small."
        )
    if release.is_sampled:
        notes.append(f"Figures of what was preserved are of {sample_in_words(release)}.")
    for name in relabelled_strata(release):
        labels = ", ".join(f"“{label}”" for label in new_labels(release, name))
        shown = f"they are shown as {labels}" if labels else "the cells of these records are empty"
        notes.append(f"Very small strata in {name} were put together with similar ones: {shown}.")
    return notes


def _citation(title: str, publisher: str | None, date: str) -> str:
    who = f"{publisher}. " if publisher else ""
    return f"{who}{title}. Protected microdata file, {date}."
