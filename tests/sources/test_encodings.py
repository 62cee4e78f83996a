"""The encoding of a text file is found by its marks and its letters."""

from __future__ import annotations

import codecs

import pytest

from covey.sources.files import FileProblem, read_file

CZECH = "jméno;město\nNovák Jiří;Plzeň\nDvořáková Věra;Brno\nČerný Tomáš;Děčín\n"
DANISH = "navn;by\nSøren;Århus\nKjær;Rødovre\n"
FRENCH = "nom;ville\nLefèvre;Orléans\nFrançois;Nîmes\n"
GERMAN = "name;ort\nMüller;Köln\nGroß;Lübeck\nJäger;Düsseldorf\n"
HUNGARIAN = "név;város\nKovács Gergő;Győr\nSzűcs;Kőszeg\n"
POLISH = "nazwa;miasto\nKowalski;Łódź\nŻółkiewska;Kraków\nWiśniewski;Gdańsk\n"
SPANISH = "nombre;ciudad\nMuñoz;Logroño\nPeña;Cádiz\n"


def read_bytes(tmp_path, content: bytes):
    (tmp_path / "t.csv").write_bytes(content)
    return read_file(tmp_path / "t.csv")


def cells(contents) -> str:
    rows = [contents.table.column_names, *(r.values() for r in contents.table.to_pylist())]
    return "".join(";".join(row) + "\n" for row in rows)


@pytest.mark.parametrize(
    ("text", "codec"),
    [
        *((text, "cp1252") for text in (DANISH, FRENCH, GERMAN, SPANISH)),
        *((text, "cp1250") for text in (CZECH, HUNGARIAN, POLISH)),
        *((text, "iso8859_2") for text in (POLISH,)),
        *((text, "cp850") for text in (DANISH, FRENCH, GERMAN, SPANISH)),
        *((text, "cp852") for text in (CZECH, HUNGARIAN, POLISH)),
    ],
)
def test_single_bytes(tmp_path, text, codec):
    contents = read_bytes(tmp_path, text.encode(codec))
    assert cells(contents) == text
    assert any(note.startswith(f"Encoding: {codec}") for note in contents.notes)


@pytest.mark.parametrize("text", [CZECH, FRENCH])
def test_plain_utf8_is_not_mentioned(tmp_path, text):
    contents = read_bytes(tmp_path, text.encode())
    assert cells(contents) == text
    assert not any("Encoding" in note for note in contents.notes)


@pytest.mark.parametrize(
    ("mark", "codec", "word"),
    [
        (codecs.BOM_UTF8, "utf-8", "UTF-8 with a byte order mark"),
        (codecs.BOM_UTF16_LE, "utf-16-le", "UTF-16"),
        (codecs.BOM_UTF16_BE, "utf-16-be", "UTF-16"),
        (codecs.BOM_UTF32_LE, "utf-32-le", "UTF-32"),
    ],
)
def test_byte_order_marks(tmp_path, mark, codec, word):
    contents = read_bytes(tmp_path, mark + POLISH.encode(codec))
    assert cells(contents) == POLISH
    assert f"Encoding: {word}." in contents.notes


def test_accents_far_down(tmp_path):
    content = b"a;b\n" + b"x;y\n" * 400_000 + "Müller;Köln\n".encode("cp1252")
    assert read_bytes(tmp_path, content).table["a"].to_pylist()[-1] == "Müller"


@pytest.mark.parametrize("text", ["5 €", "12 m²", "d’Arc", "„Haus“", "1–2", "§ 5"])
def test_signs_are_those_of_windows(tmp_path, text):
    content = f"a;b\n{text};x\n".encode("cp1252")
    assert read_bytes(tmp_path, content).table["a"].to_pylist() == [text]


def test_damaged_utf16(tmp_path):
    content = codecs.BOM_UTF16_LE + "a;b\nsecret;1\n".encode("utf-16-le") + b"\x00\xd8x"
    with pytest.raises(FileProblem, match=r"encoding of .* was not recognised") as caught:
        read_bytes(tmp_path, content)
    assert "secret" not in str(caught.value)
