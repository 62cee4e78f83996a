"""Records to released records: the groups of a part, their values, and what is noted of them.

In memory all records are one part. Larger data are many, and each is done on its own.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from covey.partition import Partition
from covey.pipeline.guarantee import Counted, require_guarantee
from covey.pipeline.plan import KEY, STRATUM, Plan
from covey.tables.aggregating import Groups, aggregate, emptied_cells
from covey.tables.categories import with_one_zero
from covey.tables.levels import without_unused
from covey.tables.roles import Roles
from covey.tables.variables import Variable
from covey.tables.weights import mean_weights, weight_numbers, weight_sums
from covey.technique import Technique
from covey.types import FloatMatrix, FloatVector, IntVector, Progress

# A share of the weight of a group that is nearly all of it.
HEAVY = 0.85
# Why a weight is not released.
NO_WHOLE_GROUPS = "weight, and no groups that hold for whole records"


class Part(NamedTuple):
    """Released records, in the order of their originals.

    `technique` is fitted on them, `variables` are their quasi-identifiers and `values` the
    released ones as floats. Columns of categories in `released` list all that the file has.
    """

    technique: Technique
    variables: tuple[Variable, ...]
    values: FloatMatrix
    released: Any
    counted: Counted
    noted: dict[str, Any]


def protect_part(plan: Plan, table: Any, progress: Progress | None = None) -> Part:
    """Group the records of a part, give every member the values of its group, and count them."""
    variables = tuple(plan.frame.read(table))
    technique, sums = _grouped(plan, table, variables, progress)
    _tell(progress, "aggregating", 0)
    weights = plan.frame.weights(table)
    values = _values(plan, variables, technique, weights)
    released = _assembled(plan, table, variables, values, technique)
    roles = plan.frame.roles
    counted = require_guarantee(released, roles, technique.blocks_, plan.k, table.num_rows)
    noted = {
        "records": table.num_rows,
        "sizes": _group_sizes(technique),
        "joint": technique.guarantee_ == "joint",
        "decided": dict(technique.decided_parameters()),
        "blocks": [list(block.variables) for block in technique.blocks_],
        "counted": list(counted),
        "heavy": sum(heavy_groups(block.partition, weights) for block in technique.blocks_),
        "emptied": emptied_cells(table, released, roles.changed),
        "gaps": _gaps(table, variables, released),
        "new_means": new_means(variables, released),
        "heavy_means": heavy_means(roles, table, released, technique),
        "weight_sums": weight_sums(roles, table, released),
        **sums,
    }
    _tell(progress, "aggregating", 1)
    return Part(technique, variables, values, released, counted, noted)


def _group_sizes(technique: Technique) -> dict[str, int]:
    """How many groups there are of each size, in all blocks of variables."""
    sizes = np.concatenate([block.partition.sizes for block in technique.blocks_])
    return {
        str(size): int(count)
        for size, count in zip(*np.unique(sizes, return_counts=True), strict=True)
    }


def _gaps(table: Any, variables: Sequence[Variable], released: Any) -> dict[str, list[int]]:
    """Missing cells of each released column, before and after."""
    before = {v.name: int((~v.known).sum()) for v in variables}
    return {
        name: [before.get(name, int(table[name].null_count)), int(released[name].null_count)]
        for name in released.column_names
    }


def _tell(progress: Progress | None, stage: str, done: int) -> None:
    if progress is not None:
        progress(stage, done, 1)


def _grouped(
    plan: Plan, table: Any, variables: Sequence[Variable], progress: Progress | None
) -> tuple[Technique, dict[str, Any]]:
    """The technique, fitted on the records of each stratum, and what the loss is added up from."""
    _tell(progress, "embedding", 0)
    frame = plan.frame
    scores = frame.z_scores(variables)
    points = scores if frame.placings is frame.scores else frame.embedded(variables)
    _tell(progress, "embedding", 1)
    strata = np.unique(table[STRATUM].to_numpy(), return_inverse=True)[1]
    technique = copy.copy(plan.technique)
    technique.fit_embedded(points, scores, None, strata.astype(np.int64), progress, plan.divide)
    total = scores.coordinates
    sums = {
        "lost": sum(p.sse(scores.of(chosen)) for chosen, p in technique.blocks_),
        "squares": float(np.square(total).sum()),
        "sums": total.sum(axis=0).tolist(),
    }
    return technique, sums


def information_loss(notes: Sequence[Mapping[str, Any]]) -> float:
    """100·SSE/SST from the sums of all parts, in their order."""
    n = sum(noted["records"] for noted in notes)
    sums = np.array([noted["sums"] for noted in notes]).sum(axis=0)
    total = sum(noted["squares"] for noted in notes) - float(np.square(sums).sum()) / n
    lost = sum(noted["lost"] for noted in notes)
    return 100.0 * lost / total if total > 0 else 0.0


def _values(
    plan: Plan,
    variables: Sequence[Variable],
    technique: Technique,
    weights: FloatVector | None,
) -> FloatMatrix:
    released = np.empty((technique.blocks_[0].partition.n_records, len(variables)))
    for block in technique.blocks_:
        groups = Groups(block.partition.labels, block.partition.n_groups, weights)
        for v in block.variables:
            overall = plan.frame.variables[v].overall
            released[:, v] = aggregate(variables[v], groups, plan.contributors, overall)
    return released


def _assembled(
    plan: Plan,
    table: Any,
    variables: Sequence[Variable],
    values: FloatMatrix,
    technique: Technique,
) -> Any:
    """The released table, its columns in the order of the original."""
    import pyarrow as pa

    roles = plan.frame.roles
    columns = {v.name: v.restore(values[:, j]) for j, v in enumerate(variables)}
    columns |= {
        name: table[name] for name in (*roles.confidential, *roles.keep, *roles.kept_weights)
    }
    keys = table[KEY].to_numpy()
    columns |= {name: _stratum(plan, table[name], name, keys) for name in roles.strata}
    if technique.guarantee_ == "joint":
        partition = technique.partition_
        groups = Groups(partition.labels, partition.n_groups)
        columns |= mean_weights(roles, table, groups, plan.contributors)
    columns = {name: _without_hidden(column) for name, column in columns.items()}
    fields = [
        pa.field(part.name, columns[part.name].type, metadata=part.metadata)
        for part in plan.schema
        if part.name in columns
    ]
    return pa.table([columns[part.name] for part in fields], schema=pa.schema(fields))


def dropped(roles: Roles, technique: Technique) -> dict[str, str]:
    """Columns that are left out, and why."""
    if technique.guarantee_ == "joint":
        return dict(roles.dropped)
    return roles.dropped | dict.fromkeys(roles.averaged_weights, NO_WHOLE_GROUPS)


def _without_hidden(column: Any) -> Any:
    """A column without categories that nobody has; lists of them are settled for all parts."""
    import pyarrow as pa

    listed = pa.types.is_dictionary(column.type)
    stays = listed and not pa.types.is_duration(column.type.value_type)
    return column if stays else without_unused(column)


def _stratum(plan: Plan, column: Any, name: str, keys: IntVector) -> Any:
    import pyarrow as pa

    if name in plan.settled.released:
        return plan.settled.released[name].take(pa.array(keys))
    return with_one_zero(column)


def heavy_groups(partition: Partition, weights: FloatVector | None) -> int:
    """Groups in which one record has nearly all of the weight."""
    if weights is None:
        return 0
    largest = np.zeros(partition.n_groups)
    np.maximum.at(largest, partition.labels, weights)
    return int((largest > HEAVY * np.bincount(partition.labels, weights=weights)).sum())


def heavy_means(roles: Roles, table: Any, released: Any, technique: Technique) -> dict[str, int]:
    """Groups in which one record has nearly all of a weight that is only averaged, by weight.

    The first weight is not among them, and no group whose mean is left empty.
    """
    found: dict[str, int] = {}
    for name in roles.averaged_weights:
        if name != roles.weight and name in released.column_names:
            weights = np.nan_to_num(weight_numbers(name, table[name]))
            weights[released[name].is_null().to_numpy()] = 0.0
            found[name] = heavy_groups(technique.partition_, weights)
    return found


def new_means(variables: Sequence[Variable], released: Any) -> dict[str, list[float]]:
    """Released numbers that none of these records had; one that is not whole stands for all."""
    import pyarrow.types as t

    found = {}
    for variable in variables:
        type = released[variable.name].type
        if not variable.is_category and (t.is_floating(type) or t.is_integer(type)):
            means = np.unique(released[variable.name].drop_null().to_numpy())
            broken = means[np.rint(means) != means]
            new = np.setdiff1d(means, variable.values[variable.known])
            found[variable.name] = (broken[:1] if broken.size else new).tolist()
    return found
