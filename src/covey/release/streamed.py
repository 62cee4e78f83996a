"""StreamedRelease: a release that was written batch by batch and is in no memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from covey.release.provenance import Provenance
from covey.release.settings import Settings
from covey.tables.roles import Roles

NOT_MEASURED = (
    "not measured, for it needs all records at once; docs/scale.md shows how to measure a sample"
)

# Why cells lost their value.
TOO_FEW = "too few records stand behind a value"
NO_LABEL = "small strata put together, and no value of the column is true for all of them"


def averaged_in_words(columns: Sequence[str]) -> str:
    """What to do about codes that were averaged; empty without any."""
    if not columns:
        return ""
    return (
        f"{', '.join(columns)}: few whole numbers, released as means. If they are codes, name them "
        "as nominal, or list the codes from low to high as ordinal"
    )


def emptied_in_words(
    emptied: Mapping[str, int], strata: Sequence[str], lost_weights: Mapping[str, float]
) -> str:
    """Columns in which cells lost their value, how many, why, and what of a weight is lost."""
    merged = {name: count for name, count in emptied.items() if name in strata}
    others = {name: count for name, count in emptied.items() if name not in strata}
    said = [_cells_in_words(others, TOO_FEW), _cells_in_words(merged, NO_LABEL)]
    said += [lost_in_words(lost_weights)]
    return "; ".join(text for text in said if text)


def _cells_in_words(emptied: Mapping[str, int], reason: str) -> str:
    if not emptied:
        return ""
    total = sum(emptied.values())
    columns = ", ".join(f"{name} {count}" for name, count in emptied.items())
    cells = "1 cell" if total == 1 else f"{total} cells"
    return f"{cells} ({columns}): {reason}"


def lost_in_words(lost_weights: Mapping[str, float]) -> str:
    """How much of the total of each weight is lost; empty where none is."""
    return ", ".join(
        f"{name} loses {percent:.2f} % of its total" for name, percent in lost_weights.items()
    )


@dataclass(frozen=True)
class StreamedRelease:
    """What is known of a release that was written without ever being in memory as a whole.

    Attributes
    ----------
    written : str
        Where the release is.
    n_records, n_groups, n_parts : int
        Released records, their groups, and the parts that they were released in.
    achieved_k : int
        Smallest number of records that are equal in all released quasi-identifiers and strata,
        counted on what was written.
    il_ : float
        Information loss in percent, of all records.
    merged, suppressed
        Strata that were put together because they were too small, in words, and the number of
        records that were left out for that reason.
    emptied : dict
        As in `Release`: columns in which cells lost their value, and how many.
    lost_weights : dict
        As in `Release`: percentage of the total of each weight that was in such cells.
    averaged_codes, settings, roles, provenance
        As in `Release`.
    """

    written: str
    settings: Settings
    roles: Roles
    provenance: Provenance = field(repr=False)
    n_records: int
    n_groups: int
    n_parts: int
    achieved_k: int
    il_: float
    merged: tuple[str, ...] = ()
    suppressed: int = 0
    emptied: dict[str, int] = field(default_factory=dict)
    lost_weights: dict[str, float] = field(default_factory=dict)
    averaged_codes: tuple[str, ...] = ()

    @property
    def dropped(self) -> dict[str, str]:
        """Columns that were left out, and why."""
        return self.roles.dropped

    def to_dict(self) -> dict[str, object]:
        """The figures as plain values, named as those of a release in memory are."""
        traced, technique = self.provenance, self.settings.instance()
        return {
            "written": self.written,
            "records": self.n_records,
            "technique": technique.describe().name,
            "guarantee": technique.guarantee,
            "groups": self.n_groups,
            "parts": self.n_parts,
            "k": int(self.settings.k),
            "achieved_k": self.achieved_k,
            "il": self.il_,
            "merged": list(self.merged),
            "suppressed": self.suppressed,
            "emptied": dict(self.emptied),
            "lost_weights": dict(self.lost_weights),
            "dropped": self.dropped,
            "averaged_codes": list(self.averaged_codes),
            "seconds": traced.seconds,
            "warnings": list(traced.warnings),
            "settings": self.settings.to_dict(),
            "input": {"name": traced.input_name, "sha256": traced.input_hash},
            "outputs": dict(traced.outputs),
            "note": NOT_MEASURED,
        }

    def lines(self) -> dict[str, str]:
        """The same in words, by name; lines that have nothing to say are left out."""
        traced, technique = self.provenance, self.settings.instance()
        lines = {
            "original": f"{traced.input_name}: {traced.input_records} records",
            "detected": " ".join(traced.notes),
            "released": f"{self.n_records} records",
            "technique": f"{type(technique).__name__}, guarantee: {technique.guarantee}",
            "k": f"{self.settings.k} asked for, {self.achieved_k} achieved",
            "groups": f"{self.n_groups}, in {self.n_parts} part(s)",
            "merged": "; ".join(self.merged),
            "suppressed": f"{self.suppressed} records" if self.suppressed else "",
            "emptied": emptied_in_words(self.emptied, self.roles.strata, self.lost_weights),
            "dropped": "; ".join(f"{name} ({why})" for name, why in self.dropped.items()),
            "averaged": averaged_in_words(self.averaged_codes),
            "loss": f"IL {self.il_:.4f} %",
            "risk": NOT_MEASURED,
            "release": self.written,
        }
        return {name: text for name, text in lines.items() if text}

    def __str__(self) -> str:
        return "\n".join(f"{name}: {text}" for name, text in self.lines().items())
