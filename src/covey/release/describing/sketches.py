"""A small drawing's worth of every column, before anything is protected."""

from __future__ import annotations

from typing import Any, TypedDict

import numpy as np

from covey.errors import CoveyError
from covey.release.describing.pictures import handy, histogram, histogram_edges, level_codes
from covey.tables.kinds import Kinds
from covey.tables.variables import Variable, read_variable


class Sketch(TypedDict):
    """Records in each interval of numbers (one more edge than counts), or of each category."""

    edges: list[float] | None
    levels: list[str] | None
    counts: list[int]


def sketches(table: Any) -> dict[str, Sketch]:
    """The distribution of every column of a pyarrow table that has one."""
    found = {name: _sketch(name, table[name]) for name in table.column_names}
    return {name: sketch for name, sketch in found.items() if sketch is not None}


def _sketch(name: str, column: Any) -> Sketch | None:
    try:
        variable = read_variable(name, column, Kinds.read(integers=True))
    except CoveyError:
        return None
    if not variable.known.any():
        return None
    return _of_categories(variable) if variable.is_category else _of_numbers(variable)


def _of_categories(variable: Variable) -> Sketch:
    levels = level_codes(variable, variable.values)
    known = variable.values[variable.known].astype(np.int64)
    counts = np.bincount(known, minlength=variable.n_categories)
    return {
        "edges": None,
        "levels": [name for name, _ in levels],
        "counts": [int(counts[codes].sum()) for _, codes in levels],
    }


def _of_numbers(variable: Variable) -> Sketch:
    values = handy(variable, variable.values)
    edges = histogram_edges(values)
    return {"edges": edges.tolist(), "levels": None, "counts": histogram(values, edges)}
