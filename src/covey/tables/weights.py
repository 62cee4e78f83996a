"""Survey weights: one that means are weighted by, and others that are released beside it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from covey.errors import SchemaError
from covey.tables.aggregating import Groups, means
from covey.tables.kinds import Kinds
from covey.tables.roles import Roles
from covey.tables.variables import read_variable
from covey.types import FloatVector


def read_weights(roles: Roles, table: Any) -> FloatVector | None:
    """The weights that means are weighted by, None without any; the others are checked too."""
    found = [weight_numbers(name, table[name]) for name in roles.weights]
    if not found:
        return None
    first, *others = found
    bad = int((~(first > 0)).sum())
    if bad:
        raise SchemaError(
            f"{roles.weight!r} is the weight, but {bad} value(s) of it are missing, zero or "
            "negative.",
            parameter="weight",
            column=roles.weight,
        )
    for name, values in zip(roles.weights[1:], others, strict=True):
        negative = int((values < 0).sum())
        if negative:
            raise SchemaError(f"{name!r} is a weight, but {negative} value(s) of it are negative.")
    return first


def mean_weights(roles: Roles, table: Any, groups: Groups, contributors: int) -> dict[str, Any]:
    """Released columns of the weights that are not kept: the mean of the group.

    A member without a weight counts as 0, so that the total of a group stays. A mean that fewer
    than `contributors` members have a share in would be theirs, so it is missing, and what the
    group had is lost from the total of the file (see `weight_sums`).
    """
    return {
        name: _mean(weight_numbers(name, table[name]), groups, contributors)
        for name in roles.averaged_weights
    }


def _mean(values: FloatVector, groups: Groups, contributors: int) -> Any:
    import pyarrow as pa

    known = np.bincount(groups.labels, weights=~np.isnan(values), minlength=groups.n_groups)
    sharing = np.bincount(groups.labels, weights=values > 0, minlength=groups.n_groups)
    shared = means(np.nan_to_num(values), Groups(groups.labels, groups.n_groups))
    missing = (known == 0) | ((sharing > 0) & (sharing < contributors))
    shared[missing] = 0.0  # nothing is left under a gap, where a mask would only hide it
    return pa.array(shared[groups.labels], mask=missing[groups.labels])


def weight_sums(roles: Roles, before: Any, after: Any) -> dict[str, list[float]]:
    """The total of each averaged weight before, and what of it was in cells that are empty now."""
    found = {}
    for name in roles.averaged_weights:
        if name in after.column_names:
            values = np.nan_to_num(weight_numbers(name, before[name]))
            gone = after[name].is_null().to_numpy()
            found[name] = [float(values.sum()), float(values[gone].sum())]
    return found


def lost_percents(sums: Sequence[dict[str, list[float]]]) -> dict[str, float]:
    """The percentage of the total of each weight that is lost, from the sums of all parts."""
    found = {}
    for name in sums[0] if sums else ():
        total = sum(part[name][0] for part in sums)
        lost = sum(part[name][1] for part in sums)
        if lost > 0:
            found[name] = 100.0 * lost / total
    return found


def weight_numbers(name: str, column: Any) -> FloatVector:
    """The numbers of a weight, NaN where it is missing."""
    weights = read_variable(name, column, Kinds.read())
    if weights.kind != "number":
        raise SchemaError(f"{name!r} is a weight, but does not hold numbers.")
    return weights.values
