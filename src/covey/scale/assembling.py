"""Released columns of some records, and the sums that the loss of all is made of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from covey.partition import Partition
from covey.scale.plan import Plan
from covey.tables.aggregating import Groups, aggregate
from covey.tables.categories import with_one_zero
from covey.tables.levels import without_unused
from covey.tables.roles import Roles
from covey.tables.variables import Variable
from covey.tables.weights import mean_weights, weight_numbers
from covey.types import FloatMatrix, FloatVector, IntVector

# A share of the weight of a group that is nearly all of it.
HEAVY = 0.85


def assembled(
    plan: Plan,
    table: Any,
    variables: Sequence[Variable],
    partition: Partition,
    weights: FloatVector | None,
    keys: IntVector,
) -> Any:
    """The released table, its columns in the order of the original."""
    import pyarrow as pa

    groups = Groups(partition.labels, partition.n_groups, weights)
    columns: dict[str, Any] = {}
    for variable, described in zip(variables, plan.frame.variables, strict=True):
        values = aggregate(variable, groups, plan.contributors, described.overall)
        columns[variable.name] = variable.restore(values)
    roles = plan.frame.roles
    for name in (*roles.confidential, *roles.keep):
        columns[name] = table[name]
    for name in roles.strata:
        columns[name] = _stratum(plan, table[name], name, keys)
    for name in roles.kept_weights:
        columns[name] = table[name]
    columns |= mean_weights(roles, table, groups, plan.contributors)
    columns = {name: _without_hidden(column) for name, column in columns.items()}
    fields = [
        pa.field(part.name, columns[part.name].type, metadata=part.metadata)
        for part in plan.schema
        if part.name in columns
    ]
    return pa.table([columns[part.name] for part in fields], schema=pa.schema(fields))


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


def heavy_means(roles: Roles, table: Any, released: Any, partition: Partition) -> dict[str, int]:
    """Groups in which one record has nearly all of a weight that is only averaged, by weight.

    The first weight is not among them, and no group whose mean is left empty.
    """
    found = {}
    for name in roles.averaged_weights:
        if name != roles.weight and name in released.column_names:
            weights = np.nan_to_num(weight_numbers(name, table[name]))
            weights[released[name].is_null().to_numpy()] = 0.0
            found[name] = heavy_groups(partition, weights)
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


def sums_of(scores: FloatMatrix, partition: Partition) -> dict[str, Any]:
    """What the loss of all records is added up from."""
    return {
        "lost": partition.sse(scores),
        "squares": float(np.square(scores).sum()),
        "sums": scores.sum(axis=0).tolist(),
        "groups": partition.n_groups,
    }


def information_loss(marks: Sequence[dict[str, Any]]) -> float:
    """100·SSE/SST from the sums of all pools, in their order."""
    n = sum(mark["records"] for mark in marks)
    sums = np.array([mark["sums"] for mark in marks]).sum(axis=0)
    total = sum(mark["squares"] for mark in marks) - float(np.square(sums).sum()) / n
    lost = sum(mark["lost"] for mark in marks)
    return 100.0 * lost / total if total > 0 else 0.0
