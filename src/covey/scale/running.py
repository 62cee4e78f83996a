"""A run from plan to released parts: spill the records by leaf, group cells, repair seams."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from covey.scale.chunks import CHUNK
from covey.scale.engines import Engine
from covey.scale.folder import WorkFolder
from covey.scale.plan import KEY, STRATUM, Plan, cells_of_leaves
from covey.scale.spilling import Spill
from covey.scale.tasks import CELL, POOL, group_cell, release_pool
from covey.sources.source import Records
from covey.tables.variables import read_variable
from covey.types import Progress

SPILLED = "spilled"


class Finished(NamedTuple):
    """The released parts, files of the work folder in order, and what each pool noted."""

    parts: list[str]
    marks: list[dict[str, Any]]
    n_cells: int


def spill(
    records: Records,
    plan: Plan,
    folder: WorkFolder,
    most_bytes: int,
    batch_size: int = CHUNK,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """The second pass over the records: write them by leaf, unless that is done already."""
    found: dict[str, Any] | None = folder.mark(SPILLED)
    if found is not None:
        return found
    folder.clear("run-*")
    dropped = set(plan.frame.roles.dropped)
    names = [name for name in records.schema.names if name not in dropped]
    collected, done = Spill(folder, plan.n_leaves, most_bytes), 0
    for batch in records.scan(batch_size):
        _spill_batch(batch.select(names), plan, collected)
        done += batch.num_rows
        if progress is not None:
            progress("dividing", done, records.n_records)
    collected.flush()
    note = {"counts": collected.counts.tolist(), "runs": collected.n_runs}
    folder.set_mark(SPILLED, note)
    return note


def _spill_batch(batch: Any, plan: Plan, collected: Spill) -> None:
    import pyarrow as pa

    if batch.num_rows == 0:
        return
    table = pa.Table.from_batches([batch])
    if plan.settled.suppressed:
        table = _not_suppressed(table, plan)
    if table.num_rows == 0:
        return
    variables = plan.frame.read(table)
    keys = plan.keys_of(table, variables)
    strata = plan.settled.final[keys]
    leaves = plan.leaves_of(strata, plan.frame.points(variables))
    table = table.append_column(STRATUM, pa.array(strata)).append_column(KEY, pa.array(keys))
    collected.add(table, leaves)


def _not_suppressed(table: Any, plan: Plan) -> Any:
    """The records that are released: the others may have categories that none of them has."""
    import pyarrow as pa

    frame = plan.frame
    variables = [read_variable(v.name, table[v.name], frame.kinds) for v in frame.variables]
    return table.filter(pa.array(plan.settled.final[plan.keys_of(table, variables)] >= 0))


def group_and_release(
    plan: Plan,
    folder: WorkFolder,
    spilled: dict[str, Any],
    engine: Engine,
    progress: Progress | None = None,
) -> Finished:
    """Run the tasks that are not done yet."""
    place, runs = str(folder.path), int(spilled["runs"])
    cells = cells_of_leaves(plan, np.array(spilled["counts"]))
    names = [CELL.format(cell) for cell in range(len(cells))]
    todo = [cell for cell, name in enumerate(names) if folder.mark(name) is None]
    engine.run(group_cell, [(place, cell, cells[cell], runs) for cell in todo], progress)
    pools: dict[int, list[tuple[int, int]]] = {}
    for cell, name in enumerate(names):
        for batch, pool in enumerate(folder.mark(name)["pools"]):
            pools.setdefault(pool, []).append((cell, batch))
    order = sorted(pools)
    todo = [pool for pool in order if folder.mark(POOL.format(pool)) is None]
    engine.run(release_pool, [(place, pool, pools[pool]) for pool in todo], progress)
    marks = [folder.mark(POOL.format(pool)) for pool in order]
    return Finished([f"{POOL.format(pool)}.parquet" for pool in order], marks, len(cells))
