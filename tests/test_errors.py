"""Advice to install: it works from an index as well as from a checkout."""

from __future__ import annotations

import ast
import re
from importlib import metadata
from pathlib import Path

import pytest

from covey.errors import install_command, missing_extra

SOURCE = Path(__file__).parents[1] / "src" / "covey"
EXTRAS = ("app", "dask", "datasets", "excel", "plot", "postgres", "report", "stats")


@pytest.mark.parametrize("extra", EXTRAS)
def test_the_packages_are_named(extra):
    """As the project declares them; `covey[extra]` itself may be in no index."""
    words = install_command(extra)
    assert words.startswith('pip install "')
    assert "covey" not in words
    declared = {part.split(";")[0].strip() for part in metadata.requires("covey")}
    named = re.findall(r'"([^"]+)"', words)
    assert set(named) <= declared
    assert len(named) == len(set(named))


def test_an_extra_that_names_others_brings_their_packages(monkeypatch):
    declared = ["numpy>=1", "nicegui>=3; extra == 'app'", 'covey[excel]; extra == "app"']
    declared.append("openpyxl>=3.1 ; extra == 'excel'")
    monkeypatch.setattr(metadata, "requires", lambda _name: declared)
    assert install_command("app") == 'pip install "nicegui>=3" "openpyxl>=3.1"'


def test_a_source_that_is_not_installed(monkeypatch):
    def not_there(_name):
        raise metadata.PackageNotFoundError

    monkeypatch.setattr(metadata, "requires", not_there)
    assert install_command("excel") == "pip install '.[excel]' in the folder of Covey's source"


def test_the_message_names_purpose_package_and_extra():
    words = str(missing_extra("A report", "jinja2", "report"))
    assert words.startswith("A report needs the package 'jinja2' (covey[report]). Install it with:")
    assert "vl-convert-python" in words


def test_every_extra_that_is_missed_is_one():
    named = {
        node.args[-1].value
        for path in SOURCE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call)
        and getattr(node.func, "id", "") in ("missing_extra", "Extra")
        and isinstance(node.args[-1], ast.Constant)
    }
    assert {"report", "app", "excel", "postgres"} <= named <= set(EXTRAS)
