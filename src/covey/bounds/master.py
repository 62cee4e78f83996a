"""The linear programme: the cheapest mixture of known groups that covers every record once."""

from __future__ import annotations

from math import isfinite
from typing import NamedTuple

import numpy as np
from scipy.optimize import linprog

from covey.bounds.columns import Columns
from covey.types import BoolVector, FloatVector


class Solution(NamedTuple):
    """Cost of the mixture, the prices of the records in it, and which groups are used."""

    cost: float
    prices: FloatVector
    used: BoolVector


def solve(columns: Columns, seconds: float) -> Solution | None:
    """The optimum over the known groups; None if it is not found in time."""
    matrix = columns.matrix()
    n_records = matrix.shape[0]
    # HiGHS has absolute tolerances: costs of about one a record suit it.
    scale = float(columns.costs.sum()) / max(matrix.nnz, 1) or 1.0
    result = linprog(
        columns.costs / scale,
        A_eq=matrix,
        b_eq=np.ones(n_records),
        method="highs-ds",
        # HiGHS takes a limit of zero or less for none.
        options={"time_limit": max(seconds, 0.01)} if isfinite(seconds) else {},
    )
    if result.status != 0:
        return None
    prices = np.asarray(result.eqlin.marginals) * scale
    return Solution(float(result.fun) * scale, prices, np.asarray(result.x > 0))
