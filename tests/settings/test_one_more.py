"""One setting more is one declaration: here two that exist only while the test runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import pytest
import typer
from benchmarks.settings import about_arguments, arguments, reference
from typer.testing import CliRunner

from covey.cli import options
from covey.cli.options import with_settings
from covey.cli.reading import value_of
from covey.errors import InvalidParameter
from covey.parameters import OneOf
from covey.release.settings import Settings
from covey.settings.forms import Names, Value
from covey.settings.groups import GAPS_AND_STRATA, TREATMENT
from covey.settings.setting import Setting, Shown, declared

ZEROS = Setting(
    Value(OneOf(("keep", "group"))),
    "What is done with zeros.",
    TREATMENT,
    "A zero may be true.",
    shown=Shown(GAPS_AND_STRATA, "Zeros", words={"keep": "Keep them", "group": "As others"}),
)


@dataclass(frozen=True)
class WithZeros(Settings):
    """All settings, and two that were declared a moment ago."""

    zeros: Annotated[str, ZEROS] = "group"
    household: Annotated[
        tuple[str, ...], Setting(Names(), "Columns that name a household.", TREATMENT)
    ] = ()


NEW = {setting.name: setting for setting in declared(WithZeros)[-2:]}


def test_it_is_read_checked_and_kept():
    chosen = WithZeros.from_toml('zeros = "keep"\nhousehold = "hid"')
    assert (chosen.zeros, chosen.household) == ("keep", ("hid",))
    assert WithZeros.from_toml(chosen.to_toml()) == chosen
    assert "zeros" not in WithZeros().to_toml()
    assert chosen.changed(zeros="group").to_dict()["household"] == ["hid"]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"zeros": "drop"}, "zeros must be one of 'keep', 'group'; got 'drop'."),
        ({"household": 5}, "household must be a list of column names."),
        ({"zero": "keep"}, "There is no setting 'zero'. Did you mean 'zeros'?"),
    ],
)
def test_a_mistake_names_the_setting_and_what_it_may_be(given, message):
    with pytest.raises(InvalidParameter) as caught:
        WithZeros.from_dict(given)
    assert message in str(caught.value)


def test_it_is_an_argument_of_protect():
    assert '    zeros: str = "group",\n' in arguments(WithZeros)
    assert "    household: Sequence[str] = (),\n" in arguments(WithZeros)
    assert (
        '    zeros : {"keep", "group"}, default="group"\n'
        "        What is done with zeros. A zero may be true.\n"
    ) in about_arguments(WithZeros)


def test_it_is_an_option(monkeypatch):
    monkeypatch.setattr(
        options, "SETTINGS", {name: options.option_of(one) for name, one in NEW.items()}
    )
    app, seen = typer.Typer(), []

    @app.command()
    @with_settings
    def look(*, given: dict[str, Any]) -> None:
        """Only look at what is given."""
        seen.append({name: value_of(NEW[name], value) for name, value in given.items()})

    written = ["--zeros", "keep", "--household", "hid,sid"]
    assert CliRunner().invoke(app, written).exit_code == 0
    assert seen == [{"zeros": "keep", "household": ["hid", "sid"]}]
    shown = " ".join(CliRunner().invoke(app, ["--help"]).output.split())
    assert "What is done with zeros: keep, group." in shown


def test_it_is_in_the_reference():
    line = "| `zeros` | `--zeros` | one of 'keep', 'group' | `group` | What is done with zeros."
    assert line in reference(WithZeros)()
