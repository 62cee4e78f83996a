"""The guarantee, counted on the released columns themselves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from covey.errors import GuaranteeViolated, SchemaError
from covey.partition import Block
from covey.tables.roles import Roles
from covey.tables.strata import stratify


class Counted(NamedTuple):
    """Smallest class of equal records: in all key columns, and inside the worst block."""

    achieved_k: int
    block_k: int


def key_columns(roles: Roles, released: Sequence[str]) -> list[str]:
    """Columns in which the members of a group must be equal.

    The mean weights of a group are among them; original weights, if asked for, are not.
    """
    keys = {*roles.quasi_identifiers, *roles.strata, *roles.averaged_weights}
    return [name for name in released if name in keys]


def smallest_class(table: Any, columns: Sequence[str]) -> int:
    """Records in the smallest class that is equal in all `columns`; missing equals missing."""
    labels = stratify([table[name] for name in columns], table.num_rows)
    return int(np.bincount(labels).min())


def require_guarantee(
    table: Any, roles: Roles, blocks: Sequence[Block], k: int, n_records: int
) -> Counted:
    """Raise `GuaranteeViolated` unless the released table keeps every promise."""
    if table.num_rows != n_records:
        _violated(f"{table.num_rows} records were released where there should be {n_records}")
    leaked = sorted(set(roles.identifiers) & set(table.column_names))
    if leaked:
        _violated(f"the identifier {leaked[0]!r} was left in the release")
    names = roles.quasi_identifiers
    strata = [name for name in roles.strata if name in table.column_names]
    block_k = min(
        smallest_class(table, [*(names[v] for v in block.variables), *strata]) for block in blocks
    )
    achieved = smallest_class(table, key_columns(roles, table.column_names))
    promised = achieved if len(blocks) == 1 else block_k
    if promised < k:
        _violated(f"a released record is shared by {promised} where k={k} was promised")
    return Counted(achieved, block_k)


def require_same_classes(written: Any, table: Any, keys: Sequence[str], k: int) -> None:
    """Raise unless a file, as it is read back, has all records and no class below k."""
    if written.num_rows != table.num_rows or written.column_names != table.column_names:
        raise SchemaError(
            f"This format cannot hold the release: {table.num_rows} records went in and "
            f"{written.num_rows} can be read back. Choose another one, such as Parquet."
        )
    found = smallest_class(written, keys)
    if found < k:
        _violated(f"in the file as it is read back, a record is shared by {found} where k={k}")


def _violated(what: str) -> None:
    raise GuaranteeViolated(
        f"{what[0].upper()}{what[1:]}. Nothing is released. Please report this as a bug."
    )
