"""The plan of a release, from its settings and from what a pass over the records found."""

from __future__ import annotations

from typing import Any, NamedTuple

import narwhals as nw
import numpy as np

from covey.pipeline.frame_sources import InMemory
from covey.pipeline.plan import STRATUM, Division, Plan, divide_strata
from covey.pipeline.reference import Frame
from covey.pipeline.sample import SAMPLE
from covey.pipeline.strata_tally import Settled, settle
from covey.pipeline.survey import Surveyed, sums_by_key, take_survey, without_suppressed
from covey.release.prepared import Original, Prepared, bare_schema, prepare
from covey.release.settings import Settings
from covey.sources.source import Records
from covey.tables.kinds import Kinds
from covey.technique import Technique


class PlanRequest(NamedTuple):
    """What is to be planned: the settings, the records, and how they are read and divided.

    `cell_size` is how many records a technique is given at a time, and `part_size` about how many
    are in memory at a time; None for all.
    """

    settings: Settings
    records: Records
    cell_size: int | None
    part_size: int | None
    batch_size: int


def plan_in_memory(prepared: Prepared, settings: Settings) -> Plan:
    """The plan for a table, all of which is one part."""
    patterns = settings.missing == "pattern"

    def survey(prepared: Prepared) -> Surveyed:
        return take_survey(records, prepared.roles, _kinds(settings), patterns=patterns)

    with InMemory(prepared.table).records() as records:
        surveyed = prepared.noticed(f"survey, {patterns}", survey)
        request = PlanRequest(settings, records, settings.block_size, None, records.n_records)
        return make_plan(request, surveyed)


def _kinds(settings: Settings) -> Kinds:
    return Kinds.read(settings.ordinal, settings.nominal, settings.integers)


def make_plan(asked: PlanRequest, surveyed: Surveyed) -> Plan:
    """Everything that the tasks have to know.

    Records that are suppressed count for nothing but their own suppression.
    """
    settings, k = asked.settings, int(asked.settings.k)
    settled = _settled(asked, surveyed)
    if settled.suppressed:
        surveyed = without_suppressed(surveyed, asked.records, settled.final, asked.batch_size)
    technique = _technique(asked, surveyed)
    frame = surveyed.survey.frame(technique.scaling, dict(settings.importance))
    undivided = Plan(
        k,
        technique,
        settings.contributors,
        asked.cell_size,
        frame,
        surveyed.tally,
        settled,
        divisions=(Division(0),) * settled.sizes.size,
        n_leaves=1,
        schema=bare_schema(asked.records.schema),
        driving=_driving(technique, frame),
        share=SAMPLE / max(asked.records.n_records, 1),
    )
    plan = _divided(undivided, surveyed.sample, asked.part_size)
    if plan.n_leaves > 1 or plan.cell_size is not None:
        technique.require_divisible()
    return plan


def _divided(plan: Plan, sample: Any, part_size: int | None) -> Plan:
    """The plan, with large strata divided as a sample of their records lies."""
    sizes = plan.settled.sizes
    if part_size is None or sizes.sum() <= part_size:
        return plan
    keyed = plan.with_keys(sample)
    strata = keyed[STRATUM].to_numpy()
    divisions, n_leaves = divide_strata(sizes, strata, plan.places(keyed), part_size)
    return plan._replace(divisions=divisions, n_leaves=n_leaves)


def _technique(asked: PlanRequest, surveyed: Surveyed) -> Technique:
    """The technique, with what it decides by looking at all records decided."""
    technique = asked.settings.instance()
    if technique.selects_variables:
        sample = prepare_sample(surveyed.sample, asked.settings)
        technique.set_params(variables=technique.wanted_variables(sample.numbers()))
    return technique


def _driving(technique: Technique, frame: Frame) -> tuple[int, ...]:
    """The variables that groups are formed by, as numbers."""
    names = [described.name for described in frame.variables]
    chosen = technique.driving_columns(None, names, len(names))
    return tuple(range(len(names))) if chosen is None else chosen


def prepare_sample(sample: Any, settings: Settings) -> Prepared:
    """A sample, which has no identifiers any more, made ready."""
    original = Original(sample, nw.Implementation.PYARROW)
    return prepare(original, settings.changed(identifiers=()))


def _settled(asked: PlanRequest, surveyed: Surveyed) -> Settled:
    counts, k = np.array(surveyed.tally.counts), int(asked.settings.k)
    small, sums = asked.settings.small_strata, np.zeros((counts.size, 1))
    if small == "merge" and (counts < k).any():
        frame = surveyed.survey.frame("zscore", dict(asked.settings.importance))
        sums = sums_by_key(asked.records, frame, surveyed.tally, asked.batch_size)
    names = surveyed.survey.roles.quasi_identifiers
    return settle(surveyed.tally, asked.records.schema, names, k, small, sums)
