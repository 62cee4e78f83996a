"""A table in memory to its released columns: a plan, of which everything is one part."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NoReturn, SupportsIndex

import numpy as np

from covey.errors import DisclosureWarning, refuse_to_pickle
from covey.pipeline.part import HEAVY, Part, protect_part
from covey.pipeline.plan import ROW, Plan
from covey.pipeline.strata_tally import unnamed_strata
from covey.release.plan_request import plan_in_memory
from covey.release.prepared import Prepared
from covey.release.settings import Settings
from covey.tables.levels import without_unused
from covey.technique import Technique
from covey.types import FloatMatrix, IntVector, Progress


@dataclass(frozen=True)
class Masked:
    """The plan and the part that it became, with the originals of the records in it.

    `prepared` has the records that were released, `kept` their rows in the original, `table` what
    is released of them. Of data larger than memory it is a sample.
    """

    plan: Plan = field(repr=False)
    part: Part = field(repr=False)
    prepared: Prepared
    kept: IntVector = field(repr=False)
    table: Any = field(repr=False)

    def __reduce_ex__(self, protocol: SupportsIndex) -> NoReturn:
        refuse_to_pickle(self)

    @property
    def technique(self) -> Technique:
        return self.part.technique

    @property
    def values(self) -> FloatMatrix:
        """The released quasi-identifiers as floats (see `covey.tables.variables`)."""
        return self.part.values

    @cached_property
    def scores(self) -> FloatMatrix:
        """The originals as z-scores."""
        return self.plan.frame.z_scores(self.part.variables).coordinates


def mask(prepared: Prepared, settings: Settings, progress: Progress | None = None) -> Masked:
    """Group the records, and give every member of a group the values of the group."""
    import pyarrow as pa

    plan = plan_in_memory(prepared, settings)
    warn_of_unnamed_strata(unnamed_strata(plan.tally, plan.settled))
    numbered = prepared.table.append_column(ROW, pa.array(np.arange(prepared.n_records)))
    keyed = plan.with_keys(numbered)
    part = protect_part(plan, keyed, progress)
    warn_of_heavy(part.noted["heavy"])
    warn_of_heavy_means(part.noted["heavy_means"])
    return masked_of(prepared, plan, keyed, part, keyed[ROW].to_numpy())


def masked_of(prepared: Prepared, plan: Plan, keyed: Any, part: Part, kept: IntVector) -> Masked:
    """A part and the originals of its records, without the columns of the plan."""
    names = [name for name in prepared.table.column_names if name in keyed.column_names]
    inside = prepared.of(keyed.select(names), part.variables, plan.frame.weights(keyed))
    return Masked(plan, part, inside, kept, _pruned(part.released))


def _pruned(table: Any) -> Any:
    """Without categories that nobody has."""
    import pyarrow as pa

    columns = [without_unused(table[name]) for name in table.column_names]
    fields = [
        part.with_type(column.type) for part, column in zip(table.schema, columns, strict=True)
    ]
    return pa.table(columns, schema=pa.schema(fields))


def warn_of_unnamed_strata(emptied: Mapping[str, int]) -> None:
    """Warn of so many records, by column, that lose their stratum because none was true for all."""
    for name, count in emptied.items():
        warnings.warn(
            f"{name!r} is left empty for {count} record(s): their strata are put together, and no "
            f"value of {name!r} is true for all of them. Turn {name!r} into text, with a word for "
            "missing values, and the merged strata are named after all that are in them.",
            DisclosureWarning,
            stacklevel=2,
        )


def warn_of_heavy(heavy: int) -> None:
    """Warn of so many groups in which one record has nearly all of the weight."""
    if heavy:
        warnings.warn(
            f"In {heavy} group(s) one record has more than {100 * HEAVY:g} % of the weight: the "
            "weighted means are close to its values.",
            DisclosureWarning,
            stacklevel=2,
        )


def warn_of_heavy_means(heavy: Mapping[str, int]) -> None:
    """The same of the weights that are only averaged, by their name."""
    for name, groups in heavy.items():
        if groups:
            warnings.warn(
                f"In {groups} group(s) one record has more than {100 * HEAVY:g} % of {name!r}: "
                f"the mean of {name!r}, times the records of the group, is close to its weight.",
                DisclosureWarning,
                stacklevel=2,
            )
