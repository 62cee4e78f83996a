"""Which encoding a text file is in."""

from __future__ import annotations

import codecs
import re
from pathlib import Path

from covey.errors import InvalidParameter, SchemaError
from covey.sources.delimited.languages import CENTRAL, WESTERN, fit
from covey.sources.problems import FileProblem

BLOCK = 1 << 20
SAMPLE = 1 << 17

MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # begins like UTF-16, so it is asked first
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)

# Single-byte encodings, the languages written in them, and how much better than cp1252 each must
# fit: cp1252 is by far the likeliest. The unit is a natural logarithm; a sign within a word costs
# 12.
CANDIDATES = {
    "cp1252": (WESTERN, 0.0),
    "cp1250": (CENTRAL, 6.0),
    "cp850": (WESTERN, 6.0),
    "cp852": (CENTRAL, 9.0),
    "iso8859_2": (CENTRAL, 8.0),
}

# What may be a word, in any of these encodings.
WORD = re.compile(rb"[0-9A-Za-z\x80-\xff]*[\x80-\xff][0-9A-Za-z\x80-\xff]*")

HINT = "Save it as UTF-8, or name its encoding."


def find_encoding(path: Path) -> str:
    """Name of the Python codec that reads the file."""
    with path.open("rb") as file:
        head = file.read(4096)
    for mark, codec in MARKS:
        if head.startswith(mark):
            return codec
    if b"\0" in head:
        raise FileProblem(
            f"{path} is not a text file. If it comes from a spreadsheet or a statistics package, "
            "give it the ending of its format, such as .xlsx or .sav."
        )
    return "utf-8" if _is_utf8(path) else _guess(_telling_lines(path), path)


def given_encoding(path: Path, name: str) -> str:
    """Name of the codec that the user gave, if the file is in this encoding."""
    codec = _codec(name)
    with path.open("rb") as file:
        head = file.read(4)
    # A mark that its own encoding would leave in the first column name is passed over.
    marked = next((found for mark, found in MARKS if head.startswith(mark)), codec)
    family = marked.removesuffix("-sig")
    if not codec.startswith(family) or not _decodes(path, marked):
        raise SchemaError(
            f"{path} is not in the encoding {name!r}. Name another, or none: it is then recognised."
        )
    return marked


def _codec(name: str) -> str:
    try:
        codec = codecs.lookup(name).name
        b"a".decode(codec)  # refuses codecs such as rot13, which are not for text
    except UnicodeError:  # one letter is not enough for UTF-16
        return codec
    except (LookupError, TypeError, ValueError):
        raise InvalidParameter(
            f"There is no encoding {name!r}. Use a name that Python knows, such as 'utf-8', "
            "'cp1252' or 'cp850'."
        ) from None
    return codec


def _is_utf8(path: Path) -> bool:
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        with path.open("rb") as file:
            while block := file.read(BLOCK):
                decoder.decode(block)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def _telling_lines(path: Path) -> bytes:
    """Lines with bytes beyond ASCII, from the whole file: names with accents may come late."""
    lines: list[bytes] = []
    size = 0
    with path.open("rb") as file:
        for line in file:
            if not line.isascii():
                lines.append(line)
                size += len(line)
            if size > SAMPLE:
                break
    return b"".join(lines)


def _guess(sample: bytes, path: Path) -> str:
    # Each word once: a name that fills the file tells no more than its first occurrence.
    words = set(WORD.findall(sample))
    codec = max(CANDIDATES, key=lambda codec: _merit(words, codec))
    if not _decodes(path, codec):
        raise FileProblem(f"The encoding of {path} was not recognised. {HINT}")
    return codec


def _merit(words: set[bytes], codec: str) -> float:
    languages, handicap = CANDIDATES[codec]
    return fit((word.decode(codec, "replace") for word in words), languages) - handicap


def _decodes(path: Path, codec: str) -> bool:
    """Whether the whole file is text in this encoding; a zero is never part of a text."""
    try:
        with path.open(encoding=codec, newline="") as file:
            return all("\0" not in block for block in iter(lambda: file.read(BLOCK), ""))
    except UnicodeError:
        return False
