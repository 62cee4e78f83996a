"""The plan of a streamed release, from what the first pass found."""

from __future__ import annotations

from typing import Any, NamedTuple

import narwhals as nw
import numpy as np

from covey.release.preparing import Original, Prepared, bare_schema, prepare
from covey.release.settings import Settings
from covey.scale.frame import Frame
from covey.scale.plan import Plan, divide
from covey.scale.settling import Settled, settle
from covey.scale.surveying import Surveyed, sums_by_key, without_suppressed
from covey.sources.source import Records
from covey.technique import Technique


class Asked(NamedTuple):
    """What is to be planned: the settings, the records, and how they are read and divided."""

    settings: Settings
    records: Records
    block_size: int
    batch_size: int


def make_plan(asked: Asked, surveyed: Surveyed) -> Plan:
    """Everything that the tasks have to know.

    Records that are suppressed count for nothing but their own suppression.
    """
    settings, k = asked.settings, int(asked.settings.k)
    settled = _settled(asked, surveyed)
    if settled.suppressed:
        surveyed = without_suppressed(surveyed, asked.records, settled.final, asked.batch_size)
    technique = _technique(asked, surveyed)
    frame = surveyed.survey.frame(technique.scaling, dict(settings.importance))
    frame = frame._replace(driving=_driving(technique, frame))
    variables = frame.read(surveyed.sample)
    strata = settled.final[surveyed.tally.numbered(surveyed.sample, variables)]
    divided = divide(settled.sizes, strata, frame.points(variables), asked.block_size)
    schema = bare_schema(asked.records.schema)
    contributors = settings.contributors
    return Plan(k, technique, contributors, frame, surveyed.tally, settled, *divided, schema=schema)


def _technique(asked: Asked, surveyed: Surveyed) -> Technique:
    """The technique, with what it decides by looking at all records decided."""
    technique = asked.settings.instance()
    if technique.selects_variables:
        numbers = prepare_sample(surveyed.sample, asked.settings).numbers()
        technique.set_params(variables=technique.wanted_variables(numbers))
    survey = surveyed.survey
    technique.prepare_for(survey.n_records, len(survey.roles.quasi_identifiers))
    return technique


def prepare_sample(sample: Any, settings: Settings) -> Prepared:
    """A sample, which has no identifiers any more, made ready."""
    original = Original(sample, nw.Implementation.PYARROW)
    return prepare(original, settings.changed(identifiers=()))


def _settled(asked: Asked, surveyed: Surveyed) -> Settled:
    counts, k = np.array(surveyed.tally.counts), int(asked.settings.k)
    small, sums = asked.settings.small_strata, np.zeros((counts.size, 1))
    if small == "merge" and (counts < k).any():
        frame = surveyed.survey.frame("zscore", dict(asked.settings.importance))
        sums = sums_by_key(asked.records, frame, surveyed.tally, asked.batch_size)
    names = surveyed.survey.roles.quasi_identifiers
    return settle(surveyed.tally, asked.records.schema, names, k, small, sums)


def _driving(technique: Technique, frame: Frame) -> tuple[int, ...] | None:
    """The variables that groups are formed by, as numbers."""
    names = [described.name for described in frame.variables]
    return technique.driving_columns(None, names, len(names))
