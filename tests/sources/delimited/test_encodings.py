"""The encoding of a text file is found by its marks and its letters."""

from __future__ import annotations

import codecs
from itertools import cycle, islice

import pytest

from covey.errors import InvalidParameter, SchemaError
from covey.sources.delimited.encodings import find_encoding
from covey.sources.files import FileProblem, read_file, write_table
from tests.sources.delimited import accented

CZECH = "jméno;město\nNovák Jiří;Plzeň\nDvořáková Věra;Brno\nČerný Tomáš;Děčín\n"
DANISH = "navn;by\nSøren;Århus\nKjær;Rødovre\n"
FRENCH = "nom;ville\nLefèvre;Orléans\nFrançois;Nîmes\n"
GERMAN = "name;ort\nMüller;Köln\nGroß;Lübeck\nJäger;Düsseldorf\n"
HUNGARIAN = "név;város\nKovács Gergő;Győr\nSzűcs;Kőszeg\n"
POLISH = "nazwa;miasto\nKowalski;Łódź\nŻółkiewska;Kraków\nWiśniewski;Gdańsk\n"
SPANISH = "nombre;ciudad\nMuñoz;Logroño\nPeña;Cádiz\n"


def read_bytes(tmp_path, content: bytes, encoding: str | None = None):
    (tmp_path / "t.csv").write_bytes(content)
    return read_file(tmp_path / "t.csv", encoding=encoding)


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


WINDOWS_WEST = {
    "German and French": f"{accented.GERMAN} {accented.FRENCH}",
    "German with a French name": "Müller Groß Öffentlicher Süd François",
    "Nordic": f"{accented.DANISH} {accented.NORWEGIAN} {accented.SWEDISH}",
    "German": accented.GERMAN,
    "French": accented.FRENCH,
    "Spanish": accented.SPANISH,
    "Danish": accented.DANISH,
    "Norwegian": accented.NORWEGIAN,
    "Swedish": accented.SWEDISH,
    "Dutch": accented.DUTCH,
    "Italian": accented.ITALIAN,
    "Portuguese": accented.PORTUGUESE,
}
CENTRAL = {
    "Polish": accented.POLISH,
    "Czech": accented.CZECH,
    "Hungarian": accented.HUNGARIAN,
    "Romanian": accented.ROMANIAN,
}
DOS_WEST = {name: WINDOWS_WEST[name] for name in ("German", "French", "German and French")}
WORDS = [
    *((words, "cp1252") for words in WINDOWS_WEST.values()),
    *((words, "cp1250") for words in CENTRAL.values()),
    *((words, "cp850") for words in DOS_WEST.values()),
    *((words, "cp852") for words in CENTRAL.values()),
]
NAMES = [
    *(f"{name}, Windows" for name in (*WINDOWS_WEST, *CENTRAL)),
    *(f"{name}, DOS" for name in (*DOS_WEST, *CENTRAL)),
]


@pytest.mark.parametrize("lines", [20, 300])
@pytest.mark.parametrize("change", [str, str.upper])
@pytest.mark.parametrize(("words", "codec"), WORDS, ids=NAMES)
def test_words_of_a_language(tmp_path, words, codec, change, lines):
    cells = [change(word) for word in islice(cycle(words.split()), lines)]
    text = "name;n\n" + "".join(f"{cell};{i}\n" for i, cell in enumerate(cells))
    contents = read_bytes(tmp_path, text.encode(codec))
    assert contents.table["name"].to_pylist() == cells


@pytest.mark.parametrize(("words", "codec"), WORDS[: len(WINDOWS_WEST)], ids=list(WINDOWS_WEST))
def test_any_one_word_is_windows(tmp_path, words, codec):
    path = tmp_path / "t.csv"
    for word in words.split():
        path.write_bytes(f"name;n\n{word};1\n".encode(codec))
        assert word.isascii() or find_encoding(path) == "cp1252"


def test_a_byte_of_no_encoding(tmp_path):
    """0x81 is nothing in cp1252, but the words are German."""
    content = f"name\n{accented.GERMAN}\n".encode("cp1252") + b"x\x81\n"
    with pytest.raises(FileProblem, match="name its encoding"):
        read_bytes(tmp_path, content)


class TestGiven:
    @pytest.mark.parametrize(
        ("text", "codec"),
        [
            (POLISH, "cp1250"),
            (POLISH, "ISO-8859-2"),
            (GERMAN, "latin-1"),
            (GERMAN, "utf8"),
            (GERMAN, "UTF-16-LE"),
            ("имя;город\nИван;Москва\n", "cp1251"),
            ("名前;市\n太郎;東京\n", "shift_jis"),
        ],
    )
    def test_obeyed(self, tmp_path, text, codec):
        contents = read_bytes(tmp_path, text.encode(codec), codec)
        assert cells(contents) == text
        assert not any("recognised" in note for note in contents.notes)

    def test_against_the_look_of_it(self, tmp_path):
        contents = read_bytes(tmp_path, "name;n\nJõe;1\n".encode("cp1252"), "cp1250")
        assert contents.table["name"].to_pylist() == ["Jőe"]
        assert "Encoding: cp1250, as you said." in contents.notes

    def test_tsv(self, tmp_path):
        (tmp_path / "t.tsv").write_bytes("name\tn\nŁódź\t1\n".encode("cp1250"))
        table = read_file(tmp_path / "t.tsv", encoding="cp1250").table
        assert table["name"].to_pylist() == ["Łódź"]

    @pytest.mark.parametrize(
        ("mark", "codec"), [(codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le")]
    )
    def test_a_mark_is_no_part_of_a_name(self, tmp_path, mark, codec):
        assert cells(read_bytes(tmp_path, mark + GERMAN.encode(codec), codec)) == GERMAN

    @pytest.mark.parametrize("name", ["cp12525", "", "rot13", "base64", "a\0b", 8])
    def test_no_such_encoding(self, tmp_path, name):
        with pytest.raises(InvalidParameter, match="There is no encoding"):
            read_bytes(tmp_path, b"a;b\n1;2\n", name)

    @pytest.mark.parametrize(
        ("content", "codec"),
        [
            (GERMAN.encode("cp1252"), "utf-8"),
            (GERMAN.encode("cp1252"), "ascii"),
            (GERMAN.encode("cp850"), "cp1252"),
            (GERMAN.encode("utf-16-le"), "latin-1"),
            (codecs.BOM_UTF8 + GERMAN.encode(), "cp1252"),
            (GERMAN.encode(), "undefined"),
        ],
    )
    def test_another_encoding(self, tmp_path, content, codec):
        with pytest.raises(SchemaError, match=f"is not in the encoding '{codec}'") as caught:
            read_bytes(tmp_path, content, codec)
        assert "ller" not in str(caught.value)
        assert caught.value.__cause__ is None

    @pytest.mark.parametrize("ending", [".parquet", ".arrow", ".xlsx", ".sav"])
    def test_only_for_text_files(self, tmp_path, ending):
        path = tmp_path / f"t{ending}"
        write_table(read_bytes(tmp_path, GERMAN.encode()).table, path)
        with pytest.raises(InvalidParameter, match=r"\.csv, .*only"):
            read_file(path, encoding="utf-8")
