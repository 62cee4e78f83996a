"""Labelled columns as Arrow dictionaries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple

from covey.sources.labelled.codebook import Code, code_text

TRUTH: dict[Code, str] = {0: "false", 1: "true"}


class Labelled(NamedTuple):
    """A dictionary or boolean array, and whether it holds values without a label."""

    array: Any
    unlabelled: bool


def are_numbers(values: list[Any], labels: Mapping[Code, str], measure: str | None) -> bool:
    """Whether labels are for some values only of a column that measures: 0 "none", 99 "or more".

    That is so if the file says that it is a scale, or where most of its values have no label.
    """
    present = {value for value in values if value is not None}
    without = len(present - set(labels))
    if measure == "scale":
        return without > 0
    return measure is None and without > len(present) - without


def labelled_column(values: list[Any], labels: Mapping[Code, str]) -> Labelled:
    """Labels in the order of their codes; a code without label is the text of the number."""
    import pyarrow as pa

    present = {value for value in values if value not in (None, "")}
    if labels == TRUTH and present <= set(TRUTH):
        return Labelled(pa.array([_truth(value) for value in values], pa.bool_()), False)
    codes = sorted(present | set(labels))
    place = {code: index for index, code in enumerate(codes)}
    indices = pa.array([place.get(value) for value in values], pa.int32())
    texts = pa.array(_texts(codes, labels), pa.string())
    return Labelled(pa.DictionaryArray.from_arrays(indices, texts), not present <= set(labels))


def _truth(value: Any) -> bool | None:
    return None if value is None else bool(value)


def _texts(codes: list[Any], labels: Mapping[Code, str]) -> list[str]:
    """One text a code; where two would be equal the code is added to keep them apart."""
    texts = [labels.get(code) or code_text(code) for code in codes]
    counts = Counter(texts)
    return [
        f"{text} [{code_text(code)}]" if counts[text] > 1 else text
        for code, text in zip(codes, texts, strict=True)
    ]
