"""protect: a table in, a checked release out."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import narwhals as nw
from sklearn.base import clone

from covey import techniques
from covey.errors import (
    DisclosureWarning,
    GuaranteeViolated,
    InvalidParameter,
    SchemaError,
    unknown_name,
)
from covey.measures.pairs import equal_rows
from covey.parameters import OneOf, require
from covey.sources.files import is_number, write_table
from covey.tables.frames import require_frame
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
        Smallest number of equal whole records in the release itself.
    block_k : int
        The same inside each block of variables: what a per-block guarantee is about. Equal to
        `achieved_k` when the guarantee is joint.
    dropped : dict
        Columns that were left out, and why.
    """

    data: Any
    technique: Technique
    achieved_k: int
    block_k: int
    dropped: dict[str, str]

    def write(self, path: str | Path, *, order: str = "released", force: bool = False) -> None:
        """Write the release as CSV, whole or not at all.

        Rows are ordered by their released values, so that nothing of the original order is
        left; ``order="original"`` keeps it, with a warning.
        """
        require(OneOf(("released", "original")), order=order)
        table = nw.from_native(self.data, eager_only=True)
        # The data may have been changed since.
        _require_k(read_numeric(self.data).values, self.technique)
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
    k: int | None = None,
    technique: str | Technique = "iamat",
    identifiers: Sequence[str] = (),
    quasi_identifiers: Sequence[str] | None = None,
) -> Release:
    """Microaggregate a data frame and check the result.

    Parameters
    ----------
    data : data frame
        pandas, polars, pyarrow or any other frame that narwhals knows.
    k : int, optional
        Smallest group size, 3 if not given. A technique that is an instance has its own.
    technique : str or Technique, default="iamat"
        A registered name or an instance.
    identifiers : list of str
        Columns that name a person or firm; they are dropped.
    quasi_identifiers : list of str, optional
        Columns to microaggregate. If not given, all but the identifiers. A column that is named
        nowhere is dropped when these are named.
    """
    frame = require_frame(data)
    released, dropped = _roles(frame, identifiers, quasi_identifiers)
    technique = _instance(technique, k)
    protected = technique.fit_transform(_bare(frame.select(released)))
    values = read_numeric(protected).values
    whole, block = int(equal_rows(values).sizes.min()), _require_k(values, technique)
    return Release(protected, technique, whole, block, dropped)


def _bare(frame: nw.DataFrame[Any]) -> Any:
    """The columns alone: an index may hold identifiers, and metadata anything."""
    native = nw.maybe_reset_index(frame).to_native()
    return native.replace_schema_metadata(None) if frame.implementation.is_pyarrow() else native


def _instance(technique: str | Technique, k: int | None) -> Technique:
    if isinstance(technique, str):
        return techniques.get(technique)(k=3 if k is None else k)
    if k is not None and k != technique.k:
        raise InvalidParameter(f"k={k!r}, but the technique given has k={technique.k!r}.")
    # The caller's own instance stays as it is, and the release keeps its own.
    fresh: Technique = clone(technique)
    return fresh


def _columns_only(frame: nw.DataFrame[Any]) -> Any:
    """The columns as a pyarrow Table; a pandas index would tell the original order."""
    import pyarrow as pa

    return pa.table({name: frame[name].to_arrow() for name in frame.columns})


def _roles(
    frame: nw.DataFrame[Any], identifiers: Sequence[str], quasi_identifiers: Sequence[str] | None
) -> tuple[list[str], dict[str, str]]:
    """Columns to release, and the dropped ones with the reason."""
    for role, given in (("identifiers", identifiers), ("quasi_identifiers", quasi_identifiers)):
        if isinstance(given, str) or (given is not None and len(set(given)) < len(given)):
            raise InvalidParameter(f"{role} must be a list of column names, each once.")
    if quasi_identifiers is not None and len(quasi_identifiers) == 0:
        raise InvalidParameter("quasi_identifiers must name at least one column.")
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
            f"Not numeric: {', '.join(_described(frame[name]) for name in text)}. Name identifiers "
            "as such (identifiers= or --identifiers) to drop them, or name the numeric columns to "
            "release (quasi_identifiers= or --quasi-identifiers)."
        )


def _described(column: nw.Series[Any]) -> str:
    """The name of a column that is not numeric, with what is wrong when it nearly is."""
    values = [value for value in column.to_list() if value not in (None, "")]
    if not values:
        return f"{column.name!r} (empty)"
    wrong = sum(not is_number(value) for value in values)
    few = 0 < wrong < len(values) / 2
    return f"{column.name!r}" + (
        f" ({wrong} of {len(values)} values are no numbers)" if few else ""
    )


def _require_k(values: FloatMatrix, technique: Technique) -> int:
    """Smallest class of equal rows in any block; `GuaranteeViolated` if it is below k."""
    smallest = min(
        int(equal_rows(values[:, block.variables]).sizes.min()) for block in technique.blocks_
    )
    if smallest < technique.k:
        raise GuaranteeViolated(
            f"A released record is shared by {smallest} where k={technique.k} was promised. "
            "Nothing is released. Please report this as a bug."
        )
    return smallest
