"""The guarantee of a release in Parquet files, counted by a database that may use the disk."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from covey.errors import GuaranteeViolated
from covey.release.checking import key_columns
from covey.sources.databases.names import quote
from covey.tables.roles import Roles
from covey.threads import thread_count


def require_streamed_guarantee(
    files: Sequence[Path], roles: Roles, k: int, n_records: int, memory: int, room: Path
) -> int:
    """The smallest class of equal records; raise `GuaranteeViolated` unless it is at least k.

    `memory` is in bytes; what does not fit goes into the folder `room`.
    """
    import duckdb
    import pyarrow as pa

    pa.default_memory_pool().release_unused()
    options: dict[str, Any] = {
        "memory_limit": f"{memory // 10**6}MB",
        "temp_directory": str(room),
        "threads": str(thread_count()),
        "preserve_insertion_order": "false",
    }
    places = [str(file) for file in files]
    with duckdb.connect(config=options) as connection:
        source = connection.execute("select * from read_parquet(?) limit 0", [places])
        names = [str(part[0]) for part in source.description]
        leaked = sorted(set(roles.identifiers) & set(names))
        if leaked:
            _violated(f"The identifier {leaked[0]!r} was left in the release")
        keys = ", ".join(quote(name) for name in key_columns(roles, names))
        counted = connection.execute(
            "select min(n), sum(n) from "
            f"(select count(*) as n from read_parquet(?) group by {keys})",
            [places],
        ).fetchall()
    smallest, total = counted[0]
    if total != n_records:
        _violated(f"{total} records were written where there should be {n_records}")
    if smallest < k:
        _violated(f"A released record is shared by {smallest} where k={k} was promised")
    return int(smallest)


def _violated(what: str) -> None:
    raise GuaranteeViolated(f"{what}. Nothing is released. Please report this as a bug.")
