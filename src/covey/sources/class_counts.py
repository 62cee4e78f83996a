"""Classes of equal records, counted by a database that may use the disk."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from covey.sources.databases.names import listed
from covey.sources.problems import FileProblem
from covey.sources.source import Classes, Room
from covey.threads import thread_count


def are_parquet(files: Sequence[Path]) -> bool:
    """Whether files are Parquet, whatever they are called while they are staged."""
    return all(_begins_as_parquet(file) for file in files)


def _begins_as_parquet(file: Path) -> bool:
    with file.open("rb") as opened:
        return opened.read(4) == b"PAR1"


def classes_in_files(files: Sequence[Path], columns: Sequence[str], room: Room) -> Classes:
    """Count the records of Parquet files that are equal in some columns.

    Columns go by their place: names that differ in capitals are one to the database, and a folder
    named like "age=1" must not be taken for a column.
    """
    from pyarrow import parquet

    names = parquet.read_schema(files[0]).names
    places = listed(f"c{i}" for i in range(len(names)))
    wanted = listed(f"c{names.index(name)}" for name in columns)
    written = f"read_parquet(?, hive_partitioning = false) as written({places})"
    counts = f"select count(*) as n from {written} group by {wanted}"
    return _counted(
        f"select min(n), sum(n) from ({counts})", [str(file) for file in files], _options(room)
    )


def classes_in_table(table: Any, columns: Sequence[str]) -> Classes:
    """The same of records that are in memory; missing equals missing."""
    import pyarrow.compute as pc

    plain = table.select(columns).unify_dictionaries()
    counts = plain.group_by(list(columns)).aggregate([([], "count_all")])["count_all"]
    return Classes(pc.min(counts).as_py(), table.num_rows)


def _options(room: Room) -> dict[str, Any]:
    return {
        "memory_limit": f"{room.memory // 10**6}MB",
        "temp_directory": str(room.folder),
        "threads": str(thread_count()),
        "preserve_insertion_order": "false",
    }


def _counted(sql: str, files: list[str], options: dict[str, Any]) -> Classes:
    import duckdb
    import pyarrow as pa

    pa.default_memory_pool().release_unused()
    try:
        with duckdb.connect(config=options) as connection:
            ((smallest, total),) = connection.execute(sql, [files]).fetchall()
    except duckdb.Error as error:
        raise FileProblem(
            f"The release could not be counted ({type(error).__name__}), so it is not kept. Is "
            "there room on the disk, and in memory for memory_limit?"
        ) from None
    return Classes(int(smallest), int(total))
