"""A technique is one file: everybody who offers techniques knows it, and nothing else is edited."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

TECHNIQUE = '''
"""Neighbours, records in the order of their first coordinate."""

from dataclasses import dataclass

import numpy as np

from covey.parameters import OneOf, declared
from covey.techniques.bases import DistanceBased, Driven
from covey.techniques.registry import register


@register
@dataclass(eq=False, repr=False)
class Neighbours(Driven, DistanceBased):
    """Cut the records into groups along their first variable.

    Parameters
    ----------
    order : {"up", "down"}, default="up"
        Where the cuts begin.

    Notes
    -----
    *Guarantee*: joint.
    """

    paper = "A. Newcomer 2026"
    is_quick = True

    order: str = declared("up", OneOf(("up", "down")))

    def _partition(self, coordinates, k):
        position = coordinates[:, 0] if self.order == "up" else -coordinates[:, 0]
        rank = np.argsort(np.argsort(position, kind="stable"), kind="stable")
        return np.minimum(rank // k, len(rank) // k - 1)
'''

# Run beside the package: the folder of the new file is one more folder of techniques.
BEFORE = """
import sys
import covey.techniques
covey.techniques.__path__.append(sys.argv.pop(1))
"""


@pytest.fixture
def with_newcomer(tmp_path):
    """Runs code in a process in which the folder has the new technique; gives what it prints."""
    folder = tmp_path / "techniques"
    folder.mkdir()
    (folder / "neighbours.py").write_text(TECHNIQUE)
    rows = [f"{i},{i * i % 17}" for i in range(40)]
    (tmp_path / "data.csv").write_text("\n".join(["a,b", *rows]) + "\n")

    def run(code, *arguments):
        done = subprocess.run(
            [sys.executable, "-c", BEFORE + code, str(folder), *arguments],
            cwd=tmp_path,
            env={**os.environ, "COLUMNS": "120", "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


COMMAND = "from covey.cli.main import run\nrun()"


def test_the_library_knows_it(with_newcomer):
    said = with_newcomer("""
import json, covey
from covey.techniques import Neighbours, available, get
info = next(info for info in available() if info.name == "neighbours")
release = covey.protect("data.csv", k=4, technique="neighbours", parameters={"order": "down"})
print(json.dumps({
    "class": get("neighbours") is Neighbours is info.cls,
    "in dir": "Neighbours" in dir(covey.techniques),
    "parameters": info.parameters,
    "about": info.about["standardize"],
    "comparable": info.is_comparable,
    "k": release.achieved_k,
    "technique": repr(release.technique),
}))
""")
    assert json.loads(said) == {
        "class": True,
        "in dir": True,
        "parameters": {"k": 3, "order": "up", "standardize": "zscore", "variables": None},
        "about": "How variables are put on one footing before distances are taken.",
        "comparable": True,
        "k": 4,
        "technique": "Neighbours(k=4, order='down')",
    }


def test_the_command_line_knows_it(with_newcomer):
    assert "neighbours: Cut the records" in with_newcomer(COMMAND, "protect", "--help")
    listed = json.loads(with_newcomer(COMMAND, "techniques", "--json"))
    assert "neighbours" in [one["name"] for one in listed]


def test_it_is_compared_with_the_others(with_newcomer):
    """By default, with every other technique of a joint guarantee."""
    code = """
import json
from covey.release.candidates import techniques_to_try
print(json.dumps(techniques_to_try(None)))
"""
    assert "neighbours" in json.loads(with_newcomer(code))
    options = ["--techniques", "neighbours,mdav", "--k", "4", "--json"]
    found = json.loads(with_newcomer(COMMAND, "compare", "data.csv", *options))
    assert {one["technique"] for one in found["candidates"]} == {"neighbours", "mdav"}


def test_the_app_and_the_docs_know_it(with_newcomer):
    said = with_newcomer("""
import json
from benchmarks.registry import techniques, with_names, NAMES
from covey.app.technique_cards import technique_cards
card = next(card for card in technique_cards() if card.name == "neighbours")
print(json.dumps({
    "fields": {field.name: field.about for field in card.fields},
    "quick": card.is_quick,
    "row": next(line for line in techniques().splitlines() if "Neighbours" in line),
    "names": "from covey.techniques.neighbours import Neighbours" in with_names(NAMES.read_text()),
}))
""")
    known = json.loads(said)
    assert list(known["fields"]) == ["order", "standardize", "variables"]
    assert known["fields"]["order"] == "Where the cuts begin."
    assert (known["quick"], known["names"]) == (True, True)
    assert known["row"] == (
        "| `Neighbours` | Cut the records into groups along their first variable | joint | "
        "A. Newcomer 2026 |"
    )


def test_a_search_may_not_start_from_what_does_not_declare_it(with_newcomer):
    said = with_newcomer("""
from covey.techniques import NearOptimal
print("neighbours" in NearOptimal.parameters["start"].options)
""")
    assert said == "False\n"
