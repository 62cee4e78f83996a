"""The first pass over the records: figures of all, strata, and a sample for the trees."""

from __future__ import annotations

import hashlib
from typing import Any, NamedTuple

import numpy as np

from covey.pipeline.chunks import CHUNK, drawn, in_chunks
from covey.pipeline.reference import Frame, Survey
from covey.pipeline.strata_tally import Tally
from covey.sources.source import Records
from covey.tables.kinds import Kinds
from covey.tables.roles import Roles
from covey.types import FloatMatrix, IntVector, Progress

# Records of the sample: at least so many, and one of so many; a cell has some hundred of them.
LEAST_SAMPLE = 100_000
ONE_OF = 200


class Surveyed(NamedTuple):
    """What the first pass found; `digest` is a hash of all records, where it was asked for.

    The sample has none of the columns that are dropped. `levels` has the categories of all columns
    that list theirs, in their order.
    """

    survey: Survey
    tally: Tally
    sample: Any
    digest: str
    levels: dict[str, Any]


def take_survey(
    records: Records,
    roles: Roles,
    kinds: Kinds,
    *,
    patterns: bool,
    digest: bool = False,
    batch_size: int = CHUNK,
    progress: Progress | None = None,
) -> Surveyed:
    """Read all records once; the figures do not depend on the size of the batches."""
    import pyarrow as pa

    survey = Survey(roles, kinds, records.schema)
    tally = Tally(roles.strata, patterns)
    share = max(LEAST_SAMPLE, records.n_records / ONE_OF) / records.n_records
    sample, hashed = [], hashlib.sha256()
    kept = [name for name in records.schema.names if name not in roles.dropped]
    levels: dict[str, Any] = {}
    for table in in_chunks(records.scan(batch_size), records.schema):
        first = survey.n_records
        tally.add(table, survey.add(table))
        chosen = pa.array(drawn(first, table.num_rows, share))
        sample.append(table.select(kept).filter(chosen))
        _add_levels(levels, table.select(kept))
        if digest:
            hashed.update(_bytes(table))
        if progress is not None:
            progress("surveying", survey.n_records, records.n_records)
    told = hashed.hexdigest() if digest else ""
    return Surveyed(survey, tally, pa.concat_tables(sample), told, levels)


def _add_levels(levels: dict[str, Any], table: Any) -> None:
    """Categories that a chunk lists come after those that were listed before."""
    import pyarrow as pa

    for part in table.schema:
        if pa.types.is_dictionary(part.type):
            listed = [chunk.dictionary for chunk in table[part.name].chunks]
            known = [levels[part.name]] if part.name in levels else []
            levels[part.name] = pa.concat_arrays([*known, *listed]).unique().drop_null()


def _bytes(table: Any) -> Any:
    import pyarrow as pa

    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table.unify_dictionaries().combine_chunks())
    return sink.getvalue()


def without_suppressed(
    surveyed: Surveyed, records: Records, final: IntVector, batch_size: int = CHUNK
) -> Surveyed:
    """The figures of the records that are released alone: another pass, for suppressing alone.

    `final` is −1 for the keys whose records are not released.
    """
    import pyarrow as pa

    before, tally = surveyed.survey, surveyed.tally
    survey = Survey(before.roles, before.kinds, records.schema)

    def kept(table: Any) -> Any:
        return table.filter(pa.array(final[tally.numbered(table, before.read(table))] >= 0))

    for table in in_chunks(records.scan(batch_size), records.schema):
        released = kept(table)
        if released.num_rows:
            survey.add(released)
    return surveyed._replace(survey=survey, sample=kept(surveyed.sample))


def sums_by_key(
    records: Records, frame: Frame, tally: Tally, batch_size: int = CHUNK
) -> FloatMatrix:
    """Sums of the z-scores of the records with each key: another pass, for merging alone."""
    sums = np.zeros((len(tally.numbers), 0))
    for table in in_chunks(records.scan(batch_size), records.schema):
        variables = frame.read(table)
        points = frame.z_scores(variables).coordinates
        if sums.shape[1] == 0:
            sums = np.zeros((sums.shape[0], points.shape[1]))
        np.add.at(sums, tally.numbered(table, variables), points)
    return sums
