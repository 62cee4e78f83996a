"""What errors carry, and advice to install: from an index as well as from a checkout."""

from __future__ import annotations

import ast
import pickle
import re
from importlib import metadata
from pathlib import Path

import pytest

from covey.errors import (
    Infeasible,
    InvalidParameter,
    SchemaError,
    install_command,
    missing_extra,
    not_allowed,
    ways,
)
from covey.parameters import Maybe, Whole, require, require_entries
from covey.sources.problems import FileProblem

SOURCE = Path(__file__).parents[1] / "src" / "covey"
EXTRAS = ("app", "dask", "datasets", "excel", "plot", "postgres", "report", "spark", "stats")


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


def test_the_parts_of_a_message_are_there_by_themselves():
    error = SchemaError(
        "'age' has gaps.",
        remedy="Fill them",
        how=ways("missing"),
        parameter="missing",
        column="age",
    )
    assert str(error) == "'age' has gaps. Fill them (missing= or --missing)."
    assert (error.problem, error.remedy) == ("'age' has gaps.", "Fill them")
    assert (error.parameter, error.column) == ("missing", "age")


def test_a_value_that_is_not_allowed_says_what_is():
    with pytest.raises(InvalidParameter, match="k must be None or a whole number") as raised:
        require(Maybe(Whole(2)), k=1)
    error = raised.value
    assert (error.parameter, error.got, error.may_be_none) == ("k", "1", True)
    assert error.must_be == "a whole number of at least 2"


def test_an_entry_of_a_table_is_named():
    with pytest.raises(InvalidParameter, match="threshold of 'il' must be") as raised:
        require_entries(Whole(2), "threshold", {"g_dr": 2, "il": 1})
    assert (raised.value.parameter, raised.value.entry) == ("threshold", "il")


@pytest.mark.parametrize(
    "error",
    [
        Infeasible("Too few.", remedy="Lower k", parameter="k"),
        FileProblem("No room.", remedy="Make room"),
        not_allowed("k", "a whole number", 1, entry="a", may_be_none=True),
    ],
    ids=lambda error: type(error).__name__,
)
def test_errors_travel_between_processes(error):
    arrived = pickle.loads(pickle.dumps(error))
    assert type(arrived) is type(error)
    assert str(arrived) == str(error)
    assert vars(arrived) == vars(error)
