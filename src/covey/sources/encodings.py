"""Which encoding a text file is in."""

from __future__ import annotations

import codecs
import re
from pathlib import Path

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

# Single-byte encodings, the likelier first: it wins when two fit equally well.
CANDIDATES = ("cp1252", "cp1250", "iso8859_2", "cp850", "cp852")

# The letters beyond a-z of one language each. The right encoding turns the bytes of a file into
# letters of one language; a wrong one into letters of several, or into signs.
ALPHABETS = (
    "äöüß",
    "àâæçéèêëîïôœùûüÿ",
    "áéíñóúüçàèòïªº",
    "àèéìíòóùú",
    "áâãàçéêíóôõú",
    "æøåé",
    "åäöé",
    "áéíóúýþðæö",
    "ąćęłńóśźż",
    "áčďéěíňóřšťúůýž",
    "áäčďéíĺľňóôŕšťúýž",
    "áéíóöőúüű",
    "ăâîșțşţ",
    "čćđšž",
)


# Signs of every language. Between two letters they are letters of another encoding, save the
# apostrophe.
SIGN = re.compile(r"(?<![^\W\d_])[€£§°²³«»„“”‘–—…]|[€£§°²³«»„“”‘–—…](?![^\W\d_])|’")


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
    possible = [codec for codec in CANDIDATES if _decodes(path, codec)]
    if not possible:
        raise FileProblem(f"The encoding of {path} was not recognised. Save it as UTF-8.")
    return max(possible, key=lambda codec: _fit(sample.decode(codec)))


def _decodes(path: Path, codec: str) -> bool:
    try:
        with path.open(encoding=codec, newline="") as file:
            while file.read(BLOCK):
                pass
    except UnicodeDecodeError:
        return False
    return True


def _fit(text: str) -> int:
    """How many characters beyond ASCII are signs or letters of the language that has most."""
    special = [character for character in text.lower() if not character.isascii()]
    letters = max(sum(letter in alphabet for letter in special) for alphabet in ALPHABETS)
    return letters + len(SIGN.findall(text))
