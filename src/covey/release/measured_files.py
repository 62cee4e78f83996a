"""Measuring a release that lies in a file of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import narwhals as nw

from covey.errors import SchemaError, unknown_name
from covey.measures import Evaluation, evaluate
from covey.parameters import as_list
from covey.tables.aligning import align
from covey.tables.frames import backend_of
from covey.types import Progress


class Measured(NamedTuple):
    """An evaluation, and the columns it did not look at with the reason."""

    evaluation: Evaluation
    left_out: dict[str, str]


def measure_tables(
    original: Any,
    released: Any,
    keys: Sequence[str] | None = None,
    identifier: str | None = None,
    confidential: Sequence[str] | None = None,
    weight: float = 0.5,
    progress: Progress | None = None,
    exact: bool = False,
) -> Measured:
    """Evaluate a release against its original: two frames, aligned or joined on `identifier`.

    The columns that both have are compared; text counts as categories. `confidential` names
    columns of the original; `exact` is as in `covey.evaluate`.
    """
    keys = None if keys is None else as_list(keys)
    aligned = align(original, released, identifier)
    for key in keys or ():
        if key in aligned.left_out:
            raise SchemaError(f"{key!r} cannot be a key: {aligned.left_out[key]}.")
    evaluation = evaluate(
        aligned.original,
        aligned.released,
        keys=keys,
        confidential=_columns(original, confidential),
        weight=weight,
        nominal=aligned.nominal,
        progress=progress,
        exact=exact,
    )
    return Measured(replace(evaluation, backend=backend_of(original)), aligned.left_out)


def _columns(original: Any, names: Sequence[str] | None) -> Any:
    if names is None:
        return None
    frame = nw.from_native(original, eager_only=True)
    for name in as_list(names):
        if name not in frame.columns:
            raise SchemaError(unknown_name("column", name, frame.columns))
    return frame.select(list(as_list(names))).to_native()
