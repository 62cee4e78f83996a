"""Original and released columns as numbers, as the measures take them."""

from __future__ import annotations

from typing import Any, NamedTuple, NoReturn, SupportsIndex

import numpy as np

from covey.errors import refuse_to_pickle
from covey.release.masked import Masked
from covey.tables.categories import codes_of, plain_values
from covey.types import FloatVector


class Coded(NamedTuple):
    """Both files as tables of numbers; columns in `nominal` hold codes of categories.

    `strata` are those of `nominal` that no group crosses. `ordinal_names` are those of ordered
    categories, `ordered_numbers` of numbers and dates that have an order but no zero.
    """

    original: Any
    released: Any
    nominal: tuple[str, ...]
    strata: tuple[str, ...]
    ordinal_names: tuple[str, ...]
    ordered_numbers: tuple[str, ...]
    confidential: Any

    def __reduce_ex__(self, protocol: SupportsIndex) -> NoReturn:
        refuse_to_pickle(self)

    @property
    def ordinal(self) -> tuple[str, ...]:
        """Columns that have an order but no zero."""
        return (*self.ordinal_names, *self.ordered_numbers)


def coded_pair(masked: Masked) -> Coded:
    """Quasi-identifiers and strata of the records that were released.

    Ordered categories are their place in the order; instants count from the earliest one.
    """
    import pyarrow as pa

    prepared = masked.prepared
    original: dict[str, FloatVector] = {}
    released: dict[str, FloatVector] = {}
    nominal = []
    for j, variable in enumerate(prepared.variables):
        name = variable.name
        original[name], released[name] = variable.values, masked.values[:, j]
        if variable.kind == "nominal":
            nominal.append(name)
    for name in prepared.roles.strata:
        original[name], released[name] = _codes_of_both(prepared.table[name], masked.table[name])
        nominal.append(name)
    ordered = [v for v in prepared.variables if v.kind in ("ordinal", "date")]
    ranked = tuple(v.name for v in ordered if v.is_category)
    numbers = tuple(v.name for v in ordered if not v.is_category)
    secret = prepared.roles.confidential
    confidential = prepared.table.select(list(secret)) if secret else None
    names = (tuple(nominal), prepared.roles.strata, ranked, numbers)
    return Coded(pa.table(original), pa.table(released), *names, confidential)


def _codes_of_both(first: Any, second: Any) -> tuple[FloatVector, FloatVector]:
    import pyarrow as pa

    both = [plain_values(first), plain_values(second)]
    codes = codes_of(pa.concat_arrays(both)).astype(np.float64)
    return codes[: len(first)], codes[len(first) :]
