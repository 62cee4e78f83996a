"""StreamedRelease: a release that was written batch by batch and is in no memory."""

from __future__ import annotations

from dataclasses import dataclass, field

from covey.release.provenance import Provenance
from covey.release.settings import Settings
from covey.tables.roles import Roles

NOT_MEASURED = (
    "Risk and the measures that need all records at once were not taken: measure a sample with "
    "`covey measure`."
)


@dataclass(frozen=True)
class StreamedRelease:
    """What is known of a release that was written without ever being in memory as a whole.

    Attributes
    ----------
    written : str
        Where the release is.
    n_records, n_groups, n_cells : int
        Released records, their groups, and the cells that they were grouped in.
    achieved_k : int
        Smallest number of records that are equal in all released quasi-identifiers and strata,
        counted on what was written.
    il_ : float
        Information loss in percent, of all records.
    merged, suppressed
        Strata that were put together because they were too small, in words, and the number of
        records that were left out for that reason.
    settings, roles, provenance
        As in `Release`.
    """

    written: str
    settings: Settings
    roles: Roles
    provenance: Provenance = field(repr=False)
    n_records: int
    n_groups: int
    n_cells: int
    achieved_k: int
    il_: float
    merged: tuple[str, ...] = ()
    suppressed: int = 0

    @property
    def dropped(self) -> dict[str, str]:
        """Columns that were left out, and why."""
        return self.roles.dropped

    def to_dict(self) -> dict[str, object]:
        """The figures as plain values."""
        return {
            "written": self.written,
            "records": self.n_records,
            "groups": self.n_groups,
            "cells": self.n_cells,
            "k": int(self.settings.k),
            "achieved_k": self.achieved_k,
            "il": self.il_,
            "merged": list(self.merged),
            "suppressed": self.suppressed,
            "dropped": self.dropped,
            "seconds": self.provenance.seconds,
            "warnings": list(self.provenance.warnings),
            "note": NOT_MEASURED,
        }

    def __str__(self) -> str:
        lines = [
            f"{self.n_records} records in {self.n_groups} groups, of {self.n_cells} cells",
            f"achieved k: {self.achieved_k}",
            f"information loss: {self.il_:.4f} %",
            *(f"merged: {words}" for words in self.merged),
            *([f"suppressed: {self.suppressed} records"] if self.suppressed else []),
            *(f"left out: {name} ({why})" for name, why in self.dropped.items()),
            f"written: {self.written}",
            NOT_MEASURED,
        ]
        return "\n".join(lines)
