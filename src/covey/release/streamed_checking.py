"""The guarantee of a release that is staged, counted where it is: in its files or its table."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from covey.errors import GuaranteeViolated
from covey.scale.guarantee import key_columns, smallest_class
from covey.sources.databases.names import listed
from covey.sources.problems import FileProblem
from covey.sources.source import Classes, Staged
from covey.tables.roles import Roles
from covey.threads import thread_count


class Room(NamedTuple):
    """Bytes of memory that a count may use, and the folder for what does not fit."""

    memory: int
    folder: Path


def require_streamed_guarantee(
    staged: Staged, names: Sequence[str], roles: Roles, k: int, n_records: int, room: Room
) -> int:
    """The smallest class of equal records; raise `GuaranteeViolated` unless it is at least k.

    `names` are the released columns.
    """
    leaked = sorted(set(roles.identifiers) & set(names))
    if leaked:
        _violated(f"The identifier {leaked[0]!r} was left in the release")
    keys = key_columns(roles, names)
    found = _counted(staged, names, keys, room)
    if found.total != n_records:
        _violated(f"{found.total} records were written where there should be {n_records}")
    if found.smallest < k:
        _violated(f"A released record is shared by {found.smallest} where k={k} was promised")
    return found.smallest


def _counted(staged: Staged, names: Sequence[str], keys: Sequence[str], room: Room) -> Classes:
    if not staged.paths:
        return staged.classes(keys)
    if all(_is_parquet(path) for path in staged.paths):
        return _in_files(staged.paths, names, keys, room)
    written = staged.read_back()
    return Classes(smallest_class(written, keys), written.num_rows)


def _is_parquet(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(4) == b"PAR1"


def _in_files(
    files: Sequence[Path], names: Sequence[str], keys: Sequence[str], room: Room
) -> Classes:
    """Count with a database that may use the disk.

    Columns go by their place: names that differ in capitals are one to the database, and a folder
    named like "age=1" must not be taken for a column.
    """
    import duckdb
    import pyarrow as pa

    pa.default_memory_pool().release_unused()
    options: dict[str, Any] = {
        "memory_limit": f"{room.memory // 10**6}MB",
        "temp_directory": str(room.folder),
        "threads": str(thread_count()),
        "preserve_insertion_order": "false",
    }
    places = listed(f"c{i}" for i in range(len(names)))
    wanted = listed(f"c{names.index(name)}" for name in keys)
    written = f"read_parquet(?, hive_partitioning = false) as written({places})"
    counts = f"select count(*) as n from {written} group by {wanted}"
    try:
        with duckdb.connect(config=options) as connection:
            smallest, total = connection.execute(
                f"select min(n), sum(n) from ({counts})", [[str(file) for file in files]]
            ).fetchall()[0]
    except duckdb.Error as error:
        raise FileProblem(
            f"The release could not be counted ({type(error).__name__}), so it is not kept. Is "
            "there room on the disk, and in memory for memory_limit?"
        ) from None
    return Classes(int(smallest), int(total))


def _violated(what: str) -> None:
    raise GuaranteeViolated(f"{what}. Nothing is released. Please report this as a bug.")
