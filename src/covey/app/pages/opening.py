"""Open: choose a file, and see what was read from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nicegui import ui

from covey.app.pages.elements import Part, box, icon, inline, words
from covey.app.pages.failing import show_failure
from covey.app.pages.fields import choice, field
from covey.app.pages.parts import button, folded, head, note, section
from covey.app.pages.places import megabytes
from covey.app.pages.preview_table import MOST_COLUMNS, MOST_ROWS, preview_table
from covey.app.pages.wording import count_of
from covey.reports.formatting import count

if TYPE_CHECKING:
    from covey.app.pages.frame import Frame
    from covey.app.results import Opened

FORMATS = "CSV, Excel, Stata, SPSS, SAS, Parquet and Arrow files, and DuckDB or SQLite databases"
GO_ON = "covey protect FILE --out RELEASED --memory-limit 2GB"
ENCODINGS = {
    "": "as recognised",
    "utf-8": "UTF-8",
    "windows-1252": "Western European (Windows-1252)",
    "iso-8859-15": "Western European (ISO 8859-15)",
    "windows-1250": "Central European (Windows-1250)",
    "windows-1251": "Cyrillic (Windows-1251)",
    "utf-16": "UTF-16",
}


def page(frame: Frame) -> None:
    opened = frame.workshop.state.opened
    if opened is None:
        _nothing_yet(frame)
    elif not opened.is_ready:
        _choose_table(frame, opened)
    else:
        _seen(frame, opened)


def _nothing_yet(frame: Frame) -> None:
    lead = (
        "Choose the file that you want to protect. It is copied into a private folder on this "
        "computer, and removed when you stop Covey."
    )
    head("Open a file", lead)
    show_failure(frame, "open", "The file could not be opened")
    _drop_zone(frame)
    with box("row"):
        words("No file at hand?", "muted")
        button(
            "Open the example survey",
            lambda: frame.attempt(frame.workshop.open_example),
            id="open-example",
            picture="table",
            enabled=not frame.workshop.jobs.active,
        )
        words("2,000 invented persons, with missing values.", "muted")
    with section("Larger files, and other sources", id="limits"):
        words(
            f"This page takes files of up to {megabytes(frame.workshop.limit)}. The command line "
            "has no such limit: it works part by part, and also reads PostgreSQL.",
            "muted",
        )
        Part("pre", text=GO_ON)


def _drop_zone(frame: Frame, *, small: bool = False) -> None:
    with box(f"drop {'small' if small else ''}", data_drop=True, data_most=frame.workshop.limit):
        icon("upload")
        words("Drop another file here" if small else "Drop a file here", "" if small else "big")
        if not small:
            words(f"{FORMATS}; up to {megabytes(frame.workshop.limit)}.", "muted small")
        button(
            "Choose a file",
            id="choose-file",
            look="slim" if small else "main-action",
            data_choose_file=True,
        )
        with box("sending"):
            words("", "small muted", data_drop_says=True, aria_live="polite")
            with box("bar", data_drop_bar=True, hidden=True):
                box()


# -- a database --------------------------------------------------------------------------


def _choose_table(frame: Frame, opened: Opened) -> None:
    head(f"Which table of {opened.name}?", "The database has several. Choose the one to protect.")
    show_failure(frame, "open", "The table could not be opened")
    if not opened.tables:
        with note("There is no table in this database", "care"):
            words("Choose another file.")
    with box("cards"):
        for number, table in enumerate(opened.tables):
            _table_card(frame, opened, table, number)
    _drop_zone(frame, small=True)


def _table_card(frame: Frame, opened: Opened, table: str, number: int) -> None:
    made = Part("button", "card", type="button", id=f"table-{number}")
    with made, inline("", "name"):
        icon("table")
        inline(table)
    made.hear("click", lambda _: _read_again(frame, opened, table=table))


def _read_again(frame: Frame, opened: Opened, **reading: str) -> None:
    frame.attempt(lambda: frame.workshop.open(opened.upload.number, **reading))


# -- what was read -----------------------------------------------------------------------


def _seen(frame: Frame, opened: Opened) -> None:
    lead = (
        f"{count_of(opened.n_records, 'record')} and {count_of(len(opened.columns), 'column')} "
        "were read. Check that they look right before you go on."
    )
    head(opened.name, lead)
    show_failure(frame, "open", "The file could not be opened")
    _detected(frame, opened)
    shown = min(MOST_ROWS, len(opened.rows))
    more = (
        f", and of the first {MOST_COLUMNS} columns" if len(opened.columns) > MOST_COLUMNS else ""
    )
    about = f"The first {shown} of {count(opened.n_records)} records{more}."
    region = {"tabindex": "0", "role": "region", "aria_label": "Preview of the file"}
    with section("Preview", about), box("scroll", **region):
        ui.html(str(preview_table(opened)))
    with box("onward"):
        button(
            "Settle the roles",
            lambda: frame.go("roles"),
            id="onward",
            look="main-action",
            picture="arrow",
        )
        words("Say what each column is: who could know it, and what must be protected.", "words")
    _drop_zone(frame, small=True)


def _detected(frame: Frame, opened: Opened) -> None:
    with section("What was detected"), box("panel soft"):
        with Part("dl", "facts"):
            _fact("Format", opened.format)
            _fact("Size", _size(opened.upload.size))
            if opened.reading.table:
                _fact("Table", opened.reading.table)
            _fact("Types", _types(opened))
            for number, text in enumerate(_reading(opened)):
                _fact("Reading" if number == 0 else "", text)
        if _is_text(opened):
            with folded("Letters look wrong?", id="fold-encoding"):
                _encodings(frame, opened)
        if len(opened.tables) > 1:
            with folded("Another table", id="fold-tables"), box("row"):
                for number, table in enumerate(opened.tables):
                    button(
                        table,
                        lambda table=table: _read_again(frame, opened, table=table),  # type: ignore[misc]
                        id=f"table-{number}",
                        look="slim",
                    )


def _reading(opened: Opened) -> list[str]:
    """How the file was read; what is as usual is not said by the reader, but is asked for here."""
    usual = []
    if _is_text(opened) and not any("ncoding" in text for text in opened.notes):
        usual.append("Encoding: UTF-8.")
    if _is_text(opened) and not any("ecimal" in text for text in opened.notes):
        usual.append("Decimals have a point.")
    return [*opened.notes, *usual]


def _fact(name: str, value: str) -> None:
    Part("dt", text=name)
    Part("dd", text=value)


def _size(size: int) -> str:
    return f"{count(-(-size // 1000))} KB" if size < 1_000_000 else f"{size / 1e6:,.1f} MB"


def _is_text(opened: Opened) -> bool:
    return opened.format.lower() in ("csv", "tsv")


def _types(opened: Opened) -> str:
    """How many columns there are of each kind."""
    kinds = [column.kind for column in opened.columns]
    return ", ".join(
        f"{kinds.count(kind)} {_kind_in_words(kind, kinds.count(kind))}"
        for kind in dict.fromkeys(kinds)
    )


def _kind_in_words(kind: str, number: int) -> str:
    one = {
        "number": "decimal number",
        "integer": "whole number",
        "date": "date",
        "ordinal": "ordered category",
        "nominal": "text or category",
    }.get(kind)
    if one is None:
        return kind
    return one if number == 1 else {"y": f"{one[:-1]}ies"}.get(one[-1], f"{one}s")


def _encodings(frame: Frame, opened: Opened) -> None:
    def read(encoding: str) -> None:
        _read_again(frame, opened, **({"encoding": encoding} if encoding else {}))

    with field(
        "Read the file as",
        "encoding",
        "Choose another one if letters such as ä, é or ł are broken.",
    ):
        choice("encoding", opened.reading.encoding or "", ENCODINGS, read)
