"""What a file of a statistics package says of a variable, beside its values.

It travels with the column, as JSON in the metadata of its Arrow field, so that a release can be
written with the codes, labels, missing values and formats that the original had. It holds what the
file documents and no value that was merely found in the data.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any, NamedTuple

from covey.sources.labelled.display import known_format, known_width

CODEBOOK = b"codebook"

Code = float | str
MOST_MISSING = 3  # codes that SPSS can declare as missing
LONGEST_MISSING = 8  # bytes of such a code, if it is a text
MEASURES = ("nominal", "ordinal", "scale")
# A category whose text alone would not tell it from another has its code behind it.
WITH_CODE = re.compile(r"(?P<text>.*) \[(?P<code>[^\[\]]*)\]", re.DOTALL)


class Codebook(NamedTuple):
    """The documentation of one variable.

    Attributes
    ----------
    family : str
        Who wrote it: "SPSS", "Stata" or "SAS". Formats and missing values mean nothing to others.
    is_text : bool
        Whether codes are texts. Among numbers a text is one of Stata's missing values, .a to .z.
    labels : dict
        The label of each code, those of missing values among them.
    missing : tuple of (low, high)
        Ranges of codes that are declared as missing.
    measure : str, optional
        "nominal", "ordinal" or "scale".
    format : str, optional
        How values are shown.
    columns : int, optional
        How wide the column is shown.
    """

    family: str
    is_text: bool = False
    labels: Mapping[Code, str] = {}
    missing: tuple[tuple[Code, Code], ...] = ()
    measure: str | None = None
    format: str | None = None
    columns: int | None = None

    def includes_missing(self, code: Code) -> bool:
        """Whether a code is declared as missing."""
        if isinstance(code, str) and not self.is_text:
            return True
        return any(low <= code <= high for low, high in self.missing)  # type: ignore[operator]

    @property
    def known(self) -> dict[Code, str]:
        """The labels of codes that are not missing."""
        return {code: text for code, text in self.labels.items() if not self.includes_missing(code)}

    @property
    def text_width(self) -> int:
        """Bytes that the variable holds, if it is a text of SPSS; else 0."""
        found = re.fullmatch(r"A(\d+)", self.format or "")
        return int(found[1]) if found and self.family == "SPSS" and self.is_text else 0

    def codes_of(self, texts: Iterable[str]) -> list[Code | None]:
        """The codes of categories, by their texts; None for one that has no code of its own."""
        by_text: dict[str, list[Code]] = {}
        for code, label in self.known.items():
            by_text.setdefault(label or code_text(code), []).append(code)
        return [self._code_of(text, by_text) for text in texts]

    def _code_of(self, text: str, by_text: Mapping[str, list[Code]]) -> Code | None:
        if len(by_text.get(text, ())) == 1:
            return by_text[text][0]
        found = WITH_CODE.fullmatch(text)
        if found is None:
            return self._without_label(text)
        alike = [
            code for code in by_text.get(found["text"], ()) if code_text(code) == found["code"]
        ]
        if alike:
            return alike[0]
        return self._without_label(found["code"] if found["text"] == found["code"] else text)

    def _without_label(self, text: str) -> Code | None:
        """A code that has no label is the text of itself."""
        if self.is_text:
            return text if not self.text_width or len(text.encode()) <= self.text_width else None
        with suppress(ValueError):
            number = float(text)
            return number if code_text(number) == text else None
        return None

    def to_metadata(self) -> bytes:
        """The text that travels with the column."""
        fields = self._asdict() | {"labels": list(self.labels.items())}
        return json.dumps({key: value for key, value in fields.items() if value}).encode()


def codebook_of(field: Any) -> Codebook | None:
    """The codebook of an Arrow field; None where there is none, or something else."""
    found = (field.metadata or {}).get(CODEBOOK)
    return None if found is None else _parsed(found)


def _parsed(text: bytes) -> Codebook | None:
    """Read what may come from anywhere: only what a codebook holds is taken."""
    try:
        fields = json.loads(text)
        family = _one_of(fields.get("family"), ("SPSS", "Stata", "SAS"))
        is_text = fields.get("is_text") is True
        return Codebook(
            family=family,
            is_text=is_text,
            labels={
                _label_code(code, is_text): _text(label) for code, label in fields.get("labels", ())
            },
            missing=_missing(fields.get("missing", ()), is_text),
            measure=_one_of(fields.get("measure"), (None, *MEASURES)),
            format=known_format(fields.get("format"), family, is_text),
            columns=known_width(fields.get("columns")),
        )
    except (ValueError, TypeError, AttributeError, KeyError, OverflowError, RecursionError):
        return None


def _missing(ranges: Any, is_text: bool) -> tuple[tuple[Code, Code], ...]:
    """Ranges as SPSS declares them: three codes at most, or a range and a code."""
    found = tuple((_code(low, is_text), _code(high, is_text)) for low, high in ranges)
    wide = sum(low != high for low, high in found)
    if len(found) > MOST_MISSING - bool(wide) or wide > (0 if is_text else 1):
        raise ValueError
    if is_text and any(len(str(low).encode()) > LONGEST_MISSING for low, _ in found):
        raise ValueError
    return found


def _label_code(value: Any, is_text: bool) -> Code:
    """A code that has a label: among numbers a text is one of Stata's missing values."""
    code = _code(value, True if is_text else None)
    if isinstance(code, float) and not math.isfinite(code):
        raise ValueError
    return code


def _code(value: Any, is_text: bool | None = None) -> Code:
    if isinstance(value, str) and is_text is not False:
        return _text(value)
    if isinstance(value, int | float) and is_text is not True and value == value:
        return float(value)
    raise ValueError


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError
    value.encode()  # half a character is an error, and no text
    return value


def _one_of(value: Any, allowed: tuple[Any, ...]) -> Any:
    if value not in allowed:
        raise ValueError
    return value


def code_text(code: Code) -> str:
    """3 for 3.0."""
    return str(int(code)) if isinstance(code, float) and code.is_integer() else str(code)


def combined(books: list[Codebook | None]) -> Codebook | None:
    """One codebook for the same column of several files; ValueError if they contradict each other.

    Codes that only some of the files document are documented then.
    """
    if any(book is None for book in books):
        return None
    found = [book for book in books if book is not None]
    first, labels = found[0], dict(found[0].labels)
    for book in found[1:]:
        if any(labels.setdefault(code, text) != text for code, text in book.labels.items()):
            raise ValueError
        if (book.family, book.is_text, book.missing) != (
            first.family,
            first.is_text,
            first.missing,
        ):
            raise ValueError
    return first._replace(labels=labels)
