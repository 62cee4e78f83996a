"""What the command line prints."""

from __future__ import annotations

import json
from pathlib import Path

from rich.console import Console
from rich.table import Table

from covey.release import Release
from covey.techniques import TechniqueInfo, available


def show_techniques(*, as_json: bool) -> None:
    if as_json:
        print(json.dumps([_as_dict(info) for info in available()], indent=2))
        return
    table = Table(show_lines=True)
    for heading in ("name", "guarantee", "paper", "parameters and defaults"):
        table.add_column(heading, overflow="fold")
    for info in available():
        defaults = ", ".join(f"{name}={value!r}" for name, value in info.parameters.items())
        table.add_row(info.name, info.guarantee, info.paper, defaults)
    Console().print(table)


def show_release(release: Release, original: Path, written: Path) -> None:
    technique = release.technique
    sizes = [int(size) for block in technique.blocks_ for size in block.partition.sizes]
    groups = f"{len(sizes)} of {min(sizes)} to {max(sizes)} records"
    if technique.guarantee_ == "per block":
        groups += f", over {len(technique.blocks_)} blocks of variables"
    table = Table(show_header=False, box=None, pad_edge=False)
    table.add_column(style="bold")
    table.add_column(overflow="fold")
    records = technique.blocks_[0].partition.n_records
    rows = {
        "original": f"{original}: {records} records, {technique.n_features_in_} variables released",
        "technique": f"{type(technique).__name__}, guarantee: {technique.guarantee_}",
        "k": f"{technique.k} asked for, {release.achieved_k} achieved",
        "groups": groups,
        "IL": f"{technique.il_:.4f} %",
        "dropped": ", ".join(f"{name} ({why})" for name, why in release.dropped.items()) or "nothing",
        "released": str(written),
    }
    for name, value in rows.items():
        table.add_row(name, value)
    Console(highlight=False).print(table)


def _as_dict(info: TechniqueInfo) -> dict[str, object]:
    return {
        "name": info.name,
        "paper": info.paper,
        "guarantee": info.guarantee,
        "parameters": info.parameters,
    }
