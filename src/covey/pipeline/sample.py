"""Whole groups drawn from the parts of a release: what reports show of data larger than memory.

A sample has the original records and what they became, so it is kept in the work folder until the
run ends. Which groups are in it depends on the numbers of parts and groups alone.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

import numpy as np

from covey.partition import Block, Partition
from covey.pipeline.chunks import drawn
from covey.pipeline.guarantee import Counted
from covey.pipeline.part import Part, information_loss
from covey.pipeline.plan import Plan
from covey.pipeline.work_folder import WorkFolder
from covey.technique import Technique
from covey.types import FloatMatrix, IntVector

# Records of a sample, about: enough for every figure and picture of a report.
SAMPLE = 100_000
# Columns beside those of the original: groups of each block, released values, released columns.
GROUP, VALUE, RELEASED = "covey:group:{}", "covey:value:{}", "covey:released:{}"
# Room for the numbers of the groups of a part.
MOST_GROUPS = 2**32


def sample_of(part: Part, table: Any, number: int, share: float) -> Any:
    """Original records of some groups of a part, beside their groups and what they became."""
    import pyarrow as pa

    rows = _drawn_rows(part, number, share)
    chosen = table.take(rows)
    for b, block in enumerate(part.technique.blocks_):
        labels = block.partition.labels[rows] + number * MOST_GROUPS
        chosen = chosen.append_column(GROUP.format(b), pa.array(labels))
    for j, values in enumerate(part.values[rows].T):
        chosen = chosen.append_column(VALUE.format(j), pa.array(values))
    released = part.released.take(rows)
    for name in released.column_names:
        field = released.schema.field(name)
        chosen = chosen.append_column(field.with_name(RELEASED.format(name)), released[name])
    return chosen


def _drawn_rows(part: Part, number: int, share: float) -> IntVector:
    """The members of the groups that are drawn; of groups by block, of which no record is a whole,
    all.
    """
    if share >= 1 or part.technique.guarantee_ != "joint":
        return np.arange(part.released.num_rows)
    partition = part.technique.partition_
    chosen = drawn(number * MOST_GROUPS, partition.n_groups, share)
    return np.flatnonzero(chosen[partition.labels])


def write_sample(folder: WorkFolder, name: str, sample: Any) -> None:
    import pyarrow as pa

    with folder.writing(name) as temporary, pa.ipc.new_file(temporary, sample.schema) as file:
        file.write_table(sample.unify_dictionaries())


def read_sample(folder: WorkFolder, names: Sequence[str]) -> Any:
    """The samples of all parts as one table."""
    import pyarrow as pa

    tables = []
    for name in names:
        with pa.OSFile(str(folder.file(name))) as opened:
            tables.append(pa.ipc.open_file(opened).read_all())
    return pa.concat_tables(tables).unify_dictionaries().combine_chunks()


def part_of(plan: Plan, sample: Any, notes: Sequence[dict[str, Any]]) -> Part:
    """A sample as a part: what a table in memory would be."""
    variables = tuple(plan.frame.read(sample))
    values = np.column_stack([sample[VALUE.format(j)].to_numpy() for j in range(len(variables))])
    counted = Counted(*np.min([noted["counted"] for noted in notes], axis=0).tolist())
    technique = _fitted(plan, sample, notes)
    return Part(technique, variables, _floats(values), _released(plan, sample), counted, {})


def _floats(values: Any) -> FloatMatrix:
    return np.asarray(values, dtype=np.float64)


def _released(plan: Plan, sample: Any) -> Any:
    start = RELEASED.format("")
    names = [name for name in sample.column_names if name.startswith(start)]
    return sample.select(names).rename_columns([name.removeprefix(start) for name in names])


def _fitted(plan: Plan, sample: Any, notes: Sequence[dict[str, Any]]) -> Technique:
    """The technique, as if it had formed the groups of the sample alone."""
    technique = copy.copy(plan.technique)
    blocks = []
    for b, variables in enumerate(notes[0]["blocks"]):
        labels = np.unique(sample[GROUP.format(b)].to_numpy(), return_inverse=True)[1]
        blocks.append(Block(tuple(variables), Partition(labels)))
    technique.blocks_ = tuple(blocks)
    technique.guarantee_ = "joint" if len(blocks) == 1 else "per block"
    technique.il_ = information_loss(notes)
    for name, value in notes[0]["decided"].items():
        setattr(technique, f"{name}_", value)
    return technique
