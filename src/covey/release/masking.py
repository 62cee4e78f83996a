"""From prepared columns to released columns: strata, groups, values."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from covey.errors import DisclosureWarning
from covey.release.preparing import Prepared
from covey.release.settings import Settings
from covey.scale.assembling import HEAVY, heavy_groups, heavy_means
from covey.scale.blocks import group_in_blocks
from covey.tables.aggregating import Groups, aggregate, emptied_cells
from covey.tables.levels import without_unused
from covey.tables.strata import Strata, missing_patterns, relabelled, settle_small, stratify
from covey.tables.weights import lost_percents, mean_weights, weight_sums
from covey.technique import Divide, Technique
from covey.types import FloatMatrix, IntVector, Progress

# Why a weight is not released.
NO_WHOLE_GROUPS = "weight, and no groups that hold for whole records"


class Masked(NamedTuple):
    """The released columns, the fitted technique, and what had to be done to small strata.

    `values` are the released quasi-identifiers as floats (see `covey.tables.variables`), `kept`
    the rows of the original that were released. `merged` has the words for each set of strata that
    were put together and the number of their records, `suppressed` the number of records that
    were left out, `emptied` the number of cells of each column that lost their value,
    `lost_weights` the percentage of the total of each weight that was in such cells.
    """

    table: Any
    technique: Technique
    values: FloatMatrix
    prepared: Prepared
    kept: IntVector
    merged: tuple[tuple[str, int], ...]
    suppressed: int
    dropped: dict[str, str]
    emptied: dict[str, int]
    lost_weights: dict[str, float]


def mask(prepared: Prepared, settings: Settings, progress: Progress | None = None) -> Masked:
    """Group the records, and give every member of a group the values of the group."""
    technique = settings.instance()
    settled = _cells(prepared, settings)
    kept = np.flatnonzero(settled.cells >= 0)
    inside = prepared if kept.size == prepared.n_records else prepared.take(kept)
    strata = _strata(inside, settled.strata, settled.first[kept])
    warn_of_unnamed_strata(_unnamed_strata(inside, strata))
    _tell(progress, "embedding", 0)
    embedding = inside.embedding(technique.scaling)
    _tell(progress, "embedding", 1)
    technique.fit_embedded(
        embedding,
        inside.embedding("zscore"),
        inside.numbers() if technique.selects_variables else None,
        _numbered(settled.cells[kept]),
        progress,
        _division(technique, settings),
    )
    _tell(progress, "aggregating", 0)
    _warn_of_heavy_weights(inside, technique)
    values = _aggregated(inside, technique, settings)
    columns, dropped = _other_columns(inside, technique, settings.contributors)
    columns |= strata
    table = _assembled(inside, values, columns)
    if technique.guarantee_ == "joint":
        warn_of_heavy_means(heavy_means(inside.roles, inside.table, table, technique.partition_))
    _tell(progress, "aggregating", 1)
    suppressed = prepared.n_records - int(kept.size)
    roles = prepared.roles
    emptied = emptied_cells(inside.table, table, roles.changed)
    lost = lost_percents([weight_sums(roles, inside.table, table)])
    done = settled.merged, suppressed, dropped, emptied, lost
    return Masked(table, technique, values, inside, kept, *done)


def _tell(progress: Progress | None, stage: str, done: int) -> None:
    if progress is not None:
        progress(stage, done, 1)


def _division(technique: Technique, settings: Settings) -> Divide | None:
    if settings.block_size is None:
        return None
    technique.require_divisible()
    return partial(group_in_blocks, block_size=int(settings.block_size))


class _Cells(NamedTuple):
    """What groups may not leave: `cells`, −1 for a suppressed record.

    They are the `strata` that `first` were settled to, or patterns of missing values inside them.
    """

    first: IntVector
    strata: Strata
    cells: IntVector
    merged: tuple[tuple[str, int], ...]


def _cells(prepared: Prepared, settings: Settings) -> _Cells:
    """Settle strata that are too small, and inside them patterns that are."""
    k, small = int(settings.k), settings.small_strata
    coordinates = prepared.embedding("zscore").coordinates
    columns = {name: prepared.table[name] for name in prepared.roles.strata}
    first = stratify(list(columns.values()), prepared.n_records)

    def stratum_of(record: int) -> str:
        words = [f"{name}={column[record].as_py()!r}" for name, column in columns.items()]
        return ", ".join(words) or "all records"

    strata = settle_small(first, k, small, coordinates, stratum_of)
    merged = tuple(_merged_words(group, first, stratum_of) for group in strata.merged)
    if settings.missing != "pattern":
        return _Cells(first, strata, strata.labels, merged)
    known = np.column_stack([variable.known for variable in prepared.variables])

    def cell_of(record: int) -> str:
        gaps = [
            v.name for v, there in zip(prepared.variables, known[record], strict=True) if not there
        ]
        return f"{stratum_of(record)}, missing: {', '.join(gaps) or 'nothing'}"

    inside = np.flatnonzero(~strata.suppressed)
    parents = strata.labels[inside]
    patterns = missing_patterns(known[inside])
    labels = _numbered(parents * (int(patterns.max()) + 1) + patterns)
    settled = settle_small(
        labels, k, small, coordinates[inside], lambda i: cell_of(int(inside[i])), parents
    )
    cells = np.full(first.size, -1, dtype=np.int64)
    cells[inside] = settled.labels
    merged += tuple(
        _merged_words(group, labels, lambda i: cell_of(int(inside[i]))) for group in settled.merged
    )
    return _Cells(first, strata, cells, merged)


def _numbered(labels: IntVector) -> IntVector:
    return np.asarray(np.unique(labels, return_inverse=True)[1], dtype=np.int64)


def _aggregated(prepared: Prepared, technique: Technique, settings: Settings) -> FloatMatrix:
    released = np.empty((prepared.n_records, len(prepared.variables)))
    for block in technique.blocks_:
        groups = Groups(block.partition.labels, block.partition.n_groups, prepared.weights)
        for v in block.variables:
            released[:, v] = aggregate(prepared.variables[v], groups, settings.contributors)
    return released


def _other_columns(
    prepared: Prepared, technique: Technique, contributors: int
) -> tuple[dict[str, Any], dict[str, str]]:
    """Columns that are released beside the quasi-identifiers, and what is left out and why."""
    roles, table = prepared.roles, prepared.table
    kept = (*roles.confidential, *roles.keep, *roles.kept_weights)
    columns = {name: table[name] for name in kept}
    if technique.guarantee_ != "joint":
        return columns, roles.dropped | dict.fromkeys(roles.averaged_weights, NO_WHOLE_GROUPS)
    groups = Groups(technique.partition_.labels, technique.partition_.n_groups)
    return columns | mean_weights(roles, table, groups, contributors), dict(roles.dropped)


def _strata(prepared: Prepared, strata: Strata, labels: IntVector) -> dict[str, Any]:
    table = prepared.table
    return {name: relabelled(table[name], strata, labels) for name in prepared.roles.strata}


def _unnamed_strata(prepared: Prepared, released: Mapping[str, Any]) -> dict[str, int]:
    import pyarrow as pa

    return emptied_cells(prepared.table, pa.table(dict(released)), tuple(released))


def warn_of_unnamed_strata(emptied: Mapping[str, int]) -> None:
    """Warn of so many records, by column, that lose their stratum because none was true for all."""
    for name, count in emptied.items():
        warnings.warn(
            f"{name!r} is left empty for {count} record(s): their strata are put together, and no "
            f"value of {name!r} is true for all of them. Turn {name!r} into text, with a word for "
            "missing values, and the merged strata are named after all that are in them.",
            DisclosureWarning,
            stacklevel=2,
        )


def _assembled(prepared: Prepared, values: FloatMatrix, others: dict[str, Any]) -> Any:
    """The released table, its columns in the order of the original."""
    import pyarrow as pa

    columns = {v.name: v.restore(values[:, j]) for j, v in enumerate(prepared.variables)}
    columns = {name: without_unused(column) for name, column in (columns | others).items()}
    fields = [
        pa.field(part.name, columns[part.name].type, metadata=part.metadata)
        for part in prepared.table.schema
        if part.name in columns
    ]
    arrays = [columns[part.name] for part in fields]
    return pa.table(arrays, schema=pa.schema(fields))


def _warn_of_heavy_weights(prepared: Prepared, technique: Technique) -> None:
    """A weighted mean is nearly the value of a member who has nearly all the weight."""
    if prepared.weights is None:
        return
    weights = prepared.weights
    warn_of_heavy(sum(heavy_groups(block.partition, weights) for block in technique.blocks_))


def warn_of_heavy(heavy: int) -> None:
    """Warn of so many groups in which one record has nearly all of the weight."""
    if heavy:
        warnings.warn(
            f"In {heavy} group(s) one record has more than {100 * HEAVY:g} % of the weight: the "
            "weighted means are close to its values.",
            DisclosureWarning,
            stacklevel=2,
        )


def warn_of_heavy_means(heavy: Mapping[str, int]) -> None:
    """The same of the weights that are only averaged, by their name."""
    for name, groups in heavy.items():
        if groups:
            warnings.warn(
                f"In {groups} group(s) one record has more than {100 * HEAVY:g} % of {name!r}: "
                f"the mean of {name!r}, times the records of the group, is close to its weight.",
                DisclosureWarning,
                stacklevel=2,
            )


def _merged_words(group: tuple[int, ...], labels: IntVector, describe: Any) -> tuple[str, int]:
    parts = []
    for stratum in group:
        rows = np.flatnonzero(labels == stratum)
        parts.append(f"{describe(int(rows[0]))} ({rows.size})")
    return " with ".join(parts), int(np.isin(labels, group).sum())
