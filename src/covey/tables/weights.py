"""Survey weights: one that means are weighted by, and others that are released beside it."""

from __future__ import annotations

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
    found = [_numbers(name, table[name]) for name in roles.weights]
    if not found:
        return None
    first, *others = found
    bad = int((~(first > 0)).sum())
    if bad:
        raise SchemaError(
            f"{roles.weight!r} is the weight, but {bad} value(s) of it are missing, zero or "
            "negative."
        )
    for name, values in zip(roles.weights[1:], others, strict=True):
        negative = int((values < 0).sum())
        if negative:
            raise SchemaError(f"{name!r} is a weight, but {negative} value(s) of it are negative.")
    return first


def mean_weights(roles: Roles, table: Any, groups: Groups, contributors: int) -> dict[str, Any]:
    """Released columns of the weights that are not kept: the mean of the group.

    A member without a weight counts as 0, so that the total stays. A mean that fewer than
    `contributors` members have a share in would be theirs, so it is missing.
    """
    return {
        name: _mean(_numbers(name, table[name]), groups, contributors)
        for name in roles.averaged_weights
    }


def _mean(values: FloatVector, groups: Groups, contributors: int) -> Any:
    import pyarrow as pa

    known = np.bincount(groups.labels, weights=~np.isnan(values), minlength=groups.n_groups)
    sharing = np.bincount(groups.labels, weights=values > 0, minlength=groups.n_groups)
    shared = means(np.nan_to_num(values), Groups(groups.labels, groups.n_groups))
    missing = (known == 0) | ((sharing > 0) & (sharing < contributors))
    return pa.array(shared[groups.labels], mask=missing[groups.labels])


def _numbers(name: str, column: Any) -> FloatVector:
    weights = read_variable(name, column, Kinds.read())
    if weights.kind != "number":
        raise SchemaError(f"{name!r} is a weight, but does not hold numbers.")
    return weights.values
