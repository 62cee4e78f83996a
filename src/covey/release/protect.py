"""protect: a table in, a checked release out."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import narwhals as nw
import numpy as np

from covey import parameters, techniques
from covey.errors import DisclosureWarning, GuaranteeViolated, SchemaError, unknown_name
from covey.parameters import OneOf
from covey.sources.files import write_table
from covey.tables.numeric import numeric_columns, read_numeric
from covey.technique import Technique
from covey.types import FloatMatrix


@dataclass(frozen=True)
class Release:
    """Protected data and how they came about.

    Attributes
    ----------
    data : data frame
        Released columns in the container of the input, rows in the order of the input.
    technique : Technique
        The fitted technique: `partition_`, `il_`, `guarantee_`.
    achieved_k : int
        Smallest number of equal records in the release itself (of equal values in a block,
        when the guarantee is per block).
    dropped : dict
        Columns that were left out, and why.
    """

    data: Any
    technique: Technique
    achieved_k: int
    dropped: dict[str, str]

    def write(self, path: str | Path, *, order: str = "released", force: bool = False) -> None:
        """Write the release as CSV, whole or not at all.

        Rows are ordered by their released values, so that nothing of the original order is
        left; ``order="original"`` keeps it, with a warning.
        """
        parameters.check({"order": OneOf(("released", "original"))}, {"order": order})
        table = nw.from_native(self.data, eager_only=True)
        if order == "released":
            table = table.sort(table.columns)
        else:
            warnings.warn(
                "The order of the rows is released too: whoever knows the order of the original "
                "file can tell whose record is whose.",
                DisclosureWarning,
                stacklevel=2,
            )
        write_table(_columns_only(table), path, force=force)


def protect(
    data: Any,
    k: int = 3,
    technique: str | Technique = "iamat",
    identifiers: Sequence[str] = (),
    quasi_identifiers: Sequence[str] | None = None,
) -> Release:
    """Microaggregate a data frame and check the result.

    Parameters
    ----------
    data : data frame
        pandas, polars, pyarrow or any other frame that narwhals knows.
    k : int, default=3
        Smallest group size. Not used when `technique` is an instance, which has its own.
    technique : str or Technique, default="iamat"
        A registered name or an instance.
    identifiers : list of str
        Columns that name a person or firm; they are dropped.
    quasi_identifiers : list of str, optional
        Columns to microaggregate. If not given, all but the identifiers. A column that is named
        nowhere is dropped when these are named.
    """
    frame = nw.from_native(data, eager_only=True)
    released, dropped = _roles(frame, identifiers, quasi_identifiers)
    if isinstance(technique, str):
        technique = techniques.get(technique)(k=k)
    protected = technique.fit_transform(frame.select(released).to_native())
    achieved = _achieved_k(read_numeric(protected).values, technique)
    return Release(protected, technique, achieved, dropped)


def _columns_only(frame: nw.DataFrame[Any]) -> Any:
    """The columns as a pyarrow Table; a pandas index would tell the original order."""
    import pyarrow as pa

    return pa.table({name: frame[name].to_arrow() for name in frame.columns})


def _roles(
    frame: nw.DataFrame[Any], identifiers: Sequence[str], quasi_identifiers: Sequence[str] | None
) -> tuple[list[str], dict[str, str]]:
    """Columns to release, and the dropped ones with the reason."""
    for name in (*identifiers, *(quasi_identifiers or ())):
        if name not in frame.columns:
            raise SchemaError(unknown_name("column", name, frame.columns))
    both = sorted(set(identifiers) & set(quasi_identifiers or ()))
    if both:
        raise SchemaError(
            f"{', '.join(map(repr, both))}: identifier or quasi-identifier, not both."
        )
    dropped = dict.fromkeys(identifiers, "identifier")
    if quasi_identifiers is not None:
        dropped |= {
            name: "not named"
            for name in frame.columns
            if name not in dropped and name not in quasi_identifiers
        }
    released = [name for name in frame.columns if name not in dropped]
    _require_numeric(frame, released)
    return released, dropped


def _require_numeric(frame: nw.DataFrame[Any], released: list[str]) -> None:
    if not released:
        raise SchemaError("No column is left to release.")
    text = [name for name in released if name not in numeric_columns(frame)]
    if text:
        raise SchemaError(
            f"Not numeric: {', '.join(map(repr, text))}. Name identifiers as such "
            "(identifiers= or --identifiers) to drop them, or name the numeric columns to "
            "release (quasi_identifiers= or --quasi-identifiers)."
        )


def _achieved_k(values: FloatMatrix, technique: Technique) -> int:
    """Smallest class of equal rows in the release itself, whatever the technique says."""
    smallest = min(
        int(np.unique(values[:, block.variables], axis=0, return_counts=True)[1].min())
        for block in technique.blocks_
    )
    if smallest < technique.k:
        raise GuaranteeViolated(
            f"A released record is shared by {smallest} where k={technique.k} was promised. "
            "Nothing is released. Please report this as a bug."
        )
    return smallest
