"""What the categories of nominal variables lost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from covey.measures.measure import Measure, Need
from covey.measures.pairs import read_pair
from covey.types import FloatVector


class CategoryLoss(NamedTuple):
    """One nominal variable, in percent.

    `changed` is the share of records with another category than before, `shift` half the sum of
    the absolute differences of the shares of the categories (0: the same distribution).
    """

    changed: float
    shift: float


class CategoryLosses(NamedTuple):
    """Losses by variable; the headline is the mean share of records that changed category."""

    percent: float
    by_variable: dict[str, CategoryLoss]


def category_losses(
    original: Any, released: Any, columns: Sequence[Any] | None = None
) -> CategoryLosses:
    """How many records changed category, and how far the distribution moved.

    The columns hold codes of categories. Cells missing in either file do not count.

    Examples
    --------
    >>> loss = category_losses([[1.0], [1.0], [2.0], [3.0]], [[1.0], [1.0], [2.0], [2.0]])
    >>> loss.by_variable["0"]
    CategoryLoss(changed=25.0, shift=25.0)
    """
    pair = read_pair(original, released, columns)
    losses = {
        name: _loss(pair.original[known, j], pair.released[known, j])
        for j, (name, known) in enumerate(zip(pair.names, pair.known.T, strict=True))
    }
    return CategoryLosses(float(np.mean([loss.changed for loss in losses.values()])), losses)


def _loss(before: FloatVector, after: FloatVector) -> CategoryLoss:
    if before.size == 0:
        return CategoryLoss(0.0, 0.0)
    found = np.unique(np.concatenate([before, after]))
    shares = [
        np.bincount(np.searchsorted(found, values), minlength=found.size) / before.size
        for values in (before, after)
    ]
    shift = float(np.abs(shares[0] - shares[1]).sum()) / 2
    return CategoryLoss(100.0 * float((before != after).mean()), 100.0 * shift)


CATEGORIES = Measure(
    name="categories",
    label="categories changed",
    meaning=(
        "Share of records whose category changed, mean over the nominal quasi-identifiers; strata "
        "do not count, for no group crosses them."
    ),
    caveat="whether similar categories were mixed up",
    kind="loss",
    function=category_losses,
    take=lambda inputs: category_losses(inputs.pair, inputs.pair, inputs.categories),
    needs=(Need.RECORDS, Need.CATEGORIES),
    position=70,
)
