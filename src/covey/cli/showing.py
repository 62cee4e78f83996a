"""What the command line prints."""

from __future__ import annotations

import json
from itertools import groupby
from pathlib import Path

from rich.console import Console
from rich.padding import Padding
from rich.table import Table

from covey.release import Release
from covey.release.measuring import Measured
from covey.techniques import TechniqueInfo, available


def show_techniques(*, as_json: bool) -> None:
    """List the registered techniques."""
    if as_json:
        print(json.dumps([_as_dict(info) for info in available()], indent=2))
        return
    console = Console(highlight=False)
    for info in available():
        defaults = "  ".join(f"{name}={value!r}" for name, value in info.parameters.items())
        console.print(f"[bold]{info.name}[/bold]  guarantee: {info.guarantee}")
        console.print(Padding(f"{info.paper}\n[dim]{defaults}[/dim]", (0, 0, 1, 4)))


def show_release(release: Release, original: Path, written: Path) -> None:
    """Say what was released, with which guarantee and at what loss."""
    technique = release.technique
    records = technique.blocks_[0].partition.n_records
    rows = {
        "original": f"{original}: {records} records, {technique.n_features_in_} columns released",
        "technique": f"{type(technique).__name__}, guarantee: {technique.guarantee_}",
        "k": _achieved(release),
        "groups": _groups(release),
        "IL": f"{technique.il_:.4f} %",
        "dropped": _dropped(release.dropped),
        "released": str(written),
    }
    table = Table(show_header=False, box=None, pad_edge=False)
    table.add_column(style="bold")
    table.add_column(overflow="fold")
    for name, value in rows.items():
        table.add_row(name, value)
    Console(highlight=False, markup=False).print(table)


def show_evaluation(measured: Measured, *, as_json: bool) -> None:
    """Print an evaluation, and the columns it left out."""
    if as_json:
        everything = measured.evaluation.to_dict() | {"left_out": measured.left_out}
        print(json.dumps(everything, indent=2, allow_nan=False))
        return
    print(measured.evaluation)
    if measured.left_out:
        print(f"left out: {_dropped(measured.left_out)}")


def _achieved(release: Release) -> str:
    asked = f"{release.technique.k} asked for"
    if release.technique.guarantee_ == "joint":
        return f"{asked}, {release.achieved_k} achieved"
    return f"{asked}, {release.block_k} achieved in each block; whole records: {release.achieved_k}"


def _groups(release: Release) -> str:
    blocks = release.technique.blocks_
    sizes = [int(size) for block in blocks for size in block.partition.sizes]
    low, high = min(sizes), max(sizes)
    text = f"{len(sizes)} of {low if low == high else f'{low} to {high}'} records"
    return text if len(blocks) == 1 else f"{text}, in {len(blocks)} blocks of variables"


def _dropped(dropped: dict[str, str]) -> str:
    by_reason = groupby(sorted(dropped, key=lambda name: dropped[name]), dropped.__getitem__)
    return "; ".join(f"{reason}: {', '.join(names)}" for reason, names in by_reason) or "nothing"


def _as_dict(info: TechniqueInfo) -> dict[str, object]:
    return {
        "name": info.name,
        "paper": info.paper,
        "guarantee": info.guarantee,
        "parameters": info.parameters,
    }
