"""Mixed and missing data as points in Euclidean space.

Everything a technique sees is this one matrix, so centroids, trees, moves and bounds are valid for
every table:

- a number or an instant is one coordinate: its z-score over the known values (or what the
  technique's ``standardize`` asks for);
- an ordinal value is one coordinate: the middle rank of its category or number, as a z-score;
- a nominal value is a corner of a simplex with edges of length 1 (one-hot ÷ √2; with two
  categories a single 0 or 1, which has the same distances);
- a missing value lies at the mean of its variable, and 1 away in a coordinate of its own;
- coordinates are multiplied by the root of their variable's importance.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from covey.errors import SchemaError
from covey.scaling import Footing, footing
from covey.tables.kinds import NUMERIC
from covey.tables.variables import Variable
from covey.types import FloatMatrix, FloatVector, IntVector

RAW = "raw"


class Embedding(NamedTuple):
    """Coordinates of the records, and the variable (by number) each coordinate belongs to."""

    coordinates: FloatMatrix
    owners: IntVector
    names: tuple[str, ...] | None = None

    @property
    def n_variables(self) -> int:
        return int(self.owners.max()) + 1

    def of(self, variables: Sequence[int]) -> FloatMatrix:
        """The coordinates of some variables, in the order of `variables`."""
        chosen = [j for v in variables for j in np.flatnonzero(self.owners == v)]
        if chosen == list(range(self.owners.size)):
            return self.coordinates
        return np.ascontiguousarray(self.coordinates[:, chosen])


def embed_numbers(coordinates: FloatMatrix, names: tuple[str, ...] | None) -> Embedding:
    """An embedding in which every variable is one coordinate."""
    return Embedding(coordinates, np.arange(coordinates.shape[1]), names)


class Placing(NamedTuple):
    """Where the values of one variable lie, as the values of all records say.

    `footing` is for numbers and ordinal values, None for numbers that stay as they are. `places`
    are the middle ranks of ordinal categories, or the coordinate of each nominal one. `missing` is
    where missing values lie; `gaps` says whether there are any. `levels` are the different numbers
    of an ordinal variable without categories, ascending: `places` are their ranks.
    """

    kind: str
    footing: Footing | None
    places: FloatVector | None
    missing: FloatVector
    gaps: bool
    levels: FloatVector | None = None


def embed_placed(
    variables: Sequence[Variable], placings: Sequence[Placing], roots: FloatVector
) -> Embedding:
    """Embed variables of some records where those of all records lie."""
    blocks = [
        _placed(variable, placing) * root
        for variable, placing, root in zip(variables, placings, roots, strict=True)
    ]
    owners = np.repeat(np.arange(len(blocks)), [block.shape[1] for block in blocks])
    names = tuple(variable.name for variable in variables)
    return Embedding(np.ascontiguousarray(np.hstack(blocks)), owners, names)


def placings_of(variables: Sequence[Variable], scaling: str) -> tuple[Placing, ...]:
    """Where the values of all records lie; for "zscore" and "range"."""
    if all(variable.kind in NUMERIC and variable.known.all() for variable in variables):
        # The same arithmetic as for a plain matrix, to the last bit.
        whole = footing(np.column_stack([variable.values for variable in variables]), scaling)
        return tuple(
            Placing(variable.kind, _footing(parts), None, np.zeros(1), gaps=False)
            for variable, parts in zip(variables, zip(*whole, strict=True), strict=True)
        )
    return tuple(placing_of(variable, scaling) for variable in variables)


def _footing(parts: Sequence[float]) -> Footing:
    return Footing(*(np.array([part]) for part in parts))


def placing_of(variable: Variable, scaling: str) -> Placing:
    """Where the values of a variable lie."""
    known = variable.known
    values = variable.values[known]
    gaps = not known.all()
    if variable.kind == "nominal":
        counts = np.bincount(values.astype(np.int64), minlength=variable.n_categories)
        places = corners(counts)
        points = _corners_of(values.astype(np.int64), places)
        missing = points.mean(axis=0) if values.size else np.zeros(points.shape[1])
        return Placing("nominal", None, places, missing, gaps)
    ranks = levels = None
    if variable.kind == "ordinal":
        codes = values.astype(np.int64) if variable.is_category else None
        if codes is None:
            levels, codes = np.unique(values, return_inverse=True)
        ranks = middle_ranks(np.bincount(codes, minlength=variable.n_categories))
        values, scaling = ranks[codes], "zscore"
    if values.size == 0:
        return Placing(variable.kind, None, ranks, np.zeros(1), gaps, levels)
    column = values[:, None]
    found = footing(column, scaling)
    middle = found.apply(column).mean()
    return Placing(variable.kind, found, ranks, np.array([middle]), gaps, levels)


def _placed(variable: Variable, placing: Placing) -> FloatMatrix:
    known = variable.known
    values = variable.values[known]
    points = np.zeros((known.size, placing.missing.size))
    if placing.kind == "nominal":
        assert placing.places is not None
        points[known] = _corners_of(values.astype(np.int64), placing.places)
    else:
        column = _ranked(values, placing)[:, None]
        points[known] = column if placing.footing is None else placing.footing.apply(column)
    points[~known] = placing.missing
    return np.hstack([points, (~known)[:, None].astype(np.float64)]) if placing.gaps else points


def _ranked(values: FloatVector, placing: Placing) -> FloatVector:
    """Ordinal values as their ranks, others as they are."""
    if placing.places is None or values.size == 0:
        return values
    if placing.levels is None:
        return np.asarray(placing.places[values.astype(np.int64)])
    codes = np.minimum(np.searchsorted(placing.levels, values), placing.levels.size - 1)
    if (placing.levels[codes] != values).any():
        raise SchemaError("The records changed while they were read. Nothing is released.")
    return np.asarray(placing.places[codes])


def middle_ranks(counts: IntVector) -> FloatVector:
    """The mean rank of the records in a category stands for the category."""
    return np.asarray(np.cumsum(counts) - (counts - 1) / 2)


def corners(counts: IntVector) -> FloatVector:
    """The coordinate of each category that somebody has; −1 for the others."""
    used = counts > 0
    return np.asarray(np.where(used, np.cumsum(used) - 1.0, -1.0))


def _corners_of(codes: IntVector, places: FloatVector) -> FloatMatrix:
    """Corners of a simplex with edges of length 1."""
    n_used = int(places.max(initial=-1.0)) + 1
    if n_used <= 2:
        return np.asarray(places[codes][:, None])
    points = np.zeros((codes.size, n_used))
    points[np.arange(codes.size), places[codes].astype(np.int64)] = np.sqrt(0.5)
    return points
