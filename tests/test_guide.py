"""docs/guide.md: every command is run as printed, and prints what the guide shows."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import NamedTuple

import pytest

from covey import protect
from covey.release import Settings
from tests.cli.running import covey, read_json

GUIDE = Path(__file__).parents[1] / "docs" / "guide.md"
SHORTENED = ("…", "...")


class Step(NamedTuple):
    """A command and the lines it prints, or the text of a settings file."""

    command: str
    lines: list[str]


def steps() -> list[Step]:
    """What the guide asks for, in its order."""
    found = []
    blocks = re.findall(r"^```(console|toml)\n(.*?)^```", GUIDE.read_text("utf-8"), re.M | re.S)
    for language, text in blocks:
        if language == "toml":
            found.append(Step("edit run.toml", text.splitlines()))
            continue
        for part in re.split(r"^\$ ", text, flags=re.M)[1:]:
            command, *lines = part.splitlines()
            found.append(Step(command, lines))
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The folder after the whole walk."""
    place = tmp_path_factory.mktemp("guide")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(place)
        patch.setenv("COLUMNS", "80")
        for step in steps():
            take(step)
    return place


def take(step: Step) -> None:
    if step.command == "edit run.toml":
        Path("run.toml").write_text("\n".join(step.lines), "utf-8")
        return
    program, *arguments = shlex.split(step.command)
    assert program == "covey", f"the test knows only covey: {step.command}"
    result = covey(*arguments)
    assert result.code == 0, f"{step.command}\n{result.err}"
    assert not result.err, f"{step.command}\n{result.err}"
    printed = iter(line.rstrip() for line in result.out.splitlines())
    for line in step.lines:
        if line.strip() not in SHORTENED:
            assert line in printed, f"{step.command}\ndoes not print, in this order:\n{line}"


def test_every_command(folder):
    made = {path.name for path in folder.iterdir()}
    assert made == {
        "demo", "run.toml", "map.svg", "final.toml", "search.json", "released.csv",
        "internal.html", "internal.json", "external.html", "external.json",
    }  # fmt: skip


def test_every_command_of_the_walk_is_there():
    used = {step.command.split()[1] for step in steps() if step.command.startswith("covey")}
    assert used == {"demo", "inspect", "compare", "tune", "protect", "report"}


def test_figures_of_the_internal_report(folder):
    report = read_json(folder / "internal.json")
    text = " ".join(GUIDE.read_text("utf-8").split())
    for rule in report["edit_rules"]:
        row = f"| {rule['rule']} | {rule['violations_before']} | {rule['violations_after']} |"
        assert row in text
    assert all(check["passed"] for check in report["verdict"]["checks"])
    assert "distance linkage 8.34 % with a limit of 10 %" in text
    assert any(check["finding"] == "8.34 %, limit 10 %" for check in report["verdict"]["checks"])
    (occupation,) = report["diversity"]
    assert f"{occupation['single_value_percent']:.1f} % of the records are in groups" in text
    larger = Settings.read(folder / "final.toml").changed(k=10)
    diversity = protect(folder / "demo/survey.csv", settings=larger).evaluation.l_diversity
    assert f"With k = 10 it is {diversity.percent:.1f} %" in text


def test_links(folder):
    for target in re.findall(r"\]\(([^)#]+)", GUIDE.read_text("utf-8")):
        assert (GUIDE.parent / target).exists(), target
