"""A release in a few lines and as plain figures: what every front end shows of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from covey.release.describing.emptied import averaged_in_words, emptied_in_words
from covey.release.describing.words import sample_in_words
from covey.release.release import Release
from covey.technique import Technique


def release_lines(release: Release, original: str, *, measures: bool = True) -> dict[str, str]:
    """What was released, with which guarantee, at what loss and risk; by name, in words.

    `original` is how the file is called. Lines that have nothing to say are left out.
    """
    technique = release.technique
    records, columns = release.n_records, release.masked.table.num_columns
    lines = {
        "original": f"{_asked(release, original)}: {release.provenance.input_records} records",
        "detected": " ".join(release.provenance.notes),
        "released": f"{records} records, {columns} columns",
        "technique": f"{_technique(technique)}, guarantee: {technique.guarantee_}",
        "k": _achieved(release),
        "groups": _groups(release),
        "blocks": _blocks(release),
        "merged": _some(release.merged),
        "suppressed": f"{release.suppressed} records" if release.suppressed else "",
        "emptied": emptied_in_words(release.emptied, release.roles.strata, release.lost_weights),
        "dropped": reasons_in_words(release.dropped),
        "averaged": averaged_in_words(release.averaged_codes),
    }
    lines |= _figures(release) if measures else {}
    return {name: text for name, text in lines.items() if text}


def release_figures(release: Release, *, measures: bool = True) -> dict[str, Any]:
    """The same and more, as plain values."""
    found: dict[str, Any] = {
        "records": release.n_records,
        "columns": release.masked.table.column_names,
        "technique": release.technique.describe().name,
        "guarantee": release.technique.guarantee_,
        "k": int(release.settings.k),
        "achieved_k": release.achieved_k,
        "block_k": release.block_k,
        "dropped": release.dropped,
        "merged": list(release.merged),
        "suppressed": release.suppressed,
        "groups": release.n_groups,
        "parts": release.n_parts,
        "il": release.il_,
        "emptied": dict(release.emptied),
        "lost_weights": dict(release.lost_weights),
        "averaged_codes": list(release.averaged_codes),
        "warnings": list(release.provenance.warnings),
        "settings": release.settings.to_dict(),
        "input": {"name": release.provenance.input_name, "sha256": release.provenance.input_hash},
        "outputs": dict(release.provenance.outputs),
        "seconds": release.provenance.seconds,
    }
    return found | ({"evaluation": release.evaluation.to_dict()} if measures else {})


def limits_exceeded(release: Release) -> list[str]:
    """A sentence for each limit on a risk that is not kept."""
    percents = release.evaluation.percents() | release.evaluation.composites()
    return [
        f"{name} is {percents[name]:.2f} %, above the limit of {limit:g} %."
        for name, limit in release.settings.thresholds.items()
        if percents.get(name, 0.0) > limit
    ]


def reasons_in_words(left_out: Mapping[str, str]) -> str:
    """Columns that were left out, by the reason for it."""
    by_reason = groupby(sorted(left_out, key=lambda name: left_out[name]), left_out.__getitem__)
    return "; ".join(f"{reason}: {', '.join(names)}" for reason, names in by_reason)


def _asked(release: Release, original: str) -> str:
    source = release.masked.prepared.original.source
    return original if source is None or source.file is not None else source.shown


def _technique(technique: Technique) -> str:
    """Its name, and how long it searched."""
    name = type(technique).__name__
    effort = technique.decided_parameters().get("effort")
    return name if effort is None else f"{name} ({effort:,.0f} moves per record)"


def _achieved(release: Release) -> str:
    asked = f"{release.settings.k} asked for"
    if release.technique.guarantee_ == "joint":
        return f"{asked}, {release.achieved_k} achieved"
    return f"{asked}, {release.block_k} achieved in each block; whole records: {release.achieved_k}"


def _groups(release: Release) -> str:
    sizes, blocks = list(release.group_sizes), len(release.technique.blocks_)
    low, high = min(sizes), max(sizes)
    text = f"{release.n_groups} of {low if low == high else f'{low} to {high}'} records"
    parts = f", in {release.n_parts} parts" if release.n_parts > 1 else ""
    return text + parts + (f", in {blocks} blocks of variables" if blocks > 1 else "")


def _blocks(release: Release) -> str:
    size = release.settings.block_size
    return "" if size is None else f"of at most {size:,} records, seams repaired"


def _some(merged: Sequence[str], most: int = 3) -> str:
    more = f" … and {len(merged) - most} more" if len(merged) > most else ""
    return "; ".join(merged[:most]) + more


def _figures(release: Release) -> dict[str, str]:
    percents = release.evaluation.percents()
    loss = {"IL": percents.get("il"), "categories changed": percents.get("categories")}
    risk = {
        "record linkage": percents["record_linkage"],
        "distance linkage": percents["distance_linkage"],
        "interval disclosure": percents.get("interval"),
    }
    return {
        "loss": _listed(loss),
        "risk": _listed(risk),
        "measured on": sample_in_words(release),
        "estimated": _estimated(release),
        "limits": _limits(release),
    }


def _estimated(release: Release) -> str:
    """The linkages that were measured on a sample, and how sure they are."""
    return "; ".join(
        f"{name.replace('_', ' ')} {str(sampled).removeprefix('estimated ')}"
        for name, sampled in release.evaluation.estimates().items()
    )


def _listed(figures: dict[str, float | None]) -> str:
    return ", ".join(
        f"{name} {value:.2f} %" for name, value in figures.items() if value is not None
    )


def _limits(release: Release) -> str:
    """The limits that were set and whether they are kept."""
    percents = release.evaluation.percents() | release.evaluation.composites()
    words = {True: "within", False: "ABOVE"}
    return ", ".join(
        f"{name} {percents[name]:.2f} % {words[percents[name] <= limit]} {limit:g} %"
        for name, limit in release.settings.thresholds.items()
        if name in percents
    )
