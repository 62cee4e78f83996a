"""A release as a script that makes it again."""

from __future__ import annotations

import ast

import numpy as np
import pandas as pd
import pytest

import covey
from covey.errors import InvalidParameter
from covey.selection import DependenceTree
from covey.techniques import Projected

EDUCATION = ["primary", "secondary", "vocational", "bachelor", "master"]
EVERYTHING = {
    "identifiers": ["person_id"],
    "confidential": ["capital_income"],
    "strata": ["region"],
    "weight": "weight",
    "ordinal": {"education": EDUCATION},
    "integers": ["age"],
    "importance": {"age": 2.0},
    "min_contributors": 3,
    "rules": {"net": "gross_income - income_tax = net_income"},
    "thresholds": {"g_dr": 30.0},
}


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "it's a survey.csv"
    covey.datasets.make_survey(200, 9, missing=0.05).to_pandas().to_csv(path, index=False)
    return path


def run(script, folder, monkeypatch, **names):
    """What the script writes."""
    monkeypatch.chdir(folder)
    exec(compile(script, "script", "exec"), dict(names))
    return (folder / "released.csv").read_bytes()


@pytest.mark.parametrize(
    "options",
    [
        EVERYTHING,
        {"identifiers": ["person_id"]},
        {"quasi_identifiers": ["age", "sex"], "technique": "mdav"},
        {"identifiers": ["person_id"], "technique": "egmmat", "parameters": {"patience": 3}},
        {
            "quasi_identifiers": ["age", "hours", "net_income"],
            "missing": "pattern",
            "small_strata": "suppress",
        },
        {"identifiers": ["person_id"], "integers": True, "nominal": ["hours"]},
    ],
    ids=["everything", "defaults", "mdav", "egmmat", "pattern", "nominal"],
)
def test_a_script_on_a_file_makes_the_same_bytes(source, options, tmp_path, monkeypatch):
    release = covey.protect(source, 4, **options)
    release.write(tmp_path / "first.csv")
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    written = run(release.script(), folder, monkeypatch)
    assert written == (tmp_path / "first.csv").read_bytes()


def test_a_relative_path_is_found_from_elsewhere(source, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    release = covey.protect(source.name, 4, identifiers=["person_id"])
    release.write("first.csv")
    assert run(release.script(), tmp_path, monkeypatch) == (tmp_path / "first.csv").read_bytes()


def test_a_script_for_a_frame_takes_it_as_data(source, tmp_path, monkeypatch):
    frame = pd.read_csv(source)
    release = covey.protect(frame, 4, **EVERYTHING)
    release.write(tmp_path / "first.csv")
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    written = run(release.script(), folder, monkeypatch, data=frame)
    assert written == (tmp_path / "first.csv").read_bytes()


def test_a_selector_and_numbers_of_numpy(source, tmp_path, monkeypatch):
    release = covey.protect(
        source,
        np.int64(4),
        "mdav",
        identifiers=["person_id"],
        parameters={"variables": DependenceTree(n_variables=2)},
    )
    release.write(tmp_path / "first.csv")
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    assert run(release.script(), folder, monkeypatch) == (tmp_path / "first.csv").read_bytes()


def test_a_function_cannot_stand_in_a_script(source):
    technique = Projected(k=4, projection=lambda values: values[:, 0])
    release = covey.protect(source, technique=technique, identifiers=["person_id"])
    with pytest.raises(InvalidParameter, match="function"):
        release.script()


def test_odd_names_are_quoted(tmp_path):
    frame = pd.DataFrame({'a "b" \\ \n c': range(6), "d'e": range(6)})
    script = covey.protect(frame, 3, quasi_identifiers=list(frame.columns)).script()
    literals = [
        node.value for node in ast.walk(ast.parse(script)) if isinstance(node, ast.Constant)
    ]
    assert set(frame.columns) <= set(literals)
