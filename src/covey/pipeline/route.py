"""A run from plan to released parts: route the records to their leaves, release the parts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from covey.pipeline.chunks import CHUNK
from covey.pipeline.executors import Executor
from covey.pipeline.plan import ROW, STRATUM, Plan, parts_of_leaves
from covey.pipeline.routed_files import Spill, slices_of
from covey.pipeline.tasks import PART, release_part
from covey.pipeline.work_folder import WorkFolder
from covey.sources.source import Records
from covey.threads import in_order
from covey.types import IntVector, Progress

ROUTED = "routed"


class Finished(NamedTuple):
    """The released parts and their samples, files of the work folder, and what was noted."""

    parts: list[str]
    samples: list[str]
    notes: list[dict[str, Any]]


def route(
    records: Records,
    plan: Plan,
    folder: WorkFolder,
    most_bytes: int,
    batch_size: int = CHUNK,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """The second pass over the records: write them by leaf, unless that is done already."""
    found: dict[str, Any] | None = folder.mark(ROUTED)
    if found is not None:
        return found
    folder.clear("run-*")
    unused = set(plan.frame.roles.dropped)
    names = [name for name in records.schema.names if name not in unused]
    collected, done = Spill(folder, plan.n_leaves, most_bytes), 0
    batches = _numbered(batch.select(names) for batch in records.scan(batch_size))
    for routed in in_order(lambda numbered: _routed(*numbered, plan), batches):
        if routed.table is not None:
            collected.add(routed.table, routed.leaves)
        done += routed.n_read
        if progress is not None:
            progress("dividing", done, records.n_records)
    collected.flush()
    folder.set_mark(ROUTED, collected.note())
    return collected.note()


class _Routed(NamedTuple):
    """How many records were read, and those that are released with the leaf of each."""

    n_read: int
    table: Any
    leaves: IntVector


def _numbered(batches: Iterable[Any]) -> Iterator[tuple[Any, int]]:
    """Each batch, and the row of the original that it begins with."""
    first = 0
    for batch in batches:
        yield batch, first
        first += batch.num_rows


def _routed(batch: Any, first: int, plan: Plan) -> _Routed:
    import pyarrow as pa

    rows = pa.array(np.arange(first, first + batch.num_rows))
    table = pa.Table.from_batches([batch]).append_column(ROW, rows)
    table = plan.with_keys(table) if table.num_rows else table
    leaves = np.zeros(table.num_rows, dtype=np.int64)
    if plan.n_leaves > 1 and table.num_rows:
        leaves = plan.leaves_of(table[STRATUM].to_numpy(), plan.places(table))
    return _Routed(batch.num_rows, table if table.num_rows else None, leaves)


def release_parts(
    plan: Plan,
    folder: WorkFolder,
    routed: dict[str, Any],
    engine: Executor,
    room: int,
    progress: Progress | None = None,
) -> Finished:
    """Run the tasks that are not done yet; memory has `room` for so many records at a time."""
    counts = np.array(routed["counts"])
    parts = parts_of_leaves(plan, counts)
    engine.limit(room // max(int(counts[part].sum()) for part in parts))
    names = [PART.format(part) for part in range(len(parts))]
    todo = [part for part, name in enumerate(names) if folder.mark(name) is None]
    place = str(folder.path)
    tasks = [(place, part, slices_of(routed, parts[part])) for part in todo]
    engine.run(release_part, tasks, progress)
    files, samples = ([f"{name}.{end}" for name in names] for end in ("parquet", "sample"))
    return Finished(files, samples, [folder.mark(name) for name in names])
