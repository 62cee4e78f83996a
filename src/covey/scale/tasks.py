"""The two tasks of a run: group the records of a cell, release the groups of a pool.

A task reads files of the work folder and writes files there, whole or not at all, and a mark at
the end. Whoever runs it, and how often, the files are the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from covey.partition import Partition
from covey.scale.assembling import assembled, heavy_groups, heavy_means, new_means, sums_of
from covey.scale.folder import WorkFolder
from covey.scale.plan import GROUP, KEY, STRATUM, Plan
from covey.scale.seams import improved
from covey.scale.spilling import RUN, read_parts, write_parts
from covey.tables.aggregating import emptied_cells
from covey.tables.categories import in_released_order
from covey.tables.weights import weight_sums
from covey.types import FloatMatrix, IntVector

PLAN = "plan.pickle"
CELL, POOL = "cell-{:06d}", "pool-{:06d}"


@lru_cache(maxsize=2)
def _plan(path: str, _changed: int) -> Plan:
    plan: Plan = WorkFolder(Path(path)).load(PLAN)
    return plan


def load_plan(folder: WorkFolder) -> Plan:
    """The plan of a work folder, read once."""
    return _plan(str(folder.path), folder.file(PLAN).stat().st_mtime_ns)


def group_cell(place: str, cell: int, leaves: Sequence[int], n_runs: int) -> None:
    """Group the records of a cell, and put the groups into pools."""
    folder = WorkFolder(Path(place))
    plan = load_plan(folder)
    names = [(RUN.format(run), leaf) for leaf in leaves for run in range(n_runs)]
    table = read_parts(folder, names).table
    points = plan.frame.points(plan.frame.read(table))
    strata = _whole(table[STRATUM])
    labels = _grouped(plan, strata, points)
    partition = Partition(labels)
    first = np.unique(labels, return_index=True)[1]
    pools = plan.pools_of(strata[first], partition.centroids(points))
    used, places = np.unique(pools, return_inverse=True)
    table = _with_column(table, GROUP, labels)
    name = CELL.format(cell)
    write_parts(folder, f"{name}.arrow", table, places[labels], used.size)
    folder.set_mark(name, {"pools": used.tolist(), "records": table.num_rows})


def _grouped(plan: Plan, strata: IntVector, points: FloatMatrix) -> IntVector:
    """Groups inside each stratum of the cell."""
    labels = np.full(strata.size, -1, dtype=np.int64)
    for stratum in np.unique(strata):
        inside = np.flatnonzero(strata == stratum)
        found = plan.technique.group_alone(np.ascontiguousarray(points[inside]), plan.k)
        labels[inside] = found + labels.max() + 1
    Partition(labels).require(plan.k)
    return labels


def release_pool(place: str, pool: int, parts: Sequence[tuple[int, int]]) -> None:
    """Improve the groups of a pool, and write their released records."""
    from pyarrow import parquet

    folder = WorkFolder(Path(place))
    plan = load_plan(folder)
    names = [(f"{CELL.format(cell)}.arrow", batch) for cell, batch in parts]
    table, sizes = read_parts(folder, names)
    variables = plan.frame.read(table)
    strata = _whole(table[STRATUM])
    labels = _repaired(
        plan, strata, plan.frame.points(variables), _apart(_whole(table[GROUP]), sizes)
    )
    partition = Partition(labels)
    partition.require(plan.k)
    weights = plan.frame.weights(table)
    released = assembled(plan, table, variables, partition, weights, _whole(table[KEY]))
    roles = plan.frame.roles
    emptied = emptied_cells(table, released, roles.changed)
    heavy_in_means = heavy_means(roles, table, released, partition)
    totals = weight_sums(roles, table, released)
    released = in_released_order(released)
    name = POOL.format(pool)
    with folder.writing(f"{name}.parquet") as temporary:
        parquet.write_table(released, temporary)
    sums = sums_of(plan.frame.z_scores(variables).coordinates, partition)
    heavy = heavy_groups(partition, weights)
    noted = {"records": released.num_rows, "heavy": heavy, "emptied": emptied}
    noted |= {"new_means": new_means(variables, released)}
    noted |= {"heavy_means": heavy_in_means, "weight_sums": totals}
    folder.set_mark(name, {**noted, **sums})


def _apart(labels: IntVector, sizes: Sequence[int]) -> IntVector:
    """Group numbers that differ between the parts, from 0 on."""
    apart, start, above = labels.copy(), 0, 0
    for size in sizes:
        inside = slice(start, start + size)
        apart[inside] += above
        start, above = start + size, int(apart[inside].max()) + 1
    return np.asarray(np.unique(apart, return_inverse=True)[1], dtype=np.int64)


def _repaired(plan: Plan, strata: IntVector, points: FloatMatrix, labels: IntVector) -> IntVector:
    """Better groups in strata that were divided; in others they are what the technique found."""
    repaired = np.full(labels.size, -1, dtype=np.int64)
    for stratum in np.unique(strata):
        inside = np.flatnonzero(strata == stratum)
        found = np.unique(labels[inside], return_inverse=True)[1]
        if plan.divisions[stratum].cells is not None:
            found = improved(points[inside], found, plan.k)
        repaired[inside] = found + repaired.max() + 1
    return repaired


def _whole(column: Any) -> IntVector:
    return np.asarray(column.to_numpy(), dtype=np.int64)


def _with_column(table: Any, name: str, values: IntVector) -> Any:
    import pyarrow as pa

    return table.append_column(name, pa.array(values))
