"""The task of a run: a part of the records becomes a released part.

A task reads files of the work folder and writes files there, whole or not at all, and a mark at
the end. Whoever runs it, and how often, the files are the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from covey.measures.loss.il_parts import loss_sums
from covey.pipeline.guarantee import key_columns, require_same_classes
from covey.pipeline.part import Part, protect_part
from covey.pipeline.plan import Plan
from covey.pipeline.routed_files import Slice, read_slices
from covey.pipeline.sample import sample_of, write_sample
from covey.pipeline.work_folder import WorkFolder
from covey.tables.categories import in_released_order
from covey.tables.embedding import Placing

PLAN = "plan.pickle"
PART = "part-{:06d}"


@lru_cache(maxsize=2)
def _plan(path: str, _changed: int) -> Plan:
    plan: Plan = WorkFolder(Path(path)).load(PLAN)
    return plan


def load_plan(folder: WorkFolder) -> Plan:
    """The plan of a work folder, read once."""
    return _plan(str(folder.path), folder.file(PLAN).stat().st_mtime_ns)


def release_part(place: str, part: int, slices: Sequence[Slice]) -> None:
    """Group the records of a part, and write their released records."""
    from pyarrow import parquet

    folder = WorkFolder(Path(place))
    plan = load_plan(folder)
    table = read_slices(folder, slices)
    found = protect_part(plan, table)
    released = in_released_order(found.released)
    name = PART.format(part)
    with folder.writing(f"{name}.parquet") as temporary:
        parquet.write_table(released, temporary)
    keys = key_columns(plan.frame.roles, released.column_names)
    least = plan.k if found.technique.guarantee_ == "joint" else 1
    require_same_classes(_read(folder.file(f"{name}.parquet")), released, keys, least)
    write_sample(folder, f"{name}.sample", sample_of(found, table, part, plan.share))
    folder.set_mark(name, found.noted | {"loss_sums": _loss_sums(plan, found)})


def _loss_sums(plan: Plan, part: Part) -> Any:
    """What the IL of all parts is added up from: the variables that are not nominal.

    Each is counted in a unit of its own, which changes no share of what is lost: squares of huge
    numbers would leave the floats.
    """
    numbers = [j for j, variable in enumerate(part.variables) if variable.kind != "nominal"]
    if not numbers:
        return None
    origins, units = np.array([_unit_of(plan.frame.scores[j]) for j in numbers]).T
    original = np.column_stack([part.variables[j].values for j in numbers])
    released = part.values[:, numbers]
    return loss_sums((original - origins) / units, (released - origins) / units).to_plain()


def _unit_of(placing: Placing) -> tuple[float, float]:
    """Where the values of a variable begin, and how far they reach."""
    if placing.levels is not None and placing.levels.size:
        lowest, highest = float(placing.levels[0]), float(placing.levels[-1])
        return lowest, highest - lowest or 1.0
    if placing.footing is None or placing.places is not None:
        return 0.0, 1.0
    return float(placing.footing.origin[0]), float(placing.footing.unit[0])


def _read(path: Path) -> Any:
    from pyarrow import parquet

    with parquet.ParquetFile(path) as file:
        return file.read()
