"""Mixed and missing data as points in Euclidean space.

Everything a technique sees is this one matrix, so centroids, trees, moves and bounds are valid for
every table:

- a number or an instant is one coordinate: its z-score over the known values (or what the
  technique's ``standardize`` asks for);
- an ordinal value is one coordinate: the middle rank of its category, as a z-score;
- a nominal value is a corner of a simplex with edges of length 1 (one-hot ÷ √2; with two
  categories a single 0 or 1, which has the same distances);
- a missing value lies at the mean of its variable, and 1 away in a coordinate of its own;
- coordinates are multiplied by the root of their variable's importance.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from covey.scaling import standardize
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


def embed(
    variables: Sequence[Variable],
    scaling: str = "zscore",
    importance: Mapping[str, float] | None = None,
) -> Embedding:
    """Embed variables of any kind.

    `scaling` is how numbers are put on one footing: one of `covey.scaling.SCALINGS`, or "raw" for
    techniques that scale for themselves.
    """
    names = tuple(variable.name for variable in variables)
    roots = np.sqrt([(importance or {}).get(name, 1.0) for name in names])
    if all(variable.kind in NUMERIC and variable.known.all() for variable in variables):
        # The same arithmetic as for a plain matrix, to the last bit.
        matrix = np.column_stack([variable.values for variable in variables])
        scaled = matrix if scaling == RAW else standardize(matrix, scaling)
        return embed_numbers(np.ascontiguousarray(scaled * roots), names)
    blocks = [
        _coordinates(variable, scaling) * root
        for variable, root in zip(variables, roots, strict=True)
    ]
    owners = np.repeat(np.arange(len(blocks)), [block.shape[1] for block in blocks])
    coordinates = np.ascontiguousarray(np.hstack(blocks))
    if scaling == "none":
        coordinates = _one_unit(coordinates, variables, owners)
    return Embedding(coordinates, owners, names)


def _coordinates(variable: Variable, scaling: str) -> FloatMatrix:
    known = variable.known
    if variable.kind == "nominal":
        points = _simplex(variable)
    elif variable.kind == "ordinal":
        points = _filled(_middle_ranks(variable), "zscore")
    else:
        points = _filled(variable.values, scaling)
    if known.all():
        return points
    return np.hstack([points, (~known)[:, None].astype(np.float64)])


def _filled(values: FloatVector, scaling: str) -> FloatMatrix:
    """Known values scaled, and missing ones at their mean."""
    known = ~np.isnan(values)
    filled = np.zeros((values.size, 1))
    if not known.any():
        return filled
    column = values[known][:, None]
    filled[known] = column if scaling in (RAW, "none") else standardize(column, scaling)
    filled[~known] = filled[known].mean()
    return filled


def _one_unit(
    coordinates: FloatMatrix, variables: Sequence[Variable], owners: IntVector
) -> FloatMatrix:
    """Unscaled numbers divided by one power of two, as techniques do with plain matrices."""
    raw = [
        np.flatnonzero(owners == v)[0]
        for v, variable in enumerate(variables)
        if not variable.is_category
    ]
    if raw:
        coordinates[:, raw] = standardize(coordinates[:, raw], "none")
    return coordinates


def _middle_ranks(variable: Variable) -> FloatVector:
    """The mean rank of the records in a category stands for the category."""
    known = variable.known
    codes = variable.values[known].astype(np.int64)
    counts = np.bincount(codes, minlength=variable.n_categories)
    middle = np.cumsum(counts) - (counts - 1) / 2
    ranks = np.full(variable.values.size, np.nan)
    ranks[known] = middle[codes]
    return ranks


def _simplex(variable: Variable) -> FloatMatrix:
    known = variable.known
    codes = variable.values[known].astype(np.int64)
    used, codes = np.unique(codes, return_inverse=True)
    if used.size <= 2:
        points = np.zeros((known.size, 1))
        points[known, 0] = codes
    else:
        points = np.zeros((known.size, used.size))
        points[np.flatnonzero(known), codes] = np.sqrt(0.5)
    if known.any():
        points[~known] = points[known].mean(axis=0)
    return points
