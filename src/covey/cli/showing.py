"""What the command line prints."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any, Literal

from rich import box
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from covey.cli.streams import plain_console
from covey.release import Comparison, Inspection, Release, Tuning
from covey.release.describing.summary_lines import (
    reasons_in_words,
    release_figures,
    release_lines,
)
from covey.release.measured_files import Measured
from covey.sources import Source
from covey.techniques import TechniqueInfo, available

if TYPE_CHECKING:
    from covey.cli.releasing import Wanted


def show_techniques(*, as_json: bool) -> None:
    """What each technique does, what it guarantees, and its parameters."""
    if as_json:
        _print_json([_as_dict(info) for info in available()])
        return
    console = plain_console()
    for info in available():
        defaults = "  ".join(f"{name}={value!r}" for name, value in info.parameters.items())
        standing = "  (the default: auto)" if info.cls.is_default else ""
        console.print(Text.assemble((info.name, "bold"), standing))
        about = f"{info.summary}\nGuarantee: {info.guarantee}. Paper: {info.paper}.\n"
        console.print(Padding(Text.assemble(about, (defaults, "dim")), (0, 0, 1, 4)))


def show_inspection(
    inspection: Inspection, file: str, saved: Path | None, *, as_json: bool
) -> None:
    """Columns with the guess at their role; the guesses are for the reader."""
    if as_json:
        _print_json(inspection.to_dict())
        return
    console = plain_console()
    console.print(f"{file}: {inspection.n_records} records, {len(inspection.columns)} columns")
    for note in inspection.notes:
        console.print(note)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for heading in ("column", "type", "missing", "distinct", "probably"):
        justify: Literal["left", "right"] = (
            "right" if heading in ("missing", "distinct") else "left"
        )
        table.add_column(heading, justify=justify, overflow="fold")
    for column in inspection.columns:
        counts = (str(column.missing), str(column.distinct))
        known = column.role == "quasi-identifier"
        guess = column.role if known else f"{column.role} ({column.reason})"
        kind = "codes" if column.treatment == "nominal" else column.kind
        table.add_row(column.name, kind, *counts, guess)
    console.print(table)
    console.print(
        "Quasi-identifiers are columns that others may know, so that they lead to people."
    )
    for note, columns in _by_note(inspection).items():
        console.print(f"{', '.join(columns)}: {note}")
    console.print("These are guesses, and nothing was changed: you know your data.")
    if saved is not None:
        console.print(
            f"Settings to start from: {saved}. Read and correct them before you use them."
        )


def _by_note(inspection: Inspection) -> dict[str, list[str]]:
    notes: dict[str, list[str]] = {}
    for column in inspection.columns:
        if column.note:
            notes.setdefault(column.note, []).append(column.name)
    return notes


def show_release(
    release: Release, original: str, wanted: Wanted, *, measures: bool, as_json: bool
) -> None:
    """Say what was released, with which guarantee, at what loss and risk."""
    if as_json:
        _print_json(release_figures(release, measures=measures) | {"files": _files(wanted)})
        return
    print_rows(release_lines(release, original, measures=measures) | _files(wanted))


def shown_place(source: Source) -> str:
    """A file by its path, a table by its name and database."""
    return source.shown


def show_reports(wanted: Wanted, released: str | None, note: str = "") -> None:
    """Where the reports are, what was checked, and a note on the alternatives they show."""
    rows = {} if released is None else {"checked": f"{released} is what these settings make"}
    print_rows(rows | _files(wanted) | {"alternatives": note})


def show_evaluation(measured: Measured, *, as_json: bool) -> None:
    """Print an evaluation, and the columns it left out."""
    if as_json:
        _print_json(measured.evaluation.to_dict() | {"left_out": measured.left_out})
        return
    print(measured.evaluation)
    if measured.left_out:
        print(f"left out: {reasons_in_words(measured.left_out)}")


def show_comparison(comparison: Comparison, files: Sequence[Path | None], *, as_json: bool) -> None:
    """The candidates, and why the best one is better than the next."""
    if as_json:
        _print_json(comparison.to_dict())
        return
    print(comparison)
    others = sorted(
        (c for c in comparison.candidates if c is not comparison.best), key=lambda c: c.score or 0.0
    )
    if others:
        print("\n" + fill(comparison.which_is_better(comparison.best, others[0]), 79))
    _print_paths(files)


def show_tuning(tuning: Tuning, files: Sequence[Path | None], *, as_json: bool) -> None:
    """The search, and what it found."""
    if as_json:
        found = {"chosen": tuning.chosen.name, "settings": tuning.release.settings.to_dict()}
        _print_json({**found, **tuning.search.to_dict()})
        return
    print(tuning.search)
    print("\n" + fill(f"chosen: {tuning}", 79))
    _print_paths(files)


def _print_json(value: Any) -> None:
    print(json.dumps(value, indent=2, allow_nan=False))


def print_rows(rows: dict[str, str]) -> None:
    """Names and what is said of them, in two columns."""
    table = Table(show_header=False, box=None, pad_edge=False)
    table.add_column(style="bold")
    table.add_column(overflow="fold")
    for name, value in rows.items():
        if value:
            table.add_row(name, value)
    plain_console().print(table)


def _print_paths(files: Sequence[Path | None]) -> None:
    for path in files:
        if path is not None:
            print(f"written: {path}")


def _files(wanted: Wanted) -> dict[str, str]:
    files = {
        "release": None if wanted.out is None else shown_place(wanted.out),
        "internal report": wanted.internal,
        "external report": wanted.external,
        "settings": wanted.config,
        "script": wanted.script,
    }
    return {name: str(path) for name, path in files.items() if path is not None}


def _as_dict(info: TechniqueInfo) -> dict[str, object]:
    return {
        "name": info.name,
        "summary": info.summary,
        "default": info.cls.is_default,
        "paper": info.paper,
        "guarantee": info.guarantee,
        "parameters": info.parameters,
    }
